import type { Node } from "./syntax.ts";

/**
 * Whether nothing receives the value of an expression: it is a statement, only tested, or what a callback of a promise
 * returns that nothing receives.
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
    case "SwitchStatement":
    case "SwitchCase":
      return true;
    case "LogicalExpression":
      return parent.operator === "&&" && parent.left === node || isDropped(parent);
    case "ConditionalExpression":
      return parent.test === node || isDropped(parent);
    case "SequenceExpression":
      return parent.expressions.at(-1) !== node || isDropped(parent);
    case "ArrowFunctionExpression":
      return isDroppedCallback(parent);
    case "MemberExpression":
      return parent.object === node && isDroppedBy(parent);
    case "CallExpression":
      return isPassedOn(parent) && isDropped(parent);
    case "ArrayExpression":
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

/** Whether a function is a callback such as that of `.then`, and the promise that this makes is dropped. */
function isDroppedCallback(callback: Node): boolean {
  const { parent } = callback;
  return parent.type === "CallExpression" && parent.callee.type === "MemberExpression" &&
    /^(?:then|catch)$/.test(parent.callee.property.name) && isDropped(parent);
}

/** Whether a method of a promise drops what the promise resolves to: its callback takes no parameter. */
function isDroppedBy(method: Node): boolean {
  const { parent: call } = method;
  if (call.type !== "CallExpression" || call.callee !== method) return false;
  const { name } = method.property;
  if (name === "then") {
    return /^(?:Arrow)?Function/.test(call.arguments[0]?.type ?? "") && !call.arguments[0]?.params.length;
  }
  return /^(?:catch|finally)$/.test(name) && isDropped(call);
}

/** Whether a call returns what it is given in a list: `Promise.all([…])`. */
function isPassedOn({ callee }: Node): boolean {
  return callee.type === "MemberExpression" && callee.object.name === "Promise" &&
    /^(?:all|allSettled|any|race)$/.test(callee.property.name);
}
