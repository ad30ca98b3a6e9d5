import { describeKind } from "../../core/values/assert.ts";

/** What an error says. */
export interface DescribedError {
  /** The name, such as `RangeError`. */
  readonly name: string;
  /** The first line of its message. */
  readonly message: string;
  /** The file and the line of the application where it was thrown; `""` if that is not known. */
  readonly at: string;
}

/**
 * Describes what was thrown.
 *
 * @param error An error, or anything else.
 * @returns Its name, its message and its place.
 */
export function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) {
    // `String` of an object without a prototype throws.
    const message = typeof error === "string" ? error.slice(0, 100) : describeKind(error);
    return { name: "what is no error", message, at: "" };
  }
  const frames = Array.from((error.stack ?? "").matchAll(FRAME), ([, place]) => place as string);
  const own = frames.find((place) => !place.startsWith(OURS) && !LIBRARY.test(place)) ?? "";
  const message = error.message.replace(/\n[^]*/, "");
  return { name: error.name, message: message.slice(0, 200), at: own.replace(/^file:\/\//, "").replace(/:\d+$/, "") };
}

/** A place in a stack, on V8 and JavaScriptCore. */
const FRAME = /(?:\(|@|at (?:async )?)((?:[a-z]+:\/\/)?[^\s()@]*\/[^\s()@]+:\d+:\d+)\)?$/gm;

/** Where the framework is: the directory `src/`, or nowhere if it is in a bundle with the app. */
const OURS =
  /* @__PURE__ */ (() =>
    String(import.meta.url).replace(/(?<=\/src\/)testing\/fuzz\/describe_error\.\w+$/, "").replace(
      /(?<!\/src\/)$/,
      "?nowhere",
    ))();

const LIBRARY = /node_modules|\/deno\/npm\/|^(?:ext|node|jsr|https?):/;
