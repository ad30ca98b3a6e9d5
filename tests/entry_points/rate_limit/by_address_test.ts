import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type AddressOptions, byAddress, networkOf } from "../../../src/rate_limit/mod.ts";
import { contextOf } from "../../support/context_of.ts";
import { request } from "../../support/request.ts";

/** The key of a request with this `X-Forwarded-For`, behind so many proxies. */
async function keyOf(proxies: number, forwarded: string | undefined, connected?: string): Promise<string> {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const c = await contextOf("/", request("/", { headers }));
  return byAddress({ proxies, address: (_c, address?: string) => address })(c, connected);
}

describe("byAddress()", () => {
  it("is the address of the connection without proxies, whatever the client sends", async () => {
    for (const forwarded of [undefined, "", "198.51.100.1", "198.51.100.1, 198.51.100.2"]) {
      assertEquals(await keyOf(0, forwarded, "192.0.2.1"), "192.0.2.1");
    }
  });

  it("is the address that the outermost proxy of ours has appended", async () => {
    const forged = "10.0.0.1, 10.0.0.2";
    assertEquals(await keyOf(1, `${forged}, 198.51.100.1`, "192.0.2.1"), "198.51.100.1");
    assertEquals(await keyOf(2, `${forged}, 198.51.100.1,198.51.100.2`, "192.0.2.1"), "198.51.100.1");
    assertEquals(await keyOf(2, "198.51.100.1,  198.51.100.2 ", "192.0.2.1"), "198.51.100.1");
    assertEquals(await keyOf(1, "\t[2001:db8::1]:443", "192.0.2.1"), "2001:db8:0:0");
  });

  it("is the address of the connection if a proxy is missing, or has written no address", async () => {
    for (
      const forwarded of [undefined, "", "unknown", "_hidden", "198.51.100.1, unknown", "198.51.100.1,", "a, 127.1"]
    ) {
      assertEquals([forwarded, await keyOf(1, forwarded, "192.0.2.1")], [forwarded, "192.0.2.1"]);
    }
    assertEquals(await keyOf(2, "198.51.100.1", "192.0.2.1"), "192.0.2.1");
    assertEquals(await keyOf(100, "198.51.100.1, 198.51.100.2", "192.0.2.1"), "192.0.2.1");
  });

  it("is one key for all requests without an address", async () => {
    assertEquals([await keyOf(0, "198.51.100.1"), await keyOf(1, "x", "/run/socket")], ["unknown", "unknown"]);
  });

  it("fails for an address that is no string, such as the whole info.remoteAddr", async () => {
    for (const connected of [{ hostname: "192.0.2.1" }, 5, ["192.0.2.1"]]) {
      await assertRejects(
        () => keyOf(0, undefined, connected as never),
        TypeError,
        "Result of address of byAddress must be a string, or undefined: received",
      );
    }
    assertEquals(await keyOf(0, undefined, null as never), "unknown");
  });

  it("throws for options that are missing, unknown or out of their bounds", () => {
    const make = (options: unknown) => () => byAddress(options as AddressOptions<[]>);
    const address = () => "192.0.2.1";
    for (const proxies of [-1, 1.5, NaN, 101, "1", undefined, null]) {
      const { proxies: _, ...rest } = { proxies, address };
      assertThrows(
        make(proxies === undefined ? rest : { proxies, address }),
        TypeError,
        `Option proxies of byAddress must be a whole number from 0 to 100: received ${proxies}`,
      );
    }
    assertThrows(make({ proxies: "1", address }), TypeError, "from 0 to 100: received 1, a string");
    assertThrows(make({ proxies: 0 }), TypeError, "Option address of byAddress must be a function: received undefined");
    assertThrows(make({ proxy: 0, address }), TypeError, 'Option "proxy" of byAddress is unknown');
    assertThrows(make(undefined), TypeError, "Options of byAddress must be an object");
  });
});

