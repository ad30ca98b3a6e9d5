/** What an editor shows to the users of a client, from TypeScript's own language service: messages, hovers and completions. */
import { assert, assertEquals } from "@std/assert";
import { before, describe, it } from "@std/testing/bdd";
import type ts from "typescript";
import { granted } from "../../support/granted.ts";
import { fileOf, openInEditor } from "./language_service.ts";

const API = `
import { endpoint } from "./mod.ts";
interface Schema<Input, Output = Input> {
  readonly "~standard": { readonly types?: { readonly input: Input; readonly output: Output } };
}
declare const book: Schema<{ id: string; title: string; added: Date }>;
declare const missing: Schema<{ code: "missing" }>;
declare const added: Schema<{ title: string; year?: number }, { title: string; year: number }>;
declare const search: Schema<{ q: string; sort?: "title" | "added"; limit?: unknown }, { q: string; limit: number }>;
declare const identity: Schema<{ authorization: string }>;
export const showBook = endpoint.get("/books/:id", { responses: { 200: { schema: book }, 404: { schema: missing } } });
export const addBook = endpoint.post("/books", { request: { body: added }, responses: { 201: { schema: book } } });
export const searchBooks = endpoint.get("/search", { request: { query: search }, responses: { 200: { schema: book } } });
export const replaceBook = endpoint.put("/books/:id", {
  request: { headers: identity, body: added },
  responses: { 204: {} },
});
export const showFile = endpoint.on(["GET", "HEAD"], "/files/:id", { responses: { 200: { schema: book } } });
export const health = endpoint.get("/health");
`;

const PREAMBLE = `
import { createClient } from "./src/client/mod.ts";
import * as api from "./client_api.ts";
const client = createClient(api);
const shown = await client.showBook({ params: { id: 7 } });
const found = await client.searchBooks({ query: { q: "Emma" } });
const health = await client.health();
const file = await client.showFile({ method: "GET", params: { id: 7 } });
`;

/** The code of a mistake, with ‸ before the place of the error, and the whole text there. */
const MISTAKES: Readonly<Record<string, readonly [string, string]>> = {
  "no argument where params are required": [
    "‸client.showBook();",
    `The 'this' context of type 'Client<typeof import("client_api")>' is not assignable to method's 'this' of type ` +
    `'"Missing argument: { params: … }"'.`,
  ],
  "no argument where several parts are required": [
    "‸client.replaceBook();",
    `The 'this' context of type 'Client<typeof import("client_api")>' is not assignable to method's 'this' of type ` +
    `'"Missing argument: { params: … }" | "Missing argument: { headers: … }" | "Missing argument: { body: … }"'.`,
  ],
  "no argument where a method is required": [
    "‸client.showFile();",
    `The 'this' context of type 'Client<typeof import("client_api")>' is not assignable to method's 'this' of type ` +
    `'"Missing argument: { params: … }" | "Missing argument: { method: … }"'.`,
  ],
  "missing params": [
    "client.showBook(‸{});",
    "Argument of type '{}' is not assignable to parameter of type '{ readonly params: { readonly id: TextValue; }; } & " +
    "CallInit'.\n  Property 'params' is missing in type '{}' but required in type " +
    "'{ readonly params: { readonly id: TextValue; }; }'.",
  ],
  "a misspelt parameter": [
    "client.showBook({ params: { ‸ID: 7 } });",
    "Object literal may only specify known properties, but 'ID' does not exist in type '{ readonly id: TextValue; }'. " +
    "Did you mean to write 'id'?",
  ],
  "a misspelt key of the body": [
    'client.addBook({ body: { ‸titel: "Emma" } });',
    "Object literal may only specify known properties, but 'titel' does not exist in type " +
    "'{ title: string; year?: number; }'. Did you mean to write 'title'?",
  ],
  "a wrong value in the query": [
    'client.searchBooks({ query: { q: "Emma", ‸sort: "size" } });',
    `Type '"size"' is not assignable to type '"title" | "added" | undefined'.`,
  ],
  "a status that is not declared": [
    "if (‸shown.status === 418) throw shown;",
    "This comparison appears to be unintentional because the types '200 | 404' and '418' have no overlap.",
  ],
  "an endpoint that does not exist": [
    "client.‸showBok({ params: { id: 7 } });",
    `Property 'showBok' does not exist on type 'Client<typeof import("client_api")>'. Did you mean 'showBook'?`,
  ],
  "an answer that is not told apart by its status": [
    "shown.body.‸title;",
    "Property 'title' does not exist on type '{ id: string; title: string; added: string; } | { code: \"missing\"; }'.\n" +
    "  Property 'title' does not exist on type '{ code: \"missing\"; }'.",
  ],
};

