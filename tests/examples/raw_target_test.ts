import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isAmbiguous } from "../../examples/runtimes/raw_target.ts";

describe("isAmbiguous()", () => {
  it("accepts what clients send: paths, queries with anything in them, absolute urls, and the target of OPTIONS *", () => {
    const targets = [
      "/",
      "/a/b",
      "//a",
      "/a.b/..c/%2ea/...",
      "/a?b=/../c\\d",
      "/a%5cb",
      "http://h/a",
      "HTTPS://h:80",
      "*",
    ];
    assertEquals(targets.filter(isAmbiguous), []);
  });

  it("rejects raw dot segments and backslashes, and absolute urls without a host", () => {
    const targets = ["/../a", "/a/..", "/./a", "/.?b", "/x/%2e%2E/a", "/..#", "/a\\b", "http://h/x/../a"]
      .concat(["http:///a", "http:/a", "http:a", "http://?a", "a", "", "/..\\a"]);
    assertEquals(targets.filter((target) => !isAmbiguous(target)), []);
  });
});
