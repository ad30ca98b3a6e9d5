/** Mistakes that newcomers make: where TypeScript reports each, and what it prints there. */
import { assert, assertEquals } from "@std/assert";

/** What the mistakes import and share. */
export const PREAMBLE = `
import { allow, beforeBody, type Context, deny, denyInvalid, endpoint, reply, replyAs, route, setup } from "./mod.ts";
const ok = () => new Response();
const authenticated = (c: Context) => c.request.headers.has("x") ? allow({ user: { role: "admin" } }) : deny(ok());
const adminOnly = (c: Context<{ user: { role: string } }>) => c.locals.user.role === "admin" ? allow() : deny(ok());
const later = async (c: Context) => await Promise.resolve(authenticated(c));
const open = route.with<{ user: { role: string } }>().get("/open", { guards: [adminOnly], resolve: ok });
const plain = route.get("/", { resolve: ok });
const isNumber = (value: unknown): value is { readonly n: number } => typeof value === "object";
const isFile = (value: unknown): value is { readonly file: File } => typeof value === "object";
const isCapital = (value: unknown): value is { readonly "X-Id": string } => typeof value === "object";
const isText = (value: unknown): value is { readonly id: string } => typeof value === "object";
const bookOf = <Key extends string>(key: Key) => (_c: Context) => allow({ book: key });
interface Schema<T> { readonly "~standard": { readonly types?: { readonly input: T; readonly output: T } } }
declare const book: Schema<{ id: string; title: string }>;
declare const missing: Schema<{ code: "missing" }>;
const responses = { 200: { schema: book }, 404: { schema: missing }, 204: {} };
const find = async () => await Promise.resolve({ id: "1", title: "Emma" });
const maybe = async () => await Promise.resolve(Math.random() < 1 ? { id: "1", title: "Emma" } : undefined);
const signedIn = (c: Context) => c.request.headers.has("x") ? allow() : deny(reply(401, { code: "who" }));
const teapot = () => reply(418, { code: "missing" });
declare const text: Schema<string>;
const sent = {
  201: { schema: missing, headers: { location: { required: true } } },
  202: { schema: text, contentType: "text/plain" },
  410: { schema: missing, contentType: "application/problem+json" },
} as const;
const problem = replyAs("application/problem+json");
const secret = { id: "1", title: "Emma", passwordHash: "x" };
class Account { id = ""; title = ""; private hash = "x"; show() { return this.hash; } }
class Hashed { id = ""; title = ""; toJSON() { return { id: this.id, hash: "" }; } }
const leak = () => reply(200, secret);
const asJson = () => reply(410, { code: "missing" });
const bare = () => reply(201, { code: "missing" });
const traced = { location: "/", "x-trace": "1" };
const trace = () => reply(201, { code: "missing" }, { headers: traced });
const showBook = endpoint.get("/books/:id", { responses });
const within = <C,>(_ms: number, handler: (c: C) => Response): (c: C) => Response => handler;
`;

const NOT_AWAITED = "The body is a promise: write await before it";