/** The hover at the first place of a text in the preamble, in one line. */
const HOVERS: Readonly<Record<string, string>> = {
  "client =": "const client: Client<typeof api>",
  "showBook({": "(property) showBook: (options: { readonly params: { readonly id: TextValue; }; } & CallInit) => " +
    'Promise<Received<200, { id: string; title: string; added: string; }> | Received<404, { code: "missing"; }>> (+1 overload)',
  "searchBooks({": "(property) searchBooks: (options: { readonly query: { readonly q: TextValue; " +
    'readonly sort?: "title" | "added" | undefined; readonly limit?: TextValue | readonly TextValue[] | undefined; }; } & CallInit) => ' +
    "Promise<Received<200, { id: string; title: string; added: string; }>> (+1 overload)",
  "showFile({": '(property) showFile: <"GET">(options: { readonly method: "GET"; } & { readonly params: ' +
    "{ readonly id: TextValue; }; } & CallInit) => Promise<Received<200, { id: string; title: string; added: string; }>> (+1 overload)",
  "health()": "(property) health: (options?: CallInit | undefined) => Promise<Response>",
  "shown =":
    'const shown: Received<200, { id: string; title: string; added: string; }> | Received<404, { code: "missing"; }>',
};

/** Declarations, with ‸ where somebody types, and what an editor must then complete. */
const DECLARATIONS: Readonly<Record<string, readonly string[]>> = {
  'route.get("/x", { ‸ })': ["request", "responses", "guards", "resolve"],
  "route.on(api.showBook, { ‸ })": ["guards", "resolve"],
  'route.post("/x", { request: { ‸ } })': ["params", "query", "body", "bodyReader"],
  'route.get("/x", { responses: { 200: { ‸ } } })': ["schema", "description", "contentType", "headers"],
  'endpoint.get("/x", { responses: { "4XX": { ‸ } } })': ["schema", "description", "contentType", "headers"],
};

(granted("env", "read") ? describe : describe.skip)("an editor, at a client", () => {
  const names = Object.keys(MISTAKES);
  const files = new Map([
    [fileOf("client_api.ts"), API],
    [fileOf("client_right.ts"), PREAMBLE],
    [fileOf("client_completion.ts"), `${PREAMBLE}client.`],
    ...Object.keys(DECLARATIONS).map((code, index): [string, string] => [
      fileOf(`declaration${index}.ts`),
      `import { endpoint, route } from "./mod.ts";\nimport * as api from "./client_api.ts";\n${code.replace("‸", "")}`,
    ]),
    ...names.map((name, index): [string, string] => [
      fileOf(`client_mistake${index}.ts`),
      `${PREAMBLE}${MISTAKES[name]?.[0].replace("‸", "")}`,
    ]),
  ]);
  let service: ts.LanguageService;
  let typescript: typeof ts;
  before(async () => {
    ({ service, typescript } = await openInEditor([...files.keys()], (name) => files.get(name)));
  });

  for (const [index, name] of names.entries()) {
    it(`reports where the mistake is, and says what is wrong: ${name}`, () => {
      const [code = "", expected] = MISTAKES[name] ?? [];
      const file = fileOf(`client_mistake${index}.ts`);
      const errors = service.getSemanticDiagnostics(file);
      assertEquals(errors.length, 1);
      const [{ start, messageText } = { start: -1, messageText: "" }] = errors;
      assertEquals(files.get(file)?.slice(start), code.slice(code.indexOf("‸") + 1));
      const text = typescript.flattenDiagnosticMessageText(messageText, "\n");
      assertEquals(text.replace(/import\(".*?client_api"\)/, 'import("client_api")'), expected);
    });
  }

  for (const [text, expected] of Object.entries(HOVERS)) {
    it(`shows the parts and the responses, and no types of schemas, at ${text}`, () => {
      const file = fileOf("client_right.ts");
      assertEquals(service.getSemanticDiagnostics(file), []);
      const info = service.getQuickInfoAtPosition(file, PREAMBLE.indexOf(text));
      assertEquals(typescript.displayPartsToString(info?.displayParts).replace(/\s+/g, " "), expected);
    });
  }

  it("completes the names of the endpoints", () => {
    const file = fileOf("client_completion.ts");
    const completions = service.getCompletionsAtPosition(file, files.get(file)?.length ?? 0, {});
    const completed = completions?.entries.map(({ name }) => name) ?? [];
    for (const name of ["showBook", "addBook", "searchBooks", "replaceBook", "showFile", "health"]) {
      assert(completed.includes(name));
    }
  });

  for (const [index, [code, expected]] of Object.entries(DECLARATIONS).entries()) {
    it(`completes the options of ${code}`, () => {
      const file = fileOf(`declaration${index}.ts`);
      const end = (files.get(file)?.length ?? 0) - code.length + code.indexOf("‸") + 1;
      const completed = service.getCompletionsAtPosition(file, end, {})?.entries.map(({ name }) => name) ?? [];
      for (const name of expected) assert(completed.includes(name), `${name} is not among ${completed.slice(0, 9)}`);
    });
  }
});
