import { assert, assertEquals } from "@std/assert";
import { beforeEach, it } from "@std/testing/bdd";
import { pause, until } from "../support/until.ts";
import { describeServed } from "./describe_served.ts";
import { discard } from "./discard.ts";

/** A line of the log. */
interface Line {
  readonly requestId: string;
  readonly method?: string;
  readonly route: string | null;
  readonly status?: number;
  readonly durationMs?: number;
  readonly error?: string;
}

describeServed("examples/access_log.ts", (served) => {
  let seen = 0;
  beforeEach(() => void (seen = readLines().length));

  /** All printed lines after the first one, in which Deno says where it listens. */
  const readLines = () => served.printed().split("\n").slice(1, -1);
  /** Waits for `count` lines and returns all lines printed since the test began. */
  const logged = async (count: number): Promise<readonly Line[]> => {
    await until(() => readLines().length >= seen + count);
    // Gives an unexpected line the time to appear.
    await pause(50);
    return readLines().slice(seen).map((line) => JSON.parse(line));
  };

  it("access_log.ts logs only the id, method, pattern, status and duration", async () => {
    const started = performance.now();
    const { headers } = await served.request("/books/emma?token=secret", {
      headers: { "user-agent": "secret", cookie: "secret" },
    }).then(discard);
    const [line, ...others] = await logged(1);
    assertEquals(others, []);
    const { durationMs, ...rest } = line ?? {};
    const requestId = headers.get("x-request-id");
    assertEquals(rest, { requestId, method: "GET", route: "/books/:id", status: 200 });
    assert(typeof durationMs === "number" && durationMs >= 0 && durationMs <= performance.now() - started);
    assert(!served.printed().includes("secret"));
  });

  it("access_log.ts logs an error with its stack on one line, and the 500 response on another, with one id", async () => {
    const response = await served.request("/broken");
    assertEquals([response.status, await response.json()], [500, { error: "Internal server error" }]);
    const lines = await logged(2);
    assertEquals(lines.length, 2);
    const failure = lines.find(({ error }) => error !== undefined);
    const access = lines.find(({ status }) => status !== undefined);
    const id = response.headers.get("x-request-id");
    assertEquals([failure?.requestId, failure?.route, access?.requestId], [id, "/broken", id]);
    assert(failure?.error?.includes("The disk is full\n    at "));
    assertEquals([access?.method, access?.route, access?.status], ["GET", "/broken", 500]);
  });
});
