import { exportsOf, GUARD, type Known } from "./exports.ts";
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
  /** What the functions of the file return. */
  const returned = new Map<Node, Node[]>();
  /** What is known of functions, classes and objects: each is read once. */
  const read = new Map<Node, Known | undefined>();

  /** Declares the names of a pattern; `known` says what the whole value is. */
  function declare(scope: Node, pattern: Node | null | undefined, known: () => Known | undefined = unknown): void {
    switch (pattern?.type) {
      case "Identifier": {
        const names = scopes.get(scope) ?? new Map();
        scopes.set(scope, names.set(pattern.name, () => known() ?? typeOf(pattern.typeAnnotation)));
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
        case "ConditionalExpression":
          return knownOf(node.consequent) ?? knownOf(node.alternate);
        case "LogicalExpression":
          return knownOf(node.right) ?? knownOf(node.left);
        case "NewExpression":
          return knownOf(node.callee)?.constructs;
        case "ThisExpression":
          return knownOf(classAround(node))?.constructs;
        case "ArrowFunctionExpression":
        case "FunctionDeclaration":
        case "FunctionExpression":
          return once(node, functionOf);
        case "ClassDeclaration":
        case "ClassExpression":
          return once(node, classOf);
        case "ObjectExpression":
          return once(node, ({ properties }) => ({ members: membersOf(properties) }));
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

  function once(node: Node, read_: (node: Node) => Known | undefined): Known | undefined {
    if (!read.has(node)) read.set(node, read_(node));
    return read.get(node);
  }

  /** A function that returns a result is a guard. Of another one that returns a call, a call of it is that call. */
  function functionOf(node: Node): Known | undefined {
    if (node.generator) return undefined;
    const values = node.body.type === "BlockStatement" ? returned.get(node) ?? [] : [node.body];
    if (typeOf(node.returnType)?.isResult) return GUARD;
    if (node.body.type === "CallExpression") return knownOf(node.body.callee);
    const known = values.map(knownOf);
    if (known.some((value) => value?.isResult)) return GUARD;
    const returns = known.find((value) => value !== undefined);
    return returns && { returns };
  }

  function classOf(node: Node): Known {
    const parts: readonly Node[] = node.body.body;
    return {
      members: membersOf(parts.filter((part) => part.static)),
      constructs: { members: membersOf(parts.filter((part) => !part.static)) },
    };
  }

  /** What is known of methods and properties, by name. */
  function membersOf(parts: readonly Node[]): Readonly<Record<string, Known>> {
    const members: Record<string, Known> = Object.create(null);
    for (const { key, value, computed, kind } of parts) {
      const known = key && !computed && kind !== "get" ? knownOf(value as Node) : undefined;
      if (known) members[key.type === "Identifier" ? key.name : String(key.value)] = known;
    }
    return members;
  }

  /** What a type of the package says of a value, also in a promise. */
  function typeOf(annotation: Node | undefined): Known | undefined {
    const type = annotation?.type === "TSTypeAnnotation" ? annotation.typeAnnotation : annotation;
    if (type?.typeName?.type !== "Identifier") return undefined;
    return type.typeName.name === "Promise" ? typeOf(type.typeArguments?.params[0]) : lookUp(type.typeName);
  }

  const declareId = (node: Node) => declare(scopeOf(node, BLOCKS), node.id);
  const declareClass = (node: Node) => {
    declare(node.type === "ClassDeclaration" ? scopeOf(node, BLOCKS) : node, node.id, () => knownOf(node));
  };
  const declareFunction = (node: Node) => {
    const scope = node.type === "FunctionDeclaration" ? scopeOf(node, BLOCKS) : node;
    declare(scope, node.id, () => knownOf(node));
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
      ReturnStatement(node) {
        const around = scopeOf(node, FUNCTIONS);
        returned.set(around, [...returned.get(around) ?? [], node.argument]);
      },
      ClassExpression: declareClass,
      ClassDeclaration: declareClass,
      TSDeclareFunction: declareId,
      TSEnumDeclaration: declareId,
      TSImportEqualsDeclaration: declareId,
      TSModuleDeclaration: declareId,
    },
  };
}

function unknown(): undefined {}

function classAround(node: Node): Node | null {
  let around: Node | null = node.parent;
  while (around && !/^Class(?:Declaration|Expression)$/.test(around.type)) around = around.parent;
  return around;
}

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
