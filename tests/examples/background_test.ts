import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createBackground } from "../../examples/runtimes/background.ts";
import { until } from "../support/until.ts";

describe("createBackground() of examples/runtimes/", () => {
  it("createBackground() does not begin more work than may run at once, and takes more when some has ended", async () => {
    const logged: unknown[] = [];
    const after = createBackground({ max: 2, maxTime: 60_000 }, (error) => logged.push(error));
    const begun: PromiseWithResolvers<void>[] = [];
    const work = () => {
      const task = Promise.withResolvers<void>();
      begun.push(task);
      return task.promise;
    };
    assertEquals([after(work), after(work), after(work), begun.length], [true, true, false, 2]);
    begun[0]?.resolve();
    await until(() => after(work));
    assertEquals([after(work), begun.length], [false, 3]);

    // Also when it fails, or throws before it returns a promise.
    begun[1]?.reject("failed");
    await until(() =>
      after(() => {
        throw "thrown";
      })
    );
    await until(() => after(work));
    assertEquals(logged, ["failed", "thrown"]);
  });

  it("createBackground() aborts the signal of work that takes too long", async () => {
    const logged: unknown[] = [];
    const after = createBackground({ max: 1, maxTime: 10 }, (error) => logged.push(error));
    // The timer of a signal does not keep the process alive, and what the work waits for does.
    const keepAlive = setTimeout(() => {}, 60_000);
    after((signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))));
    await until(() => logged.length === 1);
    clearTimeout(keepAlive);
    assertEquals(logged.map((error) => error instanceof DOMException && error.name), ["TimeoutError"]);
  });

  it("createBackground() goes on when the log throws or rejects", async () => {
    const rejections: unknown[] = [];
    const onRejection = (event: PromiseRejectionEvent) => {
      event.preventDefault();
      rejections.push(event.reason);
    };
    addEventListener("unhandledrejection", onRejection);
    try {
      for (
        const log of [() => {
          throw "The log throws";
        }, () => Promise.reject("The log rejects")]
      ) {
        const after = createBackground({ max: 1, maxTime: 60_000 }, log);
        after(() => Promise.reject("failed"));
        await until(() => after(() => Promise.resolve()));
      }
      assertEquals(rejections, []);
    } finally {
      removeEventListener("unhandledrejection", onRejection);
    }
  });
});
