/** What the handlers of every contender are made of. It costs next to nothing: the framework around it is measured. */

import { z } from "zod";

/** A fetch handler. A server may hand it more than the request. */
export type Fetch = (request: Request, ...extra: readonly unknown[]) => Response | Promise<Response>;

/** What a framework serves: the same routes, with the same answers, as every other. */
export interface Apps {
  /** One route of each kind. */
  readonly api: Fetch;
  /** A hook before, two guards that add locals, and a hook behind. */
  readonly hooks: Fetch;
  /** The routes of GitHub's API, and an empty 404. */
  readonly github: Fetch;
}

/** The body of `POST /books`. */
export const newBook = z.object({
  title: z.string().min(1).max(500),
  authorId: z.string().min(1),
  year: z.number().int(),
  tags: z.array(z.string()),
});

/** Somebody who may use the API. */
export interface User {
  readonly name: string;
  readonly role: string;
}

const users = new Map<string | null | undefined, User>([["Bearer ada", { name: "Ada", role: "admin" }]]);

/** The user that an `authorization` header names. */
export function userOf(authorization: string | null | undefined): User | undefined {
  return users.get(authorization);
}

/** What a user may do, if anything. */
export function scopeOf(user: User): string | undefined {
  return user.role === "admin" ? "write" : undefined;
}

let ticks = 0;

/** When a request arrived, by a clock that costs nothing. */
export function now(): number {
  return ++ticks;
}

/** What the hook behind the handler keeps of each response. */
export const metrics = { requests: 0, failures: 0, ticks: 0 };

/** Counts a response. */
export function record(status: number, since: number): void {
  metrics.requests++;
  if (status >= 400) metrics.failures++;
  metrics.ticks += ticks - since;
}

/** Looks up a title, as in a database that answers at once. */
export async function findTitle(id: string): Promise<string> {
  return await Promise.resolve(`Title of ${id}`);
}
