import type { Case } from "./cases.ts";

/** A fetch handler. A server may hand it more than the request. */
export type Fetch = (request: Request, ...platform: readonly unknown[]) => Response | Promise<Response>;

/** What a framework serves: the same routes, and the same answers, as every other. */
export interface Apps {
  /** Routes of every kind, one each. */
  readonly api: Fetch;
  /** One hook before, two guards that add locals, one hook behind. */
  readonly hooks: Fetch;
  /** The routes of GitHub's API, where the framework takes them. */
  readonly github?: Fetch;
  /** Reads JSON of no more than {@linkcode MAX_BODY_BYTES}, where the framework can. */
  readonly bounded?: Fetch;
}

/** Somebody who answers the cases. */
export interface Contender {
  readonly name: string;
  /** The fetch handler for a case, or `undefined` to stay out of it. */
  fetchFor(of: Case): Fetch | undefined;
}

/** A framework as a contender. */
export function contend(name: string, apps: Apps): Contender {
  return { name, fetchFor: ({ app }) => apps[app] };
}
