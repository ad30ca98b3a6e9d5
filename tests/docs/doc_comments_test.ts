/**
 * Runs the code in doc comments without `--doc`, so that plain `deno test` runs it too. `deno task test`, which has the
 * flag, also checks its types.
 */
import { assert } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import * as sources from "./sources.ts";

// Code in a `blob:` module may import what is loaded already. Reading anything else needs a permission.
import "@fw/core";
import "@fw/core/body";
import "@fw/core/client";
import "@fw/core/compatible";
import "@fw/core/events";
import "@fw/core/files";
import "@fw/core/hooks";
import "@fw/core/idempotency";
import "@fw/core/lint";
import "@fw/core/memory";
import "@fw/core/openapi";
import "@fw/core/postgres";
import "@fw/core/rate-limit";
import "@fw/core/redis";
import "@fw/core/session";
import "@fw/core/sqlite";
import "@fw/core/standard-schema";
import "@fw/core/testing";
import "@fw/core/tools";
import "@valibot/to-json-schema";
import "arktype";
import "valibot";
import "zod";

for (const [file, source] of Object.entries<string>(sources)) {
  describe(`the code in doc comments of ${file}`, () => {
    const samples = [...samplesOf(source)];
    it("is there", () => assert(samples.length > 0, `Delete the line of ${file} in tests/docs/sources.ts`));
    for (const { line, code } of samples) it(`runs: line ${line}`, () => run(code));
  });
}

/** The code between fences in the comments of a module, and the line where it begins. */
function* samplesOf(source: string): Generator<{ readonly line: number; readonly code: string }> {
  for (const { index, 1: lines = "" } of source.matchAll(/^ *\* ```ts\n([^]*?)^ *\* ```$/gm)) {
    yield { line: source.slice(0, index).split("\n").length + 1, code: lines.replace(/^ *\* ?/gm, "") };
  }
}

async function run(code: string): Promise<void> {
  const url = URL.createObjectURL(new Blob([code], { type: "application/typescript" }));
  try {
    await import(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}
