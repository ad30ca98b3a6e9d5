/** What the rule has to do with the linter, `deno lint` or ESLint: they make the same nodes. Types only. */

/** A plugin for `deno lint` or ESLint. */
export interface LintPlugin {
  /** The name that rules have in messages, in `deno lint`. */
  readonly name: string;
  /** The rules, by name. */
  readonly rules: Readonly<Record<string, LintRule>>;
}

/** A rule. */
export interface LintRule {
  /**
   * Begins a file.
   *
   * @param context Where problems are reported.
   * @returns What the linter calls for each node of the file, by type.
   */
  create(context: LintContext): LintVisitor;
}

/** Where a rule reports problems. */
export interface LintContext {
  /**
   * Reports a problem.
   *
   * @param problem The node, and the message.
   */
  report(problem: { readonly node?: LintNode; readonly message: string }): void;
}

/** What a linter calls for each node of a type; `:exit` after its children. */
export type LintVisitor = Readonly<Record<string, (node: LintNode) => void>>;

/** A node of a syntax tree. */
export interface LintNode {
  /** The type, such as `"CallExpression"`. */
  readonly type: string;
}

/** A node with what the rule reads of any type. Which of it is there depends on the type. */
export interface Node extends LintNode {
  readonly parent: Node;
  readonly alternate: Node;
  readonly argument: Node;
  readonly arguments: readonly Node[];
  /** A node; the list of its members in the body of a class. */
  readonly body: Node & readonly Node[];
  readonly callee: Node;
  readonly computed: boolean;
  readonly consequent: Node;
  readonly declarations: readonly Node[];
  readonly elements: readonly Node[];
  readonly expression: Node;
  readonly expressions: readonly Node[];
  readonly id: Node | null;
  readonly imported: Node;
  readonly init: Node | null;
  readonly key: Node;
  readonly generator: boolean;
  readonly kind: string;
  readonly left: Node;
  readonly local: Node;
  readonly name: string;
  readonly object: Node;
  readonly operator: string;
  readonly param: Node | null;
  readonly parameter: Node;
  readonly params: readonly Node[];
  readonly properties: readonly Node[];
  readonly property: Node;
  readonly returnType: Node | undefined;
  readonly right: Node;
  readonly source: Node;
  readonly specifiers: readonly Node[];
  readonly static: boolean;
  readonly test: Node;
  readonly typeAnnotation: Node | undefined;
  readonly typeArguments: Node | undefined;
  readonly typeName: Node | undefined;
  readonly value: unknown;
}

/** A {@linkcode LintVisitor} for such nodes. */
export type Visitor = Readonly<Record<string, (node: Node) => void>>;
