/** What every contender's application is made of. Its parts cost next to nothing: the framework around them is measured. */

import { z } from "./dependencies.ts";

/** The body of `POST /books`. */
export const newBook = z.object({
  title: z.string().min(1).max(500),
  authorId: z.string().min(1),
  year: z.number().int(),
  tags: z.array(z.string()),
});

/** The largest body where there is a bound, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

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

/** When a request arrived. */
export function now(): number {
  return ++ticks;
}

/** Requests by status, and how long they took. */
export const metrics = { requests: 0, failures: 0, ticks: 0 };

/** Takes down one answer: what `onResponse` is for in the benchmark. */
export function record(status: number, since: number): void {
  metrics.requests++;
  if (status >= 400) metrics.failures++;
  metrics.ticks += ticks - since;
}

/** Looks something up, as from a database that answers at once. */
export async function findTitle(id: string): Promise<string> {
  return await Promise.resolve(`Title of ${id}`);
}
