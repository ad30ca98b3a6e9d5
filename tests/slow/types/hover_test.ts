/** What an editor shows at a name, from TypeScript's own language service. */
import { assert, assertEquals } from "@std/assert";
import { before, describe, it } from "@std/testing/bdd";
import type ts from "typescript";
import { granted } from "../../support/granted.ts";
import { fileOf, openInEditor } from "./language_service.ts";

const PROGRAM = `
import { allow, type Context, deny, endpoint, reply, route, setup } from "./mod.ts";
interface Schema<T> { readonly "~standard": { readonly types?: { readonly input: T; readonly output: T } } }
declare const book: Schema<{ id: string }>;
declare const missing: Schema<{ code: "missing" }>;
const authenticated = (c: Context) => c.request.headers.has("x") ? allow({ user: "ada" }) : deny(new Response());
const hello = route.get("/hello/:name", { resolve: (c) => new Response(c.raw.params.name) });
const guarded = route.post("/a/:id", { guards: [authenticated], resolve: (context) => new Response(context.locals.user) });
const orgs = route.with({ prefix: "/orgs/:orgId", guards: [authenticated] });
const app = setup({ handlers: [hello, guarded] });
const shown = endpoint.get("/books/:id", { responses: { 200: { schema: book }, 404: { schema: missing } } });
const gone = () => reply(404, { code: "missing" });
`;

(granted("env", "read") ? describe : describe.skip)("the hover in an editor", () => {
  const file = fileOf("hover.ts");
  let service: ts.LanguageService;
  let toText: typeof ts.displayPartsToString;
  before(async () => {
    const opened = await openInEditor([file], (name) => name === file ? PROGRAM : undefined);
    service = opened.service;
    toText = opened.typescript.displayPartsToString;
    assertEquals(service.getSemanticDiagnostics(file).map(({ messageText }) => messageText), []);
  });

  /** What the hover shows at the first place of `text`, in one line: the type, then the documentation. */
  function hover(text: string): [string, string] {
    const info = service.getQuickInfoAtPosition(file, PROGRAM.indexOf(text));
    return [
      toText(info?.displayParts).replace(/\s+/g, " "),
      toText(info?.documentation),
    ];
  }

  it("shows the type of a route, with what it needs from others and nothing else", () => {
    assertEquals(hover("hello =")[0], "const hello: Route<NoLocals, []>");
    assertEquals(hover("guarded =")[0], "const guarded: Route<NoLocals, []>");
  });

  it("shows an app whose routes need nothing as such", () => {
    assertEquals(hover("app =")[0], "const app: App<[], never>");
  });

  it("shows an endpoint with its responses, and a reply with its own", () => {
    assertEquals(
      hover("shown =")[0],
      'const shown: TypedEndpoint<"GET", "/books/:id", {}, Answer<200, { id: string; }, AsJson> | Answer<404, { code: "missing"; }, AsJson>>',
    );
    assertEquals(hover("gone =")[0], 'const gone: () => Reply<Answer<404, { readonly code: "missing"; }, AsJson>>');
  });

  it("shows the keys of locals and params", () => {
    assert(hover("context)")[0].startsWith("(parameter) context: Context<{ user: string; }, { readonly id: string; }"));
    assert(hover("locals.user")[0].endsWith(".locals: { user: string; }"));
  });

  it("shows what a scope gives to its routes", () => {
    const [type] = hover("orgs =");
    assert(type.startsWith('const orgs: RouteFactory<{ readonly prefix: "/orgs/:orgId"; '), type);
    assert(type.includes("readonly added: { user: string; };"), type);
  });

  it("shows that HEAD is a method of its own", () => {
    assert(hover("get(")[1].includes("HEAD is a method of its own"), hover("get(")[1]);
  });
});
