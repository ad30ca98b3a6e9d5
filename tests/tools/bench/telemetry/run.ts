/**
 * What telemetry adds to a request on Node.js, ours beside that of Hono and of Elysia, without an SDK and with one whose
 * spans go nowhere. In process; the contenders take turns. In a minute.
 *
 * Usage: deno task bench telemetry [--node=22]. On Node.js 20, the telemetry of Elysia does not run.
 */
import { bundle, findProgram, run } from "../../../slow/runtimes/programs.ts";
import { install } from "../install.ts";
import type { Added } from "./measure.ts";

const PACKAGES = [
  "hono@4",
  "@hono/otel@1",
  "elysia@1",
  "@elysiajs/opentelemetry@1",
  "@opentelemetry/api@1",
  "@opentelemetry/sdk-trace@3",
  "@opentelemetry/context-async-hooks@3",
];

const [, version = "24"] = /--node=(\d+)/.exec(Deno.args.join(" ")) ?? [];
const place = await Deno.realPath(await Deno.makeTempDir());
try {
  await install(PACKAGES, place);
  const program = await bundle("tests/tools/bench/telemetry/measure.ts", place);
  const node = await findProgram(`node@${version}`, "node");
  console.log(`Node.js ${(await run(node, ["--version"])).trim()}, microseconds of the processor for a request`);
  for (const mode of ["none", "sdk"]) {
    const results: readonly Added[] = JSON.parse(await run(node, [program, mode], place));
    console.log(mode === "sdk" ? "With an SDK:" : "Without an SDK:");
    console.table(Object.fromEntries(results.map(({ framework, plain, added }) => [framework, {
      "without telemetry": plain.toFixed(2),
      "telemetry adds": added.toFixed(2),
    }])));
  }
} finally {
  await Deno.remove(place, { recursive: true });
}
