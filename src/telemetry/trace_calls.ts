import { isPromise } from "../core/values/maybe_promise.ts";
import { hasProperties, requireThat } from "../core/values/assert.ts";
import type { OpenTelemetry } from "./open_telemetry.ts";
import { ERROR, recordError } from "./record_error.ts";
import { SCOPE } from "./record_request.ts";
import { requireModule } from "./require_module.ts";

/**
 * Records the calls of the functions of an object, such as a store of sessions: each as a span, which is a child of the
 * active one. Its name consists of the names of the object and the function, such as `sessions.find`. Arguments and
 * results are not recorded. A promise is part of the call. A thrown error is recorded, and thrown again.
 *
 * @typeParam Target The object.
 * @param api The module `@opentelemetry/api`.
 * @param name The name of the object.
 * @param target The object.
 * @returns An object that calls the functions of `target`.
 * @throws A `TypeError` if `api` is not the module, or `target` not an object.
 *
 * @example The calls of a store
 * ```ts
 * import { sessionStore } from "@fw/core/memory";
 * import { traceCalls } from "@fw/core/telemetry";
 * import * as api from "@opentelemetry/api";
 *
 * const sessions = traceCalls(api, "sessions", sessionStore({ most: 10_000 }));
 * ```
 */
export function traceCalls<Target extends object>(api: OpenTelemetry, name: string, target: Target): Target {
  requireModule(api, "traceCalls");
  requireThat(hasProperties(target), "Argument target of traceCalls", "an object", target);
  const tracer = api.trace.getTracer(SCOPE);

  function trace(key: string, call: () => unknown): unknown {
    const parent = api.context.active();
    const span = tracer.startSpan(`${name}.${key}`, {}, parent);
    const failed = (error: unknown) => {
      span.setAttributes({ "error.type": recordError(span, error) });
      span.setStatus({ code: ERROR });
      span.end();
      throw error;
    };
    try {
      const result = api.context.with(api.trace.setSpan(parent, span), call);
      if (isPromise(result)) {
        return result.then((value) => {
          span.end();
          return value;
        }, failed);
      }
      span.end();
      return result;
    } catch (error) {
      return failed(error);
    }
  }

  // Not a proxy of the object itself: of a frozen object, it would have to return the functions as they are.
  return new Proxy(Object.create(target), {
    get(_, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function" || typeof key !== "string") return value;
      return (...args: readonly unknown[]) => trace(key, () => Reflect.apply(value, target, args));
    },
  });
}
