// Answers invalid input in one place for all routes: problem details (RFC 9457), one message per field, translated.
// Nothing here is Deno's: it also runs on Bun and Node.js.

import { type Context, type InvalidInput, reply, type ValidationIssue } from "@fw/core";
import { acceptsLanguages } from "@std/http/negotiation";
import { z } from "zod";
import { MESSAGES, type Messages } from "./messages.ts";

/** The text of an issue is the key of its message. One that does not exist does not compile. */
export const say = (key: keyof Messages): string => key;

/** The response to invalid input, for `responses`. */
export const problem = {
  contentType: "application/problem+json",
  schema: z.object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    errors: z.array(z.object({ pointer: z.string(), parameter: z.string(), detail: z.string() }).partial()).optional(),
  }),
};

/** How many errors are described. Each element of a long array can have one, which is longer than what was sent. */
const MAX_ERRORS = 20;

/**
 * Describes invalid input. Give it to `denyInvalid`.
 *
 * @param input The input.
 * @param c The context, for the language that the client likes best.
 * @returns The response: 413 for a body that is too large, otherwise 400.
 */
export function describeInvalid({ issues }: InvalidInput, { request }: Context) {
  const language = acceptsLanguages(request, ...Object.keys(MESSAGES)) ?? "en";
  const messages = MESSAGES[language] ?? MESSAGES.en;
  const details = new Map(Object.entries(messages));
  const tooLarge = issues.some(({ code }) => code === "body_too_large");

  // One for each field, however many issues it has.
  const errors = new Map<string, { readonly detail: string }>();
  for (const issue of issues) {
    if (errors.size === MAX_ERRORS) break;
    const place = placeOf(issue);
    const key = Object.values(place).join();
    // Messages of a library are not shown: they are not translated, and some quote the input.
    const message = issue.code === "invalid_json" ? "notJson" : issue.message;
    errors.set(key, { ...place, detail: details.get(message) ?? messages.other });
  }

  const status = tooLarge ? 413 : 400;
  return reply(status, {
    type: `https://example.com/problems/${tooLarge ? "too-large" : "invalid-input"}`,
    title: tooLarge ? messages.tooLarge : messages.title,
    status,
    ...!tooLarge && { errors: [...errors.values()] },
  }, {
    headers: { "content-type": "application/problem+json", "content-language": language, "vary": "accept-language" },
  });
}

/** Where in the request the issue is: a JSON Pointer into the body, or the name of a parameter. */
function placeOf({ part, path }: ValidationIssue): { readonly pointer: string } | { readonly parameter: string } {
  if (part !== "body") return { parameter: path.join(".") };
  // A key may be half of a surrogate pair, which cannot be encoded.
  const keys = path.map((key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1").toWellFormed()));
  return { pointer: `#${keys.map((key) => `/${key}`).join("")}` };
}
