/** Clients that other projects generate of a document: they compile, and say to the app what its endpoints say. */
import { assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import type { OpenApiVersion } from "../../../src/openapi/mod.ts";
import { granted } from "../../support/granted.ts";
import { findProgram, run } from "../runtimes/programs.ts";
import { HEY_API, OPENAPI_FETCH, ORVAL, PRINTED, STREAMED } from "./programs.ts";
import { documentOf, shelf } from "./shelf.ts";

/** The generators need this version of Node.js. */
const NODE = "node@22.23.3";
const PACKAGES = [
  "@hey-api/openapi-ts@0.99.0",
  "orval@8.38.0",
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  "typescript@5.9.3",
  "@types/node@22",
];

/** openapi-typescript makes a string of a file, unless it is told otherwise. */
const OPENAPI_TYPESCRIPT = `
import { readFileSync, writeFileSync } from "node:fs";
import openapiTypescript, { astToString } from "openapi-typescript";
import ts from "typescript";
const transform = ({ format }) => format === "binary" ? ts.factory.createTypeReferenceNode("Blob") : undefined;
const types = await openapiTypescript(JSON.parse(readFileSync("document.json", "utf8")), { transform });
writeFileSync("types.ts", astToString(types));
`;

/** Of the two media types of a form, orval takes neither, unless it is told which. */
const ORVAL_CONFIG = `
const contentType = { include: ["application/x-www-form-urlencoded", "application/problem+json"] };
const baseUrl = { getBaseUrlFromSpecification: true };
const output = { target: "orval.ts", client: "fetch", baseUrl, override: { operations: { signIn: { contentType } } } };
export default { shelf: { input: "document.json", output } };
`;

/** Compiles a program with the client that it imports. */
const COMPILER_OPTIONS = {
  module: "commonjs",
  moduleResolution: "node10",
  esModuleInterop: true,
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable"],
  types: [],
  strict: true,
  skipLibCheck: true,
  outDir: "out",
};

(granted("net", "read", "run", "write") ? describe : describe.skip)("a client that is generated of a document", () => {
  let directory = "";
  let node = "";
  let url = "";
  // `server.shutdown()` would wait for connections that a client keeps.
  const stopped = new AbortController();
  before(async () => {
    const options = { hostname: "127.0.0.1", port: 0, onListen() {}, signal: stopped.signal };
    const { addr } = Deno.serve(options, (request) => shelf.fetch(request));
    url = `http://127.0.0.1:${addr.port}`;
    directory = await Deno.makeTempDir();
    node = await findProgram(NODE, "node");
    await Deno.writeTextFile(`${directory}/package.json`, '{"private":true}');
    const flags = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];
    await run("npm", ["install", ...flags, ...PACKAGES], directory);
  });
  after(async () => {
    stopped.abort();
    await Deno.remove(directory, { recursive: true });
  });

  for (const version of ["3.1.0", "3.2.0"] as const satisfies readonly OpenApiVersion[]) {
    describe(`of OpenAPI ${version}`, () => {
      const project = () => `${directory}/${version}`;
      before(async () => {
        const files: Readonly<Record<string, string>> = {
          "tsconfig.json": JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ["*.ts", "hey"] }),
          "document.json": JSON.stringify(documentOf(version, url)),
          "orval.config.mjs": ORVAL_CONFIG,
          "openapi_typescript.mjs": OPENAPI_TYPESCRIPT,
          "call_hey.ts": HEY_API,
          "call_orval.ts": ORVAL,
          "call_fetch.ts": OPENAPI_FETCH.replace("BASE_URL", url),
        };
        await Deno.mkdir(project());
        for (const [file, text] of Object.entries(files)) await Deno.writeTextFile(`${project()}/${file}`, text);
        const installed = `${directory}/node_modules`;
        await run(node, [`${installed}/@hey-api/openapi-ts/bin/run.js`, "-i", "document.json", "-o", "hey"], project());
        await run(node, [`${installed}/.bin/orval`, "--config", "orval.config.mjs"], project());
        await run(node, ["openapi_typescript.mjs"], project());
        await run(node, [`${installed}/typescript/bin/tsc`], project());
      });

      const outcomeOf = async (program: string) => JSON.parse(await run(node, [`out/${program}.js`], project()));

      it("receives by @hey-api/openapi-ts what the app sends: files, errors, lists in the query, streams", async () => {
        assertEquals(await outcomeOf("call_hey"), { ...PRINTED, ...STREAMED });
      });

      it("receives by orval what the app sends, streams excepted", async () => {
        assertEquals(await outcomeOf("call_orval"), PRINTED);
      });

      it("receives by openapi-typescript what the app sends, events excepted", async () => {
        const { stock: _, ...streamed } = STREAMED;
        assertEquals(await outcomeOf("call_fetch"), { ...PRINTED, ...streamed });
      });
    });
  }
});
