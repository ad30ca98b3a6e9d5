import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { route, setup } from "../../../mod.ts";
import { request } from "../../support/request.ts";

const resolve = () => new Response("ok");

/** Whether a route with this pattern matches a request to `path`. */
async function matches(pattern: string, path: string): Promise<boolean> {
  const app = setup({ handlers: [route.get(pattern, { resolve })] });
  return (await app.fetch(request(path))).status === 200;
}

function refusal(...patterns: string[]): string {
  const declare = () => patterns.map((pattern) => route.get(pattern, { resolve }));
  return assertThrows(() => setup({ handlers: declare() }), TypeError).message;
}

describe("a path pattern", () => {
  it("must start with a slash", () => {
    assertEquals(refusal("books"), 'Path of route GET "books" must start with "/": write "/books"');
    assertEquals(refusal(""), 'Path of route GET "" must start with "/": write "/"');
    assertEquals(refusal("*"), 'Path of route GET "*" must start with "/": write "/*"');
  });

  it("names each parameter once, by an identifier", () => {
    for (
      const path of ["/:", "/:1", "/:a-b", "/:a.b", "/:é", "/: a", "/::a", "/:a:b", "/:id.json", "/:id?", "/:id(\\d+)"]
    ) {
      assertEquals(refusal(path).startsWith(`Path of route GET ${JSON.stringify(path)} must name a parameter`), true);
    }
    assertEquals(
      refusal("/a/:my-id"),
      'Path of route GET "/a/:my-id" must name a parameter by letters and digits, such as ":bookId": received ":my-id"',
    );
    assertEquals(
      refusal("/:id/x/:id"),
      'Path of route GET "/:id/x/:id" must not repeat the parameter ":id": give each parameter a name of its own',
    );
    for (const path of ["/:a", "/:_", "/:$", "/:camelCase9", "/:_proto_", "/:constructor"]) {
      setup({ handlers: [route.get(path, { resolve })] });
    }
  });

  it("names no parameter __proto__, which would set the prototype of the params", () => {
    for (const path of ["/:__proto__", "/:a/:__proto__/*"]) {
      assertEquals(
        refusal(path),
        `Path of route GET "${path}" must not name a parameter __proto__`,
      );
    }
  });

  it("has a wildcard only as its whole last segment", () => {
    for (const path of ["/*/a", "/*/*", "/a/*/:b"]) {
      assertEquals(
        refusal(path),
        `Path of route GET "${path}" must have "*" only as its last segment: write :name+ before other segments`,
      );
    }
    for (const path of ["/a*", "/*a", "/**", "/a/*.js"]) refusal(path);
  });

  it("has no empty segment in the middle", () => {
    for (const [path, proper] of [["//", "/"], ["//a", "/a"], ["/a//b", "/a/b"], ["/a//", "/a/"], ["///a", "/a"]]) {
      assertEquals(
        refusal(String(path)),
        `Path of route GET "${path}" must not contain "//": write "${proper}"`,
      );
    }
  });

  it("has no dot segment, in any spelling: a URL never keeps one", () => {
    for (const path of ["/.", "/..", "/a/./b", "/a/../b", "/%2e", "/%2E%2e", "/.%2e/x", "/%2e."]) {
      const [segment] = /[.%][^/]*/.exec(path) ?? [];
      assertEquals(refusal(path), `Path of route GET "${path}" must not contain "${segment}" in a literal segment`);
    }
    for (const path of ["/...", "/.well-known", "/a.b", "/%2e%2e%2e", "/..a"]) {
      setup({ handlers: [route.get(path, { resolve })] });
    }
  });

  it("has no query, fragment, backslash, control character or regular expression", () => {
    for (
      const path of ["/a?b", "/a#b", "/a\\b", "/a\nb", "/a\tb", "/\0", "/a\x7f", "/(a)", "/[a]", "/{a}", "/a|b", "/^a"]
    ) {
      refusal(path);
    }
    for (const path of ["/v:id", "/a:b", "/x(:id)"]) refusal(path);
    assertEquals(
      refusal("/v:id"),
      'Path of route GET "/v:id" must not contain ":" in a literal segment',
    );
  });

  it("is rejected by setup under its whole path", () => {
    const scope = route.with({ prefix: "/a" });
    assertThrows(
      () => setup({ handlers: [scope.on(["GET", "HEAD"], "/:x.y", { resolve })] }),
      TypeError,
      'Path of route GET,HEAD "/a/:x.y" must name a parameter',
    );
  });

  it("matches a literal as a URL parser encodes it", async () => {
    assertEquals(await matches("/caf\u00e9", "/caf%C3%A9"), true);
    assertEquals(await matches("/caf\u00e9", "/café"), true);
    assertEquals(await matches("/caf%C3%A9", "/café"), true);
    assertEquals(await matches("/a b", "/a%20b"), true);
    assertEquals(await matches("/a ", "/a%20"), true);
    assertEquals(await matches('/"<>`', "/%22%3C%3E%60"), true);
    assertEquals(await matches("/c++/$metadata,@x;v=1!'&~", "/c++/$metadata,@x;v=1!'&~"), true);
  });

  it("is a path without needless escapes, however it is written", async () => {
    for (const path of ["/admin", "/%61dmin", "/adm%69%6E", "/%61%64%6d%69%6e"]) {
      assertEquals(await matches(path, "/admin"), true, path);
      assertEquals(await matches(path, "/%61dmin"), false, path);
    }
    const escaped = "/%40%61%21%24%26%27%28%29%2B%2C%3B%3D%7E%2D%2E%5F";
    assertEquals(await matches(escaped, "/@a!$&'()+,;=~-._"), true);
    assertEquals(
      refusal("/admin", "/%61dmin"),
      'Routes GET "/admin" and GET "/%61dmin" match the same requests: remove one',
    );
  });

  it("is not decoded elsewhere: an escape of a slash is not a slash", async () => {
    assertEquals(await matches("/a%2Fb", "/a/b"), false);
    for (const pattern of ["/a%2Fb", "/a%2fb"]) {
      for (const path of ["/a%2Fb", "/a%2fb"]) assertEquals(await matches(pattern, path), true, `${pattern} ${path}`);
    }
    assertEquals(await matches("/caf%c3%A9", "/caf%C3%a9"), true);
    assertEquals(await matches("/%zz", "/%zz"), true);
    assertEquals(await matches("/%az", "/%az"), true);
    assertEquals(await matches("/%252F", "/%252f"), false);
  });

  it("is case-sensitive, and collapses and trims nothing", async () => {
    assertEquals(await matches("/a", "/A"), false);
    assertEquals(await matches("/a", "/a/"), false);
    assertEquals(await matches("/a/", "/a"), false);
    assertEquals(await matches("/a/", "/a/"), true);
    assertEquals(await matches("/a/b", "/a//b"), false);
    assertEquals(await matches("/a", "//a"), false);
    assertEquals(await matches("/", "/"), true);
    assertEquals(await matches("/", "//"), false);
  });

  it("matches exactly one whole non-empty segment with a parameter", async () => {
    assertEquals(await matches("/u/:id", "/u/1"), true);
    assertEquals(await matches("/u/:id", "/u/"), false);
    assertEquals(await matches("/u/:id", "/u"), false);
    assertEquals(await matches("/u/:id", "/u/1/"), false);
    assertEquals(await matches("/u/:id", "/u/1/2"), false);
    assertEquals(await matches("/u/:id/posts", "/u//posts"), false);
    assertEquals(await matches("/:a/:b", "/x/y"), true);
    assertEquals(await matches("/:a", "/"), false);
    assertEquals(await matches("/u/:id", "/u/a.b;c=d,e%2Ff"), true);
  });

  it("matches any rest with a wildcard, also an empty one, but not a path without the slash", async () => {
    assertEquals(await matches("/files/*", "/files/"), true);
    assertEquals(await matches("/files/*", "/files/a"), true);
    assertEquals(await matches("/files/*", "/files/a/b//c/"), true);
    assertEquals(await matches("/files/*", "/files"), false);
    assertEquals(await matches("/*", "/"), true);
    assertEquals(await matches("/*", "//admin"), true);
  });
});
