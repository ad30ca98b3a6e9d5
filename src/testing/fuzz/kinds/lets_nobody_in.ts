import type { KindOfEndpoint } from "./kind.ts";

/** An endpoint behind whose guards nothing is tested. */
export const letsNobodyIn: KindOfEndpoint<"lets nobody in"> = {
  kind: "lets nobody in",
  meaning:
    "With `actors`, all of 20 requests or more got 400, 401, 403, 422 or 429: nothing behind the guards is tested.",
  shownBy: "endpoint",
  judge(_, { statuses }, hasActors) {
    const counted = [...statuses].sort(([, one], [, other]) => other.count - one.count);
    const [most] = counted;
    if (!hasActors || most === undefined || counted.some(([status]) => !REFUSALS.has(status))) return undefined;
    const isClosed = most[0] === 401 || most[0] === 403;
    const count = counted.reduce((sum, [, each]) => sum + each.count, 0);
    const accepted = counted.reduce((sum, [, each]) => sum + each.accepted, 0);
    if ((isClosed ? count : accepted) < ENOUGH_REFUSED) return undefined;
    const listed = counted.map(([status, each]) => `${status} (${each.count})`).join(", ");
    const remedy = isClosed
      ? "add an actor whom it lets in, or skip it"
      : "declare what else it needs, such as a header, in the schemas of its request, or skip it";
    return { what: `lets none of ${count} requests in, with ${listed}: ${remedy}`, request: most[1].request };
  },
};

/** Statuses of who is not let in. A thing that is not found, or that conflicts, lies behind the guards. */
const REFUSALS = /* @__PURE__ */ new Set([400, 401, 403, 422, 429]);

/** How many refused requests say that nobody is let in. */
const ENOUGH_REFUSED = 20;
