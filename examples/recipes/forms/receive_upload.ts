import { type Answer, type Reply, reply } from "@fw/core";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { createBudget, type Limits } from "./budget.ts";
import type { Client } from "./client_of.ts";

/** How many uploads may arrive at once. Each has a file open. */
const ARRIVING: Limits = { total: 200, perAddress: 60, perConnection: 8 };

/** A place for a file that arrives. */
export interface Place {
  /** A new name for the file. A name that the client chooses could lead out of the directory. */
  readonly id: string;
  /** Where the file is written to: there is none yet. */
  readonly path: string;
}

/** The response to one upload too many, from all clients or from this one. */
export type Busy = Reply<Answer<503, { readonly error: string }>>;

/**
 * Creates a function that gives a place to an upload while it arrives.
 *
 * Its last argument, `receive`, writes the file to `path`, and moves it to where it stays. A file that is still at `path`
 * afterwards is removed, as it is when anything fails. What uploads have left in the directory that a crash cut off is
 * removed now, so no other process may receive uploads there.
 *
 * @param directory Where the files are while they arrive, with the extension `.part`. It is created if need be.
 */
export function createUploads(directory: string) {
  removeParts(directory);
  const places = createBudget(ARRIVING);
  return async <Sent extends Response>(
    client: Client,
    receive: (place: Place) => Promise<Sent>,
  ): Promise<Sent | Busy> => {
    const place = places(1, client);
    if (place === undefined) return reply(503, { error: "Too many uploads" }, { headers: { "retry-after": "5" } });
    const id = crypto.randomUUID();
    const path = `${directory}/${id}.part`;
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      return await receive({ id, path });
    } finally {
      await rm(path, { force: true }).finally(() => place[Symbol.dispose]());
    }
  };
}

/** Does nothing without the permission to read the directory, so that Deno does not prompt. */
function removeParts(directory: string): void {
  const { state } = globalThis.Deno?.permissions.querySync({ name: "read", path: directory }) ?? { state: "granted" };
  if (state !== "granted" || !existsSync(directory)) return;
  for (const name of readdirSync(directory)) {
    if (PART.test(name)) rmSync(`${directory}/${name}`, { force: true });
  }
}

const PART = /^[\da-f-]{36}\.part$/;
