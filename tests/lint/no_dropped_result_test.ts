/** The plugin of `@fw/core/lint`, on files that `deno lint` parses. Only Deno has `Deno.lint`. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import lint from "../../src/lint/mod.ts";

const IMPORTS =
  `import { allow, beforeBody, deny, denyInvalid, endpoint, every, reply, replyAs, route } from "@fw/core";
import { replyEvents, replyLines } from "@fw/core/events";
`;

/** The code that is reported, in order. */
function reported(code: string, imports = IMPORTS): readonly string[] {
  const source = imports + code;
  return Deno.lint.runPlugin(lint, "file.ts", source)
    .map(({ range: [from, to] }) => source.slice(from, to));
}

/** The messages, in order. */
function messages(code: string): readonly string[] {
  return Deno.lint.runPlugin(lint, "file.ts", IMPORTS + code).map(({ message }) => message);
}

describe("the rule no-dropped-result", () => {
  it("reports each function of the package whose result is a statement, and says what to write", () => {
    const response = (name: string) =>
      `The response of \`${name}\` is dropped, so it is not sent: write \`return ${name}(…)\`, ` +
      `or \`return deny(${name}(…))\` in a guard`;
    const cases: Record<string, string> = {
      "allow()": "The result of `allow` is dropped, so it decides nothing: write `return allow(…)`",
      "deny(reply(401))": "The result of `deny` is dropped, so it decides nothing: write `return deny(…)`",
      "denyInvalid(f)": "The guard that `denyInvalid` makes is dropped, so it never runs: list it in `guards`",
      "beforeBody(f)": "The guard that `beforeBody` makes is dropped, so it never runs: list it in `guards`",
      "every(f, g)": "The guard that `every` makes is dropped, so it never runs: list it in `guards`",
      "reply(200, {})": response("reply"),
      "replyEvents(200, f)": response("replyEvents"),
      "replyLines(200, f)": response("replyLines"),
      'replyAs("text/plain")': "The function that `replyAs` makes is dropped: assign it to a constant, and call that",
      'replyAs("text/plain")(200, "")': response("replyAs(…)"),
    };
    for (const method of ["get", "post", "put", "patch", "delete", "head", "options", "query", "all", "on"]) {
      cases[`route.${method}("/", {})`] = `What \`route.${method}\` declares is dropped, so nothing serves it: ` +
        "assign it, and list it in the `handlers` of `setup`";
      cases[`endpoint.${method}("/", {})`] = `What \`endpoint.${method}\` declares is dropped, so nothing implements ` +
        "it: assign it, and implement it by `route.on`";
    }
    for (const factory of ["route", "endpoint"]) {
      cases[`${factory}.with({})`] =
        `The scope that \`${factory}.with\` makes is dropped: assign it, and declare with that`;
    }
    for (const [call, message] of Object.entries(cases)) {
      assertEquals([reported(`${call};`), messages(`${call};`)], [[call], [message]], call);
    }
  });

  it("reports a denial that the guard forgets to return", () => {
    const guard = (statement: string) => `export const guard = (c: Context) => { ${statement} return allow(); };`;
    assertEquals(reported(guard("if (!c.ok) deny(reply(401));")), ["deny(reply(401))"]);
    assertEquals(reported(guard("if (!c.ok) { deny(reply(401)); }")), ["deny(reply(401))"]);
    assertEquals(reported(guard("if (!c.ok) return deny(reply(401));")), []);
  });

  it("reports a result that an operator drops, also where its own value is used", () => {
    const dropped = [
      "ok && deny(r);",
      "ok || deny(r);",
      "ok ?? deny(r);",
      "deny(r) || x;",
      "ok ? x : deny(r);",
      "ok ? deny(r) : x;",
      "a && (b || (c ? x : deny(r)));",
      "(deny(r));",
      "deny(r), x;",
      "x, deny(r);",
      "const y = (deny(r), x);",
      "const y = deny(r) && x;",
      "const y = deny(r) ? x : z;",
      "const y = void deny(r);",
      "void deny(r);",
      "!deny(r);",
      "await deny(r);",
      "deny(r)!;",
      "deny(r) as unknown;",
      "deny(r) satisfies unknown;",
      "<unknown> deny(r);",
      "for (;; deny(r)) {}",
      "for (deny(r);;) {}",
      "for (; deny(r);) {}",
      "if (deny(r)) {}",
      "while (deny(r)) {}",
      "do {} while (deny(r));",
      "() => { deny(r); };",
      "class A { static { deny(r); } }",
      "switch (x) { case 1: deny(r); }",
      "switch (deny(r)) {}",
      "switch (x) { case deny(r): }",
      "[deny(r)];",
      "[x, ok && deny(r)];",
      "await check().then((ok) => ok || deny(r));",
      "check().then(() => deny(r), () => x);",
      "void check().then(f).catch(async () => x ?? await deny(r));",
    ];
    for (const code of dropped) assertEquals(reported(code), ["deny(r)"], code);
    assertEquals(reported("deny?.(r);"), ["deny?.(r)"]);
    assertEquals(reported("(0, deny)(r);"), ["(0, deny)(r)"]);
    assertEquals(reported("ok ? deny(1) : allow();"), ["deny(1)", "allow()"]);
  });

  it("reports nothing where the result is returned, assigned, passed or read", () => {
    const used = [
      "function f() { return deny(r); }",
      "function f() { return ok && deny(r); }",
      "function f() { return ok ? allow() : deny(r); }",
      "function f() { return x, deny(r); }",
      "function f() { return x, y, deny(r); }",
      "function f() { return deny(r) || x; }",
      "async function f() { return await deny(r)!; }",
      "function* f() { yield deny(r); }",
      "() => deny(r);",
      "() => ({ ...deny(r) });",
      "const a = deny(r), b = [route.get('/', {})], c = { d: reply(200) };",
      "let a; a = deny(r); a ??= deny(r);",
      "f(deny(r)); new F(deny(r)); f`${deny(r)}`; throw reply(500);",
      "f(...deny(r));",
      "reply(200).headers.get('x');",
      "for (const x of reply(200)) {} for (const x in reply(200)) {}",
      "const x = [deny(r)]; f([deny(r)]); const y = check().then(() => deny(r));",
      "function f() { return check().then((ok) => ok || deny(r)); }",
      "list.map(() => deny(r)); then(() => deny(r)); x.then = () => deny(r);",
      "export const a = route.get('/', {}); export default route.get('/', {});",
      "export class A { a = route.get('/', {}); static b = reply(200); }",
      "function f(a = deny(r)) {}",
      "deny; route.get; (deny);",
    ];
    for (const code of used) assertEquals(reported(code), [], code);
  });

  it("knows an import under another name, a namespace, and a dynamic import", () => {
    const cases: Readonly<Record<string, string>> = {
      'import { deny as no } from "@fw/core";': "no()",
      'import { "deny" as no } from "@fw/core";': "no()",
      'import * as fw from "@fw/core";': "fw.deny()",
      'import * as fw from "@fw/core/events";': 'fw["replyEvents"]()',
      'import * as lib from "@fw/core";': "lib.route.with({}).with({}).get()",
      'const fw = await import("@fw/core");': "fw?.deny()",
      'const { deny } = await import("@fw/core");': "deny()",
      'const { deny: no, ...others } = await import("@fw/core");': "no()",
      'import { deny } from "jsr:@fw/core";': "deny()",
      'import { deny } from "jsr:/@fw/core@^1.2.3";': "deny()",
      'import { replyLines } from "jsr:@fw/core@1/events";': "replyLines()",
      'import { deny } from "npm:@jsr/fw__core@1";': "deny()",
      'import { deny } from "@jsr/fw__core";': "deny()",
    };
    for (const [imports, call] of Object.entries(cases)) assertEquals(reported(`${call};`, imports), [call], imports);
  });

  it("reports nothing for other modules, other exports and names of none", () => {
    const others = [
      'import { deny } from "other";',
      'import { deny } from "@fw/core/hooks";',
      'import { replyLines as deny } from "other";',
      'import { deny } from "@fw/core-extra";',
      'import { deny } from "my-@fw/core";',
      'import { deny } from "./@fw/core";',
      'import { setup as deny } from "@fw/core";',
      'import { toString as deny } from "@fw/core";',
      'import deny from "@fw/core";',
      'import { deny as no } from "@fw/core";',
      "const { deny } = await import(name);",
      "",
    ];
    for (const imports of others) assertEquals(reported("deny(r);", imports), [], imports);
    const calls = "route(); fw(); fw.setup(); route.resolve(); route[get](); route.constructor(); reply.call(x);";
    assertEquals(reported(calls, `import * as fw from "@fw/core"; import { route, reply } from "@fw/core";`), []);
  });

  it("knows constants that stand for a function, a scope or a part of one", () => {
    const cases: Readonly<Record<string, string>> = {
      "const members = route.with({ guards: [] });": "members.get('/', {})",
      "const members = route.with({}), admins = members.with({});": "admins.delete('/', {})",
      "export const members = route.with<Locals>();": "members.on('GET', '/', {})",
      "const makeScope = route.with<Locals>;": "makeScope()",
      "const v1 = endpoint.with({}) satisfies object;": "v1.get('/', {})",
      "const v1 = endpoint.with({})! as EndpointFactory;": "v1.with({})",
      "const v1 = <EndpointFactory> endpoint.with({});": "v1.get('/', {})",
      'const problem = replyAs("application/problem+json");': "problem(404, {})",
      "const no = deny;": "no(r)",
      "const refuse = () => deny(r);": "refuse()",
      "const refuse = (status) => deny(reply(status)), no = async () => refuse(401);": "no()",
      "const make = () => route.with({});": "make().get('/', {})",
      "const { get } = route;": "get('/', {})",
      "const { get: read = null, with: scope } = route;": "scope({})",
      "const { ['get']: read } = route;": "read('/', {})",
      "const fw = { deny }; const { with: scope } = route; const members = scope({});": "members.all('/', {})",
    };
    for (const [code, call] of Object.entries(cases)) {
      assertEquals(reported(`${code}\n${call};`), [call], code);
      assertEquals(reported(`function f() { ${call}; }\n${code}`), [call], `${code}, declared below`);
    }
  });

  it("reports each use of such a constant", () => {
    const calls = ["members.get('/a', {})", "members.get('/b', {})", "members.with({}).get('/c', {})"];
    assertEquals(reported(`const members = route.with({}); ${calls.join("; ")};`), calls);
  });

  it("reports each call of a guard of the file whose result is dropped", () => {
    const signedIn = "const signedIn = async (c: Context) => (await find(c)) ? allow() : deny(r);";
    const call = "signedIn(c)";
    const after = (statement: string) => `${signedIn} const guard = async (c: Context) => { ${statement} };`;
    const dropped: readonly (readonly [code: string, reported?: string])[] = [
      [after("await signedIn(c); return allow();")],
      [after("signedIn(c); return allow();")],
      [after("void signedIn(c); return allow();")],
      [after("if (await signedIn(c)) return allow(); return deny(r);")],
      [after("ok && await signedIn(c); return allow();")],
      [after("ok ? await signedIn(c) : x; return allow();")],
      [after("return await signedIn(c), allow();")],
      [after("return (await signedIn(c)) && allow();")],
      [after("return signedIn(c).then(() => allow());")],
      [after("return signedIn(c).then(function () { return allow(); });")],
      [after("signedIn(c).catch(log); return allow();")],
      [after("await signedIn(c).finally(close); return allow();")],
      [after("await Promise.all([signedIn(c), other(c)]); return allow();")],
      [after("const { signedIn: mine } = { signedIn }; await mine(c); return allow();"), "mine(c)"],
      [`${signedIn} const alias = signedIn; await alias(c);`, "alias(c)"],
      [`${signedIn} const either = signedIn ?? other; await either(c);`, "either(c)"],
      [`${signedIn} export { signedIn }; export const renamed = signedIn; await renamed(c);`, "renamed(c)"],
      [`await signedIn(c); async function signedIn(c) { if (!c.ok) { return deny(r); } return allow(); }`],
      [`const signedIn = function (c) { try { return check(c); } finally { return ok || deny(r); } }; await signedIn(c);`],
      // A guard that another function makes.
      [`const role = (name) => (c) => c.ok ? allow() : deny(r); const admin = role("admin"); admin(c);`, "admin(c)"],
      [`const role = (name) => (c) => c.ok ? allow() : deny(r); role("admin")(c);`, 'role("admin")(c)'],
      [`function role(name) { return async (c) => { return deny(r); }; } const signedIn = role("a"); await signedIn(c);`],
      [`function role(name) { const guard = (c) => deny(r) as X; return guard; } role("a")(c);`, 'role("a")(c)'],
      ["const signedIn = beforeBody((c) => check(c)); await signedIn(c);"],
      ["const valid = denyInvalid(f); valid(c);", "valid(c)"],
      // A guard that calls another one.
      [`${signedIn} const member = (c) => signedIn(c); await member(c);`, "member(c)"],
      [
        `${signedIn} async function member(c) { const result = await signedIn(c); return result; } member(c);`,
        "member(c)",
      ],
      // Methods, and objects of guards.
      ["class Guards { signedIn(c) { return deny(r); } check(c) { this.signedIn(c); } }", "this.signedIn(c)"],
      [
        "class Guards { signedIn = (c) => deny(r); } const guards = new Guards(); guards.signedIn(c);",
        "guards.signedIn(c)",
      ],
      ["class Guards { static signedIn(c) { return deny(r); } } Guards.signedIn(c);", "Guards.signedIn(c)"],
      [
        "const Guards = class { signedIn(c) { return deny(r); } }; new Guards().signedIn(c);",
        "new Guards().signedIn(c)",
      ],
      ["const guards = { signedIn(c) { return deny(r); } }; await guards.signedIn(c);", "guards.signedIn(c)"],
      ["const guards = { 'signed-in': (c) => deny(r), ...x }; guards['signed-in'](c);", "guards['signed-in'](c)"],
    ];
    for (const [code, expected = call] of dropped) assertEquals(reported(code), [expected], code);
    assertEquals(messages(`${signedIn} signedIn(c);`), [
      "The result of this guard is dropped, so it denies nobody: return it, or keep it in `result` and write " +
      '`if ("deny" in result) return result`',
    ]);
  });

  it("knows a guard by the type that it is declared with", () => {
    const imports = `${IMPORTS}import type { GuardFn, GuardResult, ValidInputGuard } from "@fw/core";\n`;
    const dropped = [
      "const guard: GuardFn = check; guard(c);",
      "const guard: ValidInputGuard = check; guard(c);",
      "const optionally = (guard: GuardFn<NoLocals, { user: User }>) => async (c) => { await guard(c); return x; };",
      "function guard(c): GuardResult { return check(c); } guard(c);",
      "const guard = async (c): Promise<GuardResult> => await check(c); await guard(c);",
    ];
    for (const code of dropped) assertEquals(reported(code, imports), ["guard(c)"], code);
    assertEquals(reported(dropped.join("")), [], "other types of these names");
  });

  it("reports nothing where the result of a guard of the file is read", () => {
    const signedIn = "const signedIn = async (c) => ok ? allow() : deny(r);";
    const read = [
      "const guard = async (c) => { const result = await signedIn(c); return 'deny' in result ? result : allow(); };",
      "const guard = (c) => signedIn(c).then((result) => result);",
      "const guard = (c) => signedIn(c).then(f).catch(g); signedIn(c).then(); const text = ''; text(c);",
      "const guard = (c) => signedIn(c).catch(() => deny(r));",
      "const guard = async (c) => (await signedIn(c)).deny ?? x;",
      "const guard = async (c) => await Promise.all([signedIn(c)]);",
      "const guard = async (c) => f(await signedIn(c)); signedIn.name; signedIn[x]; new signedIn.X(c);",
      "function* results(c) { yield deny(r); return deny(r); } results(c);",
      "const log = (c) => { console.log(c); return; }; log(c); const f = () => {}; f(c); function g() {} g();",
      "const loop = (c) => loop(c) ? x : loop(c); loop(c); class A { b() { return this.b(); } } new A().b();",
      "this.signedIn(c); const a = { b(c) { return x; } }; a.b(c); a.c(c); (class { ['d']() { return deny(r); } }).d();",
      "const f = (a: X.GuardFn, b: () => void, c: Promise<X>, d: Promise) => { a(c); b(c); c(); d(); };",
    ];
    for (const code of read) assertEquals(reported(`${signedIn} ${code}`), [], code);
  });

  it("reports nothing for what may be another value", () => {
    const unknown = [
      "let members = route.with({}); members.get();",
      "var members = route.with({}); members.get();",
      "const { deny: [members] } = fw; members.get();",
      "const [members] = route; members();",
      "const { ...members } = route; members.get();",
      "const { get: { members } } = route; members();",
      "const { get: members = f } = route; members();",
      "const { [get]: members } = route; members();",
      "const api = { [members]: route.with({}) }; api.members.get();",
      "const api = { get members() { return route.with({}); } }; api.members.get();",
      "const f = () => { deny; }; f(); const g = () => x; g(); const h = () => h(); h();",
      "for (const members of [route]) members.get();",
      "const members = members.get(); members();",
      "const a = b, b = a; a(); a.get(); b().get();",
    ];
    for (const code of unknown) assertEquals(reported(code), [], code);
  });

  it("reports nothing for a declaration of the same name that is nearer", () => {
    const shadowed = [
      "function f(deny) { deny(r); }",
      "function f({ deny }) { deny(r); }",
      "function f({ x: [a, deny] }) { deny(r); }",
      "function f({ ...deny }) { deny(r); }",
      "function f(deny = g) { deny(r); }",
      "function f(...deny) { deny(r); }",
      "(deny) => { deny(r); };",
      "(function deny() { deny(r); });",
      "{ function deny() {} deny(r); }",
      "{ const deny = f; deny(r); }",
      "{ deny(r); let deny = f; }",
      "{ class deny {} deny(r); }",
      "(class deny { a() { deny(r); } });",
      "{ enum deny {} deny(r); }",
      "namespace N { namespace deny {} deny(r); }",
      "namespace N { declare function deny(): void; deny(r); }",
      "namespace N { import deny = M.deny; deny(r); }",
      "function f() { if (x) { var deny = g; } deny(r); }",
      "class A { static { { var deny = g; } deny(r); } }",
      "class A { constructor(private deny: F) { deny(r); } }",
      "try {} catch (deny) { deny(r); }",
      "try {} catch ({ deny }) { deny(r); }",
      "for (const deny of list) deny(r);",
      "for (const deny in list) deny(r);",
      "for (let deny = f;;) deny(r);",
      "switch (x) { case 1: const deny = f; deny(r); }",
    ];
    for (const code of shadowed) assertEquals(reported(code), [], code);
  });

  it("still reports where such a declaration does not reach", () => {
    const visible = [
      "{ const deny = f; } deny(r);",
      "function f(deny) {} deny(r);",
      "(function deny() {}); deny(r);",
      "(class deny {}); deny(r);",
      "for (const deny of list) {} deny(r);",
      "for (const deny in list) {} deny(r);",
      "for (let deny = f;;) {} deny(r);",
      "try {} catch (deny) {} deny(r);",
      "switch (x) { case 1: const deny = f; } deny(r);",
      "function f() { var deny = g; } deny(r);",
      "(function () { var deny = g; }); deny(r);",
      "() => { var deny = g; }; deny(r);",
      "class A { static { var deny = g; } } deny(r);",
      "namespace N { var deny = g; } deny(r);",
      "const { deny: other } = x; deny(r);",
      "const o = { deny() {} }; deny(r);",
      "class A { deny() { deny(r); } }",
      'declare module "x" { const y: 1; } deny(r);',
      "try {} catch { deny(r); }",
      "export default class { a() { deny(r); } }",
    ];
    for (const code of visible) assertEquals(reported(code), ["deny(r)"], code);
  });
});