/** The code of a mistake, with `‸` before the place of the error. Then a part of the text there, as some compiler prints it. */
export const MISTAKES: Readonly<Record<string, readonly [code: string, ...texts: string[]]>> = {
  "a misspelt parameter": [
    'route.get("/:id", { resolve: (c) => new Response(c.raw.params.‸ID) });',
    "Did you mean 'id'?",
  ],
  "guards in the wrong order": [
    'route.get("/", { guards: [‸adminOnly, authenticated], resolve: ok });',
    String.raw`The guard that adds the local \"user\" must come before this one`,
  ],
  "guards of a scope in the wrong order": [
    "route.with({ guards: [‸adminOnly, authenticated] });",
    String.raw`The guard that adds the local \"user\" must come before this one`,
  ],
  "a local that nothing provides": [
    'route.get("/", { guards: [‸adminOnly], resolve: ok });',
    String
      .raw`No guard before this one adds the local \"user\". If onRequest returns it, use route.with<{ user: … }>()`,
  ],
  "a local that onRequest does not return": [
    "‸setup({ handlers: [plain, open] });",
    String.raw`onRequest must return the local \"user\", which route.with<{ user: … }>() promises to its routes`,
  ],
  "a local that onRequest does not return, in the second of two lists": [
    "‸setup({ handlers: [...[plain], ...[open]].slice() });",
    String.raw`onRequest must return the local \"user\"`,
  ],
  "guards that a condition spreads in": [
    'route.get("/", ‸{ ...(Math.random() < 1 ? { guards: [authenticated] as const } : {}), resolve: ok });',
    `Property 'guards' is optional in type`,
    `required in type 'Unconditional<"guards">'`,
  ],
  "guards that may be an empty list": [
    'const parts: { guards?: readonly [typeof authenticated] } = {}; route.get("/", { ‸guards: parts.guards ?? [], resolve: ok });',
    "These guards may be absent: write one list, without a condition",
  ],
  "guards in one branch of a condition": [
    'route.get("/", ‸{ guards: Math.random() < 1 ? [authenticated] : [], resolve: ok });',
    "These guards may be absent: write one list, without a condition",
  ],
  "a schema that a condition spreads in": [
    'route.post("/", ‸{ ...(Math.random() < 1 ? { request: { body: isNumber } } : {}), resolve: ok });',
    `required in type 'Unconditional<"request">'`,
  ],
  "guards whose needs exclude each other": [
    `const [a, b] = [(_c: Context<{ kind: "a" }>) => allow(), (_c: Context<{ kind: "b" }>) => allow()] as const;
route.get("/", { guards: [‸a, b], resolve: ok });`,
    String.raw`No guard before this one adds the local \"kind\"`,
  ],
  "a list of guards whose types are not known": [
    "const unknowns: readonly unknown[] = []; route.with(‸{ guards: unknowns });",
    "What these guards need is not known: give the list the type of its guards, such as GuardFn[]",
  ],
  "a local that no guard adds": [
    'route.get("/", { resolve: (c) => new Response(c.locals.‸user) });',
    `Property 'user' does not exist on type 'NoLocalsUntil<"a guard adds them; put guards that a call returns into constants">'`,
  ],
  "an inline guard that reads a local of the guard before it": [
    'route.get("/", { guards: [authenticated, (c) => c.locals.‸user ? allow() : deny(ok())], resolve: ok });',
    `Property 'user' does not exist on type 'NoLocalsUntil<"the parameter is annotated: (c: Context<{ user: User }>) => …">'`,
  ],
  "another scope than a function takes": [
    `const members = route.with({ guards: [authenticated] });
const notes = (scope: typeof members) => scope.get("/", { resolve: (c) => new Response(c.locals.user.role) });
notes(‸route);`,
    "Property 'user' is missing in type 'NoLocals' but required in type '{ user: { role: string; }; }'",
    "Type 'RootScope' is not assignable to type '{ readonly prefix: ", // TypeScript 5.4
  ],
  "a handler that returns nothing": [
    'route.get("/", { ‸resolve: () => {} });',
    "Type 'void' is not assignable to type 'Response | Promise<Response>'",
    "Type 'void' is not assignable to type 'Promise<Response> | Response'", // TypeScript 7.0
  ],
  "a handler that returns a string": [
    'route.get("/", { resolve: () => ‸"text" });',
    "Type 'string' is not assignable to type 'Response | Promise<Response>'",
    "Type 'string' is not assignable to type 'Promise<Response> | Response'", // TypeScript 7.0
  ],
  "a handler instead of the options": [
    'route.get("/", ‸() => new Response());',
    "Argument of type '() => Response' is not assignable to parameter of type 'RouteOptions<",
  ],
  "a guard that returns a boolean": [
    'route.get("/", { guards: [‸(c) => c.request.url === ""], resolve: ok });',
    "A guard must return allow(), allow(locals) or deny(response), or a promise of it",
  ],
  "a guard that returns nothing on one path": [
    'route.get("/", { guards: [‸(c) => { if (c.request.url) return deny(ok()); }], resolve: ok });',
    "A guard must return allow(), allow(locals) or deny(response), or a promise of it",
  ],
  "a misspelt key in the result of a guard": [
    'route.get("/", { guards: [‸() => ({ allow: true, local: { a: 1 } })], resolve: ok });',
    String.raw`A guard's result has no key \"local\": it may have allow, headers, locals and valid, or deny`,
  ],
  "a guard that does not await another": [
    'route.get("/", { guards: [‸(c) => { const result = later(c); return "deny" in result ? result : allow(); }], resolve: ok });',
    "A guard must await the promise whose result it reads",
  ],
  "a guard that needs valid input, before the body": [
    "beforeBody(‸denyInvalid(ok));",
    "A guard before the body cannot require valid input: nothing has been validated yet",
  ],
  "a guard before the body behind one after it": [
    'route.get("/", { guards: [authenticated, ‸beforeBody(authenticated)], resolve: ok });',
    "Put guards with beforeBody first: those without it run after the body is read",
  ],
  "onRequest that returns a string": [
    'setup({ handlers: [], ‸onRequest: () => "id" });',
    "onRequest must return an object of locals, nothing, or a promise of either",
  ],
  "two routes whose environments exclude each other": [
    `const one = route.get("/1", { resolve: (_c, env: { KV: string }) => new Response(env.KV) });
const two = route.get("/2", { resolve: (_c, env: { KV: number }) => new Response(env.KV.toFixed()) });
setup({ handlers: [‸one, two] });`,
    String
      .raw`Another route declares \"KV\" in an extra argument of app.fetch with a type that excludes the type here: give both the same type`,
  ],
  "a value of input that may be invalid": [
    'route.post("/", { request: { body: isNumber }, resolve: (c) => reply(200, c.input.‸body.n) });',
    `Property 'body' does not exist on type 'InvalidInputUntil<"c.input.ok is checked, or denyInvalid is among the guards; put guards that a call returns into constants">'`,
  ],
  "a value of input that may be invalid, in a guard": [
    "const guard = (c: Context) => allow({ body: c.input.‸body });",
    `Property 'body' does not exist on type 'InvalidInputUntil<"c.input.ok is checked, or denyInvalid is among the guards; put guards that a call returns into constants">'`,
  ],
  "a prefix that ends with a slash": [
    'route.with({ ‸prefix: "/v1/" });',
    String.raw`A prefix must not end with a slash: write \"/v1\"`,
  ],
  "a header that cannot be sent, in a function that routes share": [
    `const shared = (title: string) => reply(410, { code: "missing" }, { contentType: "application/problem+json", headers: { ‸title: {} } });
route.get("/", { responses: sent, resolve: () => shared("") });`,
    "Type '{}' is not assignable to type 'HeaderValue | undefined'",
  ],
  "a header in capital letters": [
    'route.get("/", { request: { ‸headers: isCapital }, resolve: ok });',
    String.raw`Header names are in lower case: write \"x-id\"`,
  ],
  "a number in the query without conversion": [
    'route.get("/", { request: { ‸query: isNumber }, resolve: ok });',
    String.raw`\"n\" of the query arrives as a string, which this schema never accepts: let the schema convert it`,
  ],
  "a file in a body without a reader": [
    'route.post("/", { request: { ‸body: isFile }, resolve: ok });',
    String.raw`\"file\" of the body is a file, which JSON lacks: add bodyReader: form`,
  ],
  "a list in the query, of a library without JSON Schemas": [
    `const query = (value: unknown): value is { readonly ids: string[] } => value !== 1;
route.get("/", { request: { ‸query }, resolve: ok });`,
    String
      .raw`\"ids\" of the query is a list, which setup reads from \"~standard\".jsonSchema, and this schema has none: convert it, as`,
  ],
  "a body schema that accepts undefined": [
    `const body = (value: unknown): value is string | undefined => value !== 1;
route.post("/", { request: { ‸body }, resolve: ok });`,
    "This schema accepts undefined, and the body is required: write bodyReader: optional(json)",
  ],
  "a schema for a parameter that the path lacks": [
    'route.get("/:ID", { request: { ‸params: isText }, resolve: ok });',
    String.raw`The path /:ID has no parameter \"id\"`,
  ],
  "a body with GET": [
    'route.get("/", { request: { ‸body: isNumber }, resolve: ok });',
    "A GET or HEAD request has no body: declare the route for POST, PUT or PATCH, or validate the query",
  ],
  "an unknown option of setup": [
    "setup({ handlers: [], ‸onErorr: ok });",
    String.raw`setup has no option \"onErorr\": did you mean onError?`,
  ],
  "an option of setup that resembles none": [
    "setup({ handlers: [], ‸cors: true });",
    String
      .raw`setup has no option \"cors\": the options are handlers, endpoints, validator, onRequest, onResponse, onError,`,
  ],
  "an endpoint that no route implements": [
    'setup({ ‸endpoints: { showBook, list: endpoint.get("/books") }, handlers: [route.on(showBook, { resolve: () => reply(204) })] });',
    String.raw`No route of handlers implements \"list\"`,
  ],
  "a route without the guard that its endpoint needs": [
    `const member = endpoint.with<{ user: unknown }>().with({ docs: { security: [{ token: [] }] } });
const signOut = member.post("/sign-out", { responses: { 204: {} } });
route.on(‸signOut, { resolve: () => reply(204) });`,
    String.raw`The endpoint demands the local \"user\": list a guard that adds it`,
  ],
  "a local that nothing provides, in a list with a spread": [
    `const [shown, closed] = [showBook, endpoint.get("/closed", { responses })];
const inScope = route.with<{ user: { role: string } }>();
const spread = [route.on(shown, { resolve: () => reply(204) }), inScope.on(closed, { resolve: () => reply(204) })];
‸setup({ handlers: [plain, ...spread] });`,
    String.raw`onRequest must return the local \"user\"`,
  ],
  "a route in place of an endpoint": [
    "route.on(‸open, { resolve: ok });",
    "This is a route, whose guards and handler would be dropped: implement its endpoint",
  ],
  "a status that is not declared": [
    'route.get("/", { responses, resolve: (_c) => reply(‸418, { code: "missing" }) });',
    "Argument of type '418' is not assignable to parameter of type '200 | 204 | 404'",
  ],
  "a misspelt key of a body": [
    'route.get("/", { responses, resolve: (_c) => reply(200, { id: "", ‸titel: "" }) });',
    "'titel' does not exist in type",
  ],
  "a literal that the schema does not have": [
    'route.get("/", { responses, resolve: (_c) => reply(404, { ‸code: "gone" }) });',
    `Type '"gone"' is not assignable to type '"missing"'`,
  ],
  "a body that is not awaited": [
    'route.get("/", { responses, resolve: (_c) => reply(200, ‸find()) });',
    NOT_AWAITED,
  ],
  "a body that is not awaited, which may be undefined": [
    'route.get("/", { responses, resolve: (_c) => { const found = maybe(); return found ? reply(200, ‸found) : reply(204); } });',
    NOT_AWAITED,
  ],
  "a body that is not awaited, in a handler without a parameter": [
    'route.get("/", { responses, resolve: () => ‸reply(200, maybe()) });',
    NOT_AWAITED,
  ],
  "a body that is not awaited, in what a function replies": [
    'const found = () => reply(200, find()); route.get("/", { responses, resolve: (_c) => ‸found() });',
    NOT_AWAITED,
  ],
  "a plain response where responses are declared": [
    'route.get("/", { responses, resolve: () => ‸new Response() });',
    `Property '"return reply(status, body)"' is missing in type 'Response' but required in type 'Replied<`,
  ],
  "a status without its body": [
    'route.get("/", { responses, resolve: (_c) => ‸reply(200) });',
    "This status is not declared, or it is declared with a body or with headers: reply(status, body, { headers })",
  ],
  "a status without its body, where each has one": [
    'route.get("/", { responses: { 200: responses[200] }, resolve: (_c) => ‸reply(200) });',
    "This status is not declared, or it is declared with a body or with headers: reply(status, body, { headers })",
  ],
  "a function that replies with a status that is not declared": [
    'route.get("/", { responses, resolve: (_c) => ‸teapot() });',
    `Types of property '"return reply(status, body)"' are incompatible.\n      Type 'Answer<418, `,
  ],
  "a key that the schema lacks, in a variable": [
    'route.get("/", { responses, resolve: (_c) => reply(200, ‸secret) });',
    String.raw`The schema has no key \"passwordHash\": name the keys to send, or add it to the schema`,
  ],
  "a key that the schema lacks, in what a function replies": [
    'route.get("/", { responses, resolve: () => ‸leak() });',
    `Type '"passwordHash"' is not assignable to type '"id" | "title"'`,
  ],
  "a body of one of several statuses": [
    'route.get("/", { responses, resolve: (_c) => reply(Math.random() < 1 ? 200 : 404, ‸secret) });',
    "This does not fit what is declared for 404: write one call for each",
    "This does not fit what is declared for 200: write one call for each",
  ],
  "a body with a private member": [
    'route.get("/", { responses, resolve: (_c) => reply(200, ‸new Account()) });',
    "The body has private members, which JSON contains: name the keys to send",
  ],
  "a body with a private member, in what a function replies": [
    'const account = () => reply(200, new Account()); route.get("/", { responses, resolve: () => ‸account() });',
    "PrivateMember",
  ],
  "a body whose toJSON returns something else": [
    'route.get("/", { responses, resolve: (_c) => reply(200, ‸new Hashed()) });',
    "JSON has what toJSON() of the body returns, and the schema does not describe that: name the keys to send",
  ],
  "a media type that is declared and not sent": [
    'route.get("/", { responses: sent, resolve: (_c) => reply(410, ‸{ code: "missing" }) });',
    String.raw`Write reply(410, body, { contentType: \"application/problem+json\" })`,
  ],
  "a string that would be sent as JSON": [
    'route.get("/", { responses: sent, resolve: (_c) => reply(202, ‸"hello") });',
    String.raw`Write reply(202, body, { contentType: \"text/plain\" })`,
  ],
  "another media type than is declared": [
    'route.get("/", { responses: sent, resolve: (_c) => reply(410, { code: "missing" }, { ‸contentType: "text/plain" }) });',
    `Type '"text/plain"' is not assignable to type '"application/problem+json"'`,
  ],
  "a reply of another media type than is declared": [
    'route.get("/", { responses: sent, resolve: (_c) => problem(201, ‸{ code: "missing" }) });',
    "201 is declared as application/json, not as application/problem+json",
  ],
  "another media type in what a function replies": [
    'route.get("/", { responses: sent, resolve: () => ‸asJson() });',
    `Type '"application/json"' is not assignable to type '"application/problem+json"'`,
  ],
  "an object where the media type is not JSON": [
    'reply(200, ‸{ a: 1 }, { contentType: "text/plain" });',
    "The body must be a string, since text/plain is not JSON",
  ],
  "a media type in the headers": [
    'reply(200, {}, { headers: { ‸"content-type": "text/plain" } });',
    "Write contentType beside headers, not in it",
  ],
  "a required header that is missing": [
    'route.get("/", { responses: sent, resolve: (_c) => reply(201, ‸{ code: "missing" }) });',
    String.raw`Write reply(201, body, { headers: { \"location\": ... } })`,
  ],
  "a required header that is missing among others": [
    'route.get("/", { responses: sent, resolve: (_c) => reply(201, { code: "missing" }, { ‸headers: {} }) });',
    "Property 'location' is missing in type '{}'",
  ],
  "options in place of a body, where a response has none": [
    'route.get("/", { responses: { 204: {} }, resolve: (_c) => reply(204, ‸{ headers: { etag: "" } }) });',
    "This response has no schema, so no body: declare one, or write undefined in place of the body",
  ],
  "a body where a response has no schema": [
    'route.get("/", { responses: { 401: {} }, resolve: (_c) => reply(401, ‸{ error: "Sign in" }) });',
    "This response has no schema, so no body: declare one, or write undefined in place of the body",
  ],
  "a misspelt header": [
    'route.get("/", { responses: sent, resolve: (_c) => reply(201, { code: "missing" }, { headers: { location: "/", ‸etga: "" } }) });',
    String.raw`The response declares no header \"etga\": declare it, or leave it out`,
  ],
  "a header in other letters than is declared": [
    'route.get("/", { responses: sent, resolve: (_c) => reply(201, { code: "missing" }, { headers: { location: "/", ‸Location: "/" } }) });',
    String.raw`The response declares the header \"location\": write its name so`,
  ],
  "a header that is not declared, in a variable": [
    'route.get("/", { responses: sent, resolve: (_c) => reply(201, { code: "missing" }, { ‸headers: traced }) });',
    String.raw`The response declares no header \"x-trace\": declare it, or leave it out`,
  ],
  "a header that is not declared, in a handler without a parameter": [
    'route.get("/", { responses: sent, resolve: () => ‸reply(201, { code: "missing" }, { headers: traced }) });',
    `The types of 'sent.names["declare each header, or leave it out"]' are incompatible`,
  ],
  "a header that is not declared, in what a function replies": [
    'route.get("/", { responses: sent, resolve: (_c) => ‸trace() });',
    `Type '"x-trace"' is not assignable to type '"location"'`,
    `Type 'readonly ["location" | "x-trace"]' is not assignable to type 'readonly ["location"]'`, // TypeScript 5.4
  ],
  "a required header that is missing in what a function replies": [
    'route.get("/", { responses: sent, resolve: () => ‸bare() });',
    "Property 'location' is missing in type",
  ],
  "a guard that denies with another media type than is declared": [
    'route.get("/", { ‸responses: sent, guards: [() => deny(asJson())], resolve: () => problem(410, { code: "missing" }) });',
    "410 is declared as application/problem+json, and a guard denies as application/json",
  ],
  "denyInvalid with another media type than is declared": [
    'route.get("/", { ‸responses: sent, guards: [denyInvalid(asJson)], resolve: () => problem(410, { code: "missing" }) });',
    "410 is declared as application/problem+json, and a guard denies as application/json",
  ],
  "a guard that denies without a required header": [
    'route.get("/", { ‸responses: sent, guards: [() => deny(bare())], resolve: () => problem(410, { code: "missing" }) });',
    "201 is declared as application/json with headers: ",
  ],
  "a guard that denies with a header that is not declared": [
    'route.get("/", { ‸responses: sent, guards: [() => deny(trace())], resolve: () => problem(410, { code: "missing" }) });',
    String.raw`201 is declared without a header that a guard denies with: \"x-trace\"`,
  ],
  "a guard that denies with a key that the schema lacks": [
    'route.get("/", { ‸responses, guards: [() => deny(leak())], resolve: () => reply(204) });',
    String.raw`200 is declared without a key of the body that a guard denies with: \"passwordHash\"`,
  ],
  "a guard that denies with a status that is not declared": [
    'route.get("/", { ‸responses, guards: [signedIn], resolve: () => reply(204) });',
    `401 must be declared, with the body that a guard denies with`,
  ],
  "a guard that denies with another body than is declared": [
    'route.get("/", { ‸responses: { 204: {}, 401: {} }, guards: [signedIn], resolve: () => reply(204) });',
    "401 is declared with another body than a guard denies with: if other routes have the guard, declare its body here",
  ],
  "a bare schema as a response": [
    'route.get("/", { responses: { ‸200: book }, resolve: (_c) => reply(204) });',
    "This is a bare schema: write { schema: … } around it",
  ],
  "a schema for a status that has no body": [
    'route.get("/", { responses: { 204: { ‸schema: book } }, resolve: (_c) => reply(204) });',
    "A response with this status has no body: leave the schema out, or use another status",
  ],
  "responses in docs": [
    'route.get("/", { docs: { ‸responses: {} }, resolve: ok });',
    "Write responses beside docs, not in it: { responses, docs, resolve }",
  ],
  "a key of responses that is no status": [
    'route.get("/", { responses: { 204: {}, ‸"4xx": {} }, resolve: (_c) => reply(204) });',
    "Not a status: write a number such as 200, a range such as",
  ],
  "an endpoint in a scope with a prefix": [
    'route.with({ prefix: "/v1" }).on(‸showBook, { resolve: () => reply(204) });',
    "An endpoint has its whole path: implement it in a scope without a prefix",
  ],
  "an endpoint that does not declare what a guard denies with": [
    "route.on(‸showBook, { guards: [signedIn], resolve: () => reply(204) });",
    "401 must be declared, with the body that a guard denies with",
  ],
  // TypeScript infers the guards of these three only after the handler, and reports nothing at the guards.
  "a guard that a generic function returns inline": [
    'route.get("/", { guards: [bookOf("id")], resolve: (c) => new Response(c.locals.‸book) });',
    `Property 'book' does not exist on type 'NoLocalsUntil<"a guard adds them; put guards that a call returns into constants">'`,
  ],
  "a guard that a generic function returns inline, beside denyInvalid": [
    'route.post("/:id", { request: { body: isNumber }, guards: [bookOf("id"), denyInvalid(() => reply(400))], resolve: (c) => reply(200, c.input.‸body) });',
    "put guards that a call returns into constants",
  ],
  "a wrapped handler beside an inline guard": [
    'route.get("/:id", { guards: [(c) => allow({ book: c.raw.params.id })], resolve: within(1, (c) => new Response(c.locals.‸book)) });',
    `Property 'book' does not exist on type 'NoLocalsUntil<"a guard adds them; put guards that a call returns into constants">'`,
  ],
  "resolve before guards": [
    'route.get("/:id", { resolve: (c) => new Response(c.locals.‸book), guards: [(c) => allow({ book: c.raw.params.id })] });',
    `Property 'book' does not exist on type 'NoLocalsUntil<"a guard adds them; put guards that a call returns into constants">'`,
  ],
};

/** The module that makes a mistake. */
export function moduleOf(name: string): string {
  return `${PREAMBLE}${MISTAKES[name]?.[0].replace("‸", "")}`;
}

/** An error that a compiler reports. */
export interface Reported {
  /** The module from the place of the error on. */
  readonly rest: string;
  /** What the compiler prints. */
  readonly text: string;
}

/** Asserts that an error is at the place of a mistake, and that its text says what to do. */
export function assertReported(name: string, error: Reported | undefined) {
  const [code = "", ...texts] = MISTAKES[name] ?? [];
  assert(error, "no error");
  assertEquals(error.rest, code.slice(code.indexOf("‸") + 1));
  // The order of a union of literals depends on what else the compiler has read.
  const text = error.text.replaceAll(/\d+(?: \| \d+)+/g, (union) => union.split(" | ").toSorted().join(" | "));
  assert(texts.some((expected) => text.includes(expected)), text);
  // TypeScript suggests to change a type of ours, with `exactOptionalPropertyTypes`. The keys of a body are optional.
  // Where an option may be absent, it suggests the opposite of what to do, before our message.
  const suggests = /, in what a function replies$|that a condition spreads in$/.test(name);
  assert(suggests || !text.includes("Consider adding"), text);
}
