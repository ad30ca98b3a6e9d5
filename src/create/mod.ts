#!/usr/bin/env node
/**
 * A program that writes an app to start from, without questions: one endpoint, a test of it, generated requests, and the
 * page of its API.
 *
 * `npx @fw/core create my-app` writes one for Node.js, `bunx @fw/core create my-app` one for Bun, and
 * `deno run -A jsr:@fw/core/create my-app` one for Deno. `--for=node`, `--for=bun`, `--for=deno` and `--for=workers`
 * name another runtime.
 *
 * @module
 */
import process from "node:process";
import { create } from "./create.ts";

try {
  const { bun, deno } = process.versions;
  console.log(create(process.argv.slice(2), bun !== undefined ? "bun" : deno !== undefined ? "deno" : "node"));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
