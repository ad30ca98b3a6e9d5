/** What an editor offers where a route or a reply is written, from TypeScript's own language service. */
import { assertEquals } from "@std/assert";
import { before, describe, it } from "@std/testing/bdd";
import type ts from "typescript";
import { granted } from "../../support/granted.ts";
import { fileOf, openInEditor } from "./language_service.ts";

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

(granted("env", "read") ? describe : describe.skip)("what an editor offers", () => {
  const file = fileOf("completions.ts");
  let text = PREAMBLE;
  let service: ts.LanguageService;
  before(async () => {
    ({ service } = await openInEditor([file], (name) => name === file ? text : undefined));
  });

  /** The names that are offered at the mark: literals if there are any, else keys. */
  function offered(code: string): readonly string[] {
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
