/** What an editor offers where a route or a reply is written, from TypeScript's own language service. */
import { assertEquals } from "@std/assert";
import { before, describe, it } from "@std/testing/bdd";
import { fileURLToPath } from "node:url";
import type ts from "typescript";
import { ROOT } from "../../support/server_process.ts";

const granted = (["env", "read"] as const)
  .every((name) => Deno.permissions.querySync({ name }).state === "granted");

const PREAMBLE = `
import { type Context, deny, endpoint, reply, route } from "./mod.ts";
interface Schema<T> { readonly "~standard": { readonly types?: { readonly input: T; readonly output: T } } }
declare const note: Schema<{ id: string; text: string }>;
const location = { location: { required: true }, etag: {} } as const;
const add = endpoint.post("/notes", { responses: { 201: { schema: note, headers: location }, 404: {}, 409: { schema: note } } });
`;

/** What somebody types, and what is offered at the mark: only the literals, or the keys of an object. */
const OFFERED: Readonly<Record<string, readonly string[]>> = {
  "route.on(add, { resolve: () => reply(‸) });": ["201", "404", "409"],
  'route.on(add, { resolve: () => reply(‸, { id: "", text: "" }) });': ["201", "404", "409"],
  "route.on(add, { resolve: async () => reply(‸) });": ["201", "404", "409"],
  "route.on(add, { resolve: (c) => c.request.body ? reply(404) : reply(‸) });": ["201", "404", "409"],
  'route.get("/", { responses: { 200: { schema: note }, 503: {} }, resolve: () => reply(‸) });': ["200", "503"],
  "route.on(add, { resolve: () => reply(409, { ‸ }) });": ["id", "text"],
  'route.on(add, { resolve: () => reply(201, { id: "", text: "" }, { ‸ }) });': [
    "contentType",
    "headers",
    "statusText",
  ],
  'route.on(add, { resolve: () => reply(201, { id: "", text: "" }, { headers: { ‸ } }) });': [
    '"content-type"',
    "etag",
    "location",
  ],
  'route.get("/", { responses: { 200: { ‸ } }, resolve: () => reply(200) });': [
    "contentType",
    "description",
    "examples",
    "headers",
    "schema",
  ],
  "route.with({ ‸ });": ["docs", "guards", "prefix", "request", "responses"],
};

/** Statuses that are offered where responses are declared, of all that are. */
const STATUSES = ['"200"', '"201"', '"204"', '"401"', '"404"', '"422"', "default"];

(granted ? describe : describe.skip)("what an editor offers", () => {
  const file = fileURLToPath(new URL("completions.ts", ROOT));
  let text = PREAMBLE;
  let version = 0;
  let service: ts.LanguageService;
  before(async () => {
    // Imported here, since the compiler reads the environment on import: without that permission these tests are skipped.
    const { default: ts } = await import("typescript");
    const { OPTIONS } = await import("../../support/typescript_options.ts");
    const read = (name: string) => name === file ? text : ts.sys.readFile(name);
    service = ts.createLanguageService({
      fileExists: (name) => name === file || ts.sys.fileExists(name),
      getCompilationSettings: () => OPTIONS,
      getCurrentDirectory: () => fileURLToPath(ROOT),
      getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
      getScriptFileNames: () => [file],
      getScriptSnapshot(name) {
        const found = read(name);
        return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
      },
      getScriptVersion: (name) => name === file ? `${version}` : "0",
      readFile: read,
    });
  });

  /** The names that are offered at the mark: literals if there are any, else keys. */
  function offered(code: string): readonly string[] {
    version++;
    text = PREAMBLE + code.replace("‸", "");
    const entries = service.getCompletionsAtPosition(file, PREAMBLE.length + code.indexOf("‸"), {})?.entries ?? [];
    const literals = entries.filter(({ kind, name }) => kind === "string" || /^\d+$/.test(name));
    return (literals.length > 0 ? literals : entries).map(({ name }) => name).toSorted();
  }

  for (const [code, names] of Object.entries(OFFERED)) {
    it(`is ${names.join(", ")}: ${code}`, () => assertEquals(offered(code), names));
  }

  for (
    const code of [
      'route.get("/", { responses: { ‸ }, resolve: () => reply(200) });',
      'endpoint.get("/", { responses: { ‸ } });',
    ]
  ) {
    it(`is statuses: ${code}`, () => {
      const names = offered(code);
      assertEquals(STATUSES.filter((status) => !names.includes(status)), []);
      assertEquals(names.filter((name) => !/^("\d{3}"|default)$/.test(name)), []);
    });
  }
});
