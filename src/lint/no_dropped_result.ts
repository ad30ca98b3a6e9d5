import { createBindings } from "./bindings.ts";
import { isDropped } from "./is_dropped.ts";
import type { LintContext, LintRule, LintVisitor, Node, Visitor } from "./syntax.ts";

/** Reports calls of the package whose result nothing receives. */
export const noDroppedResult: LintRule = {
  create(context: LintContext): LintVisitor {
    const { visitor, knownOf } = createBindings();
    const dropped: Node[] = [];
    const rule: Visitor = {
      ...visitor,
      CallExpression(node) {
        if (isDropped(node)) dropped.push(node);
      },
      // A function may be declared below the call.
      "Program:exit"() {
        for (const node of dropped) {
          const message = knownOf(node.callee)?.message;
          if (message !== undefined) context.report({ node, message });
        }
      },
    };
    return rule as LintVisitor;
  },
};
