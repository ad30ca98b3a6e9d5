import type { KindOfEndpoint } from "./kind.ts";

/** An endpoint behind whose guards nothing is tested. */
export const letsNobodyIn: KindOfEndpoint<"lets nobody in"> = {
  kind: "lets nobody in",
  meaning:
    "With `actors`, at least 20 requests were sent and all were rejected, most with 401 or 403. So the code behind the guards is not tested.",
  shownBy: "endpoint",
  judge(_, { statuses }, hasActors) {
    const counted = [...statuses].toSorted(([, one], [, other]) => other.count - one.count);
    const [most] = counted;
    if (!hasActors || most === undefined || counted.some(([status]) => !REFUSALS.has(status))) return undefined;
    const count = counted.reduce((sum, [, each]) => sum + each.count, 0);
    if (most[0] !== 401 && most[0] !== 403 || count < ENOUGH) return undefined;
    const listed = counted.map(([status, each]) => `${status} (${each.count})`).join(", ");
    return {
      what:
        `lets none of ${count} requests in, with ${listed}: add an actor whom it lets in, or put the endpoint into skip`,
      request: most[1].request,
      result: most[1].result,
    };
  },
};

/** Statuses of who is not let in. A thing that is not found, or that conflicts, lies behind the guards. */
const REFUSALS = /* @__PURE__ */ new Set([400, 401, 403, 422, 429]);

const ENOUGH = 20;
