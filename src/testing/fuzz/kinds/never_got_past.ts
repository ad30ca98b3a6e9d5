import type { Operation } from "../operations.ts";
import { FIRST, type Seen } from "../past.ts";
import type { KindOfEndpoint } from "./kind.ts";

/** An endpoint that has not been tested: `[]` says nothing about it. */
export const neverGotPast: KindOfEndpoint<"never got past 4xx"> = {
  kind: "never got past 4xx",
  meaning:
    "At least 20 requests that the schemas accept were sent, and all got a 4xx. So the code that runs after a request is accepted is not tested.",
  shownBy: "endpoint",
  judge(operation, { statuses }, hasActors) {
    if (!maySucceed(operation)) return undefined;
    // A request that is sent to be refused says nothing, unless there are no others.
    const isValid = [...statuses.values()].some(({ accepted }) => accepted > 0);
    const counted = Array.from(
      statuses,
      ([status, seen]) => ({ status, seen, count: isValid ? seen.accepted : seen.count }),
    )
      .filter(({ count }) => count > 0).toSorted((one, other) => other.count - one.count);
    const count = counted.reduce((sum, each) => sum + each.count, 0);
    const refusals = counted.filter(({ status }) => status !== 404);
    const [most] = refusals;
    // Which things are there is a matter of luck: a conflict says less than another refusal.
    const fewest = most?.status === 409 ? ENOUGH : ENOUGH / 2;
    const isSeldom = refusals.reduce((sum, each) => sum + each.count, 0) < fewest;
    if (
      count < ENOUGH || isSeldom || most === undefined || counted.some(({ status }) => status < 400 || status > 499)
    ) {
      return undefined;
    }
    // Who has no credentials is not meant to be let in. Who has is told so by another kind.
    if (refusals.some(({ status }) => status === 401 || status === 403) && !hasActors) return undefined;
    if (most.status === 401 || most.status === 403 || most.status === 426) return undefined;
    // What is looked at first has let the requests pass that found nothing.
    const hasPassed = refusals.length < counted.length && refusals.every(({ status }) => FIRST.has(status));
    if (hasPassed) return undefined;
    const listed = counted.map((each) => `${each.status} (${each.count})`).join(", ");
    return {
      what: `never got past ${most.status}: ${reasonOf(most.seen)}. ${count} requests got ${listed}: ${
        isValid ? REMEDY : NO_VALUES
      }`,
      request: most.seen.request,
      result: most.seen.result,
    };
  },
};

const ENOUGH = 20;

const REMEDY =
  "declare what else the endpoint needs in the schemas of its request, name the source of a value in the option links, or put the endpoint into skip";

const NO_VALUES =
  "no generated value fits the schemas of its request: add examples to them, or put the endpoint into skip";

/** Whether the endpoint declares a response that is no refusal, or nothing. */
function maySucceed({ expectation: { responses } }: Operation): boolean {
  return responses === undefined || Object.keys(responses).some((status) => !/^[45]/.test(status));
}

/** What the first refusal said. */
function reasonOf({ result: { text }, request: { reasons } }: Seen): string {
  const said = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return [said === "" ? "the response has no body" : said, ...reasons].join("; ");
}