describe("networkOf()", () => {
  const same = (notations: readonly string[], network: string | undefined) => {
    for (const notation of notations) assertEquals([notation, networkOf(notation)], [notation, network]);
  };

  it("is an IPv4 address itself", () => {
    same(["192.0.2.1", "192.0.2.1:80", "192.0.2.1:65535"], "192.0.2.1");
    same(["0.0.0.0"], "0.0.0.0");
    same(["255.255.255.255"], "255.255.255.255");
    same(["249.200.239.210"], "249.200.239.210");
  });

  it("CVE-2026-47674: is the same for all notations of an IPv6 address", () => {
    same([
      "2001:db8::1",
      "2001:DB8::1",
      "2001:0db8:0000:0000:0000:0000:0000:0001",
      "2001:db8:0:0:0:0:0:1",
      "2001:db8::0.0.0.1",
      "[2001:db8::1]",
      "[2001:db8::1]:443",
      "2001:db8::ffff:ffff:ffff:ffff",
      "2001:db8::%eth0",
      "[2001:db8::1%eth0]:443",
      "2001:db8::%\n",
      "2001:db8:0:0:1:2:3:4:443",
      "[2001:db8:0:0:3:4:192.0.2.1]:1",
    ], "2001:db8:0:0");
    same(["2001:db8:0:1::", "2001:db8:0:1:2:3:4:5", "2001:db8:0:1:ffff:ffff:ffff:ffff"], "2001:db8:0:1");
    same(["::1", "::", "0:0::0:1", "::2"], "0:0:0:0");
    same(["fe80::1%25eth0", "fe80::1", "FE80:0::1"], "fe80:0:0:0");
  });

  it("CVE-2026-30827: is the IPv4 address within IPv6, and not one network for all of them", () => {
    same([
      "::ffff:192.0.2.1",
      "::FFFF:192.0.2.1",
      "::ffff:c000:201",
      "0:0:0:0:0:ffff:c000:0201",
      "0000:0000:0000:0000:0000:ffff:192.0.2.1",
      "[::ffff:192.0.2.1]:443",
      "::ffff:192.0.2.1%eth0",
      "64:ff9b::192.0.2.1",
      "64:ff9b::c000:201",
    ], "192.0.2.1");
    same(["::ffff:192.0.2.2", "64:ff9b::192.0.2.2"], "192.0.2.2");
    same(["64:ff9b:0:0:1::192.0.2.1"], "64:ff9b:0:0");
    // The local prefix: of 96 bits, whatever the network has chosen between, or of 48.
    same(["64:ff9b:1::192.0.2.1", "64:ff9b:1::c000:201", "64:ff9b:1:a:b:c:192.0.2.1"], "192.0.2.1");
    same(["64:ff9b:1::192.0.0.0"], "192.0.0.0");
    same(["64:ff9b:1:c000:2:100::", "64:FF9B:1:C000:0002:0100:0:0"], "192.0.2.1");
    same(["64:ff9b:2::192.0.2.1"], "64:ff9b:2:0");
    same(["::fffe:192.0.2.1"], "0:0:0:0");
  });

  it("CVE-2026-24398: is no address in a notation that parsers read in several ways", () => {
    same([
      "127.1",
      "2130706433",
      "0x7f.0.0.1",
      "0177.0.0.1",
      "192.0.2.01",
      "192.0.2.256",
      "192.0.2.999",
      "192.0.2",
      "192.0.2.1.",
      "192.0.2.1.1",
      "1.2.3.4.5",
      "٠.0.0.1",
      "１92.0.2.1",
    ], undefined);
  });

  it("is nothing for what is no address", () => {
    assertEquals(networkOf(undefined), undefined);
    same([
      "",
      " ",
      "unknown",
      "localhost",
      "example.com",
      "a@192.0.2.1",
      "192.0.2.1/24",
      "192.0.2.1 ",
      "192.0.2.1:x",
      '"192.0.2.1"',
      "for=192.0.2.1",
      "192.0.2.1 192.0.2.2",
      ":80",
      ":",
      ":::",
      "1::2::3",
      "1::2:",
      "1::2::",
      "1:2:3:4:5:6:7:8:9:10",
      "12345::",
      "[::1",
      "::1]",
      "[::1]x",
      "[2001:db8::]1",
      "[::1]:",
      "[]",
      "::1]/[",
      "::1]/::1",
      "1[::1]",
      "%eth0",
      "2001:db8::1:443:x",
      "x".repeat(1e5),
      "1".repeat(1e5),
      ":".repeat(1e5),
    ], undefined);
  });
});
