import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isPublicAddress } from "../../../src/webhooks/mod.ts";

describe("isPublicAddress()", () => {
  it("accepts addresses of the internet", () => {
    const addresses = `1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.0 172.15.0.1 172.32.0.1 192.0.1.1 192.167.1.1 198.17.0.1
      198.20.0.1 203.0.114.1 223.255.255.255 2606:4700::1111 2a00:1450:4001:81b::200e 2001:200::1 3ffe::1
      2606:4700:1:2:3:4:5:6 ::ffff:8.8.8.8 ::ffff:808:808 64:ff9b::8.8.8.8 64:ff9b::808:808`.split(/\s+/);
    assertEquals(addresses.filter((address) => !isPublicAddress(address)), []);
  });

  it("rejects private, local and special addresses, in all forms", () => {
    const addresses = `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.0.1
      169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255
      198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 :: ::1 ::2 ::127.0.0.1 fc00::1 fd00::1
      fe80::1 fec0::1 ff02::1 2001::1 2001:0:1::1 2001:db8::1 2001:1ff::1 2002:7f00:1::1 3fff::1 5f00::1 100::1
      ::ffff:127.0.0.1 ::ffff:7f00:1 ::FFFF:10.0.0.1 0:0:0:0:0:ffff:a9fe:a9fe 64:ff9b::10.0.0.1 64:ff9b::a00:1
      64:ff9b:1::1 4000::1`.split(/\s+/);
    assertEquals(addresses.filter(isPublicAddress), []);
  });

  it("rejects numbers with leading zeros, which some programs read as octal: 012.0.0.1 is 10.0.0.1 for them", () => {
    assertEquals(
      ["012.0.0.1", "8.8.8.010", "08.8.8.8", "::ffff:012.0.0.1", "64:ff9b::8.8.08.8"].filter(isPublicAddress),
      [],
    );
  });

  it("rejects what is no address", () => {
    const texts = [
      "",
      "localhost",
      "example.com",
      "1.1.1",
      "256.1.1.1",
      "1.1.1.999",
      "0x7f.1",
      "2130706433",
      "fe80::1%eth0",
    ];
    assertEquals(
      [...texts, "[::1]", "1:2:3", ":::", "2606:4700::1111]/?[", "8.8.8.8 ", "::ffff:8.8.8.8.8"].filter(
        isPublicAddress,
      ),
      [],
    );
  });
});
