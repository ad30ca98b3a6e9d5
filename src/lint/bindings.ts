import { exportsOf, type Known } from "./exports.ts";
import type { Node, Visitor } from "./syntax.ts";

/** The names that a file declares, and which of them stand for something of the package. */
export interface Bindings {
  /** Collects the declarations. */
  readonly visitor: Visitor;
  /**
   * What an expression stands for, once all declarations are collected.
   *
   * @param node The expression.
   * @returns What is known; `undefined` if it does not come from the package, or not by what the file says.
   */
  knownOf(node: Node | null | undefined): Known | undefined;
}

/**
 * Collects the names of one file. Linters have no common way to ask for the declaration of a name.
 *
 * @returns Them, empty yet.
 */
export function createBindings(): Bindings {
  const scopes = new Map<Node, Map<string, () => Known | undefined>>();
  /** Expressions in progress: `const a = a()` must not go round for ever. */
  const open = new Set<Node>();

  /** Declares the names of a pattern; `known` says what the whole value is. */
  function declare(scope: Node, pattern: Node | null | undefined, known: () => Known | undefined = unknown): void {
    switch (pattern?.type) {
      case "Identifier": {
        const names = scopes.get(scope) ?? new Map();
        scopes.set(scope, names.set(pattern.name, known));
        break;
      }
      case "ObjectPattern":
        pattern.properties.forEach(({ type, argument, key, value, computed }) => {
          if (type === "RestElement") declare(scope, argument);
          else declare(scope, value as Node, () => memberOf(known(), key, computed));
        });
        break;
      case "ArrayPattern":
        pattern.elements.forEach((element) => declare(scope, element));
        break;
      case "AssignmentPattern":
        return declare(scope, pattern.left);
      case "RestElement":
        return declare(scope, pattern.argument);
      case "TSParameterProperty":
        return declare(scope, pattern.parameter);
    }
  }

  function lookUp(name: Node): Known | undefined {
    for (let at: Node | null = name.parent; at; at = at.parent) {
      const known = scopes.get(at)?.get(name.name);
      if (known) return known();
    }
    return undefined;
  }

  function knownOf(node: Node | null | undefined): Known | undefined {
    if (!node || open.has(node)) return undefined;
    open.add(node);
    try {
      switch (node.type) {
        case "Identifier":
          return lookUp(node);
        case "MemberExpression":
          return memberOf(knownOf(node.object), node.property, node.computed);
        case "CallExpression":
          return knownOf(node.callee)?.returns;
        case "ImportExpression":
          return exportsOf(node.source.value);
        case "AwaitExpression":
          return knownOf(node.argument);
        case "SequenceExpression":
          return knownOf(node.expressions.at(-1));
        case "ArrowFunctionExpression":
          // What it returns is what a call returns.
          return node.body.type === "CallExpression" ? knownOf(node.body.callee) : undefined;
        case "ChainExpression":
        case "TSAsExpression":
        case "TSInstantiationExpression":
        case "TSNonNullExpression":
        case "TSSatisfiesExpression":
        case "TSTypeAssertion":
          return knownOf(node.expression);
        default:
          return undefined;
      }
    } finally {
      open.delete(node);
    }
  }

  const declareId = (node: Node) => declare(scopeOf(node, BLOCKS), node.id);
  const declareFunction = (node: Node) => {
    declare(node.type === "FunctionDeclaration" ? scopeOf(node, BLOCKS) : node, node.id);
    node.params.forEach((parameter) => declare(node, parameter));
  };
  return {
    knownOf,
    visitor: {
      ImportDeclaration(node) {
        const known = exportsOf(node.source.value);
        node.specifiers.forEach(({ type, local, imported }) => {
          const named = () => type === "ImportSpecifier" ? memberOf(known, imported, false) : undefined;
          declare(scopeOf(node, BLOCKS), local, type === "ImportNamespaceSpecifier" ? () => known : named);
        });
      },
      VariableDeclaration(node) {
        const scope = scopeOf(node, node.kind === "var" ? FUNCTIONS : BLOCKS);
        // Another value may be assigned to a variable later.
        const isConstant = node.kind === "const";
        node.declarations.forEach(({ id, init }) => declare(scope, id, isConstant ? () => knownOf(init) : unknown));
      },
      FunctionDeclaration: declareFunction,
      FunctionExpression: declareFunction,
      ArrowFunctionExpression: declareFunction,
      CatchClause: (node) => declare(node, node.param),
      ClassExpression: (node) => declare(node, node.id),
      ClassDeclaration: declareId,
      TSDeclareFunction: declareId,
      TSEnumDeclaration: declareId,
      TSImportEqualsDeclaration: declareId,
      TSModuleDeclaration: declareId,
    },
  };
}

function unknown(): undefined {}

/** The nearest node around it of a type that has names of its own. */
function scopeOf(node: Node, types: ReadonlySet<string>): Node {
  let scope = node.parent;
  while (scope.type !== "Program" && !types.has(scope.type)) scope = scope.parent;
  return scope;
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  "ArrowFunctionExpression",
  "FunctionDeclaration",
  "FunctionExpression",
  "StaticBlock",
  "TSModuleBlock",
]);

const BLOCKS: ReadonlySet<string> = new Set([
  ...FUNCTIONS,
  "BlockStatement",
  "ForInStatement",
  "ForOfStatement",
  "ForStatement",
  "SwitchStatement",
]);

/** A property by its name: `deny`, `"deny"`, or `["deny"]`. */
function memberOf(known: Known | undefined, key: Node, computed: boolean): Known | undefined {
  const name = key.type === "Identifier" && !computed ? key.name : String(key.value);
  const members = known?.members;
  return members && Object.hasOwn(members, name) ? members[name] : undefined;
}
