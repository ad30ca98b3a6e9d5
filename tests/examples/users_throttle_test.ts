import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createThrottle } from "../../examples/users/throttle.ts";

describe("a throttle of failed sign-ins", () => {
  const MINUTE = 60_000;
  let time = 0;
  const now = () => time;

  const fail = (begin: ReturnType<typeof createThrottle>, account: string, address: string): boolean => {
    using attempt = begin(account, address);
    attempt.fail();
    return attempt.retryAfter === 0;
  };
  const failTimes = (begin: ReturnType<typeof createThrottle>, count: number, account: string, address: string) => {
    for (let turn = 0; turn < count; turn++) assertEquals(fail(begin, account, address), true);
  };

  it("a throttle of failed sign-ins rejects an account after 10 failures from any addresses, until 15 minutes after the first", () => {
    const begin = createThrottle(now);
    failTimes(begin, 1, "ada", "1.1.1.1");
    time += 5 * MINUTE;
    for (let turn = 2; turn <= 10; turn++) failTimes(begin, 1, "ada", `1.1.1.${turn}`);
    assertEquals(begin("ada", "2.2.2.2").retryAfter, 600);
    assertEquals(begin("grace", "1.1.1.1").retryAfter, 0);
    time += 10 * MINUTE - 1;
    assertEquals(begin("ada", "2.2.2.2").retryAfter, 1);
    time += 1;
    failTimes(begin, 10, "ada", "2.2.2.2");
    assertEquals(fail(begin, "ada", "2.2.2.2"), false);
  });

  it("a throttle of failed sign-ins rejects an address after 100 failures of any accounts", () => {
    const begin = createThrottle(now);
    for (let turn = 0; turn < 100; turn++) failTimes(begin, 1, `account ${turn}`, "1.1.1.1");
    assertEquals([fail(begin, "ada", "1.1.1.1"), fail(begin, "ada", "1.1.1.2")], [false, true]);
  });

  it("a throttle of failed sign-ins counts all addresses of an IPv6 /64 network together, in every notation", () => {
    for (
      const [one, other, same] of [
        ["2001:db8::1", "2001:db8:0:0:ffff:ffff:ffff:ffff", true],
        ["2001:db8:1:2::", "2001:db8:1:2:3:4:5:6", true],
        ["2001:db8:0:1::1", "2001:db8::1", false],
        ["2001:db8::1:0:0:0:1", "2001:db8:0:1::9", true],
        ["::1", "::2", true],
        ["::ffff:1.2.3.4", "1.2.3.4", true],
        ["::ffff:1.2.3.4", "::ffff:1.2.3.5", false],
      ] as const
    ) {
      const begin = createThrottle(now);
      for (let turn = 0; turn < 100; turn++) failTimes(begin, 1, `account ${turn}`, one);
      assertEquals(fail(begin, "ada", other), !same, `${one} ${other}`);
    }
  });

  it("a throttle of failed sign-ins counts a running attempt as failed, and does not count attempts that succeeded or were rejected", () => {
    const begin = createThrottle(now);
    const attempts = Array.from({ length: 10 }, () => begin("ada", "1.1.1.1"));
    for (let turn = 0; turn < 200; turn++) {
      using rejected = begin("ada", "1.1.1.1");
      rejected.fail();
      assertEquals(rejected.retryAfter, 900);
    }
    for (const attempt of attempts) attempt[Symbol.dispose]();
    failTimes(begin, 10, "ada", "1.1.1.1");
    assertEquals(fail(begin, "grace", "1.1.1.1"), true);
  });

  it("a throttle of failed sign-ins removes the key whose last failure is the oldest, beyond 20,000 accounts and addresses", () => {
    const begin = createThrottle(now);
    failTimes(begin, 10, "ada", "1.1.1.1");
    for (let turn = 0; turn < 9_000; turn++) failTimes(begin, 1, `account ${turn}`, `address ${turn}`);
    assertEquals(fail(begin, "ada", "2.2.2.2"), false);
    for (let turn = 9_000; turn < 10_100; turn++) failTimes(begin, 1, `account ${turn}`, `address ${turn}`);
    assertEquals(fail(begin, "ada", "2.2.2.2"), true);
  });
});
