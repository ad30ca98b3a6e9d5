import type { Node } from "./syntax.ts";

/**
 * Whether nothing receives the value of an expression: it is a statement, or only tested.
 *
 * @param node The expression. Its value counts as true, so `&&` always goes on to the right.
 * @returns `false` where the value is returned, assigned, passed or read.
 */
export function isDropped(node: Node): boolean {
  const { parent } = node;
  switch (parent.type) {
    case "ExpressionStatement":
    case "UnaryExpression":
    case "IfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
    case "ForStatement":
      return true;
    case "LogicalExpression":
      return parent.operator === "&&" && parent.left === node || isDropped(parent);
    case "ConditionalExpression":
      return parent.test === node || isDropped(parent);
    case "SequenceExpression":
      return parent.expressions.at(-1) !== node || isDropped(parent);
    case "AwaitExpression":
    case "ChainExpression":
    case "TSAsExpression":
    case "TSNonNullExpression":
    case "TSSatisfiesExpression":
    case "TSTypeAssertion":
      return isDropped(parent);
    default:
      return false;
  }
}
