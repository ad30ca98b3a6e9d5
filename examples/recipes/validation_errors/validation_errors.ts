import { type Context, type InvalidInput, reply, type ValidationIssue } from "@fw/core";
import { acceptsLanguages } from "@std/http/negotiation"; // npm: npx jsr add @std/http
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
} as const;

/** How many errors are described. Each element of a long array can have one, which is longer than what was sent. */
const MAX_ERRORS = 20;

/** What is wrong with a body as a whole, by the code of its issue. */
const BODY_ISSUES: ReadonlyMap<string | undefined, BodyIssue> = new Map<string, BodyIssue>([
  ["unsupported_media_type", { status: 415, type: "unsupported-type", title: "unsupported" }],
  ["body_too_large", { status: 413, type: "too-large", title: "tooLarge" }],
  ["incomplete_body", { status: 400, type: "invalid-input", title: "title", detail: "incomplete" }],
  ["invalid_json", { status: 400, type: "invalid-input", title: "title", detail: "notJson" }],
  ["invalid_form", { status: 400, type: "invalid-input", title: "title", detail: "notForm" }],
]);

interface BodyIssue {
  readonly status: 400 | 413 | 415;
  readonly type: string;
  readonly title: keyof Messages;
  readonly detail?: keyof Messages;
}

/**
 * Describes invalid input in the language that the client likes best. Give it to `denyInvalid`. It responds with 415 or 413
 * for a body that is not read, 400 for one that cannot be parsed and for an invalid url, 422 if only values in the body are
 * invalid.
 */
export function describeInvalid({ failed, issues }: InvalidInput, { request }: Context) {
  const language = languageOf(request);
  const messages = MESSAGES[language] ?? MESSAGES.en;
  const details = new Map(Object.entries(messages));
  const { status, type, title } = issues.map(bodyIssueOf).find((known) => known !== undefined) ??
    { status: failed.every((part) => part === "body") ? 422 : 400, type: "invalid-input", title: "title" } as const;

  // One for each field, however many issues it has.
  const errors = new Map<string, { readonly detail: string }>();
  for (const issue of issues) {
    if (errors.size === MAX_ERRORS) break;
    const location = locationOf(issue);
    const key = Object.values(location).join();
    // Messages of a library are not shown: they are not translated, and some quote the input.
    const message = bodyIssueOf(issue)?.detail ?? issue.message;
    errors.set(key, { ...location, detail: details.get(message) ?? messages.other });
  }

  return reply(status, {
    type: `https://example.com/problems/${type}`,
    title: messages[title],
    status,
    ...title === "title" && { errors: [...errors.values()] },
  }, {
    contentType: "application/problem+json",
    headers: { "content-language": language, "vary": "accept-language" },
  });
}

/** A header that no client needs is ignored: the time to parse it grows with its length. */
function languageOf(request: Request): string {
  const accepted = request.headers.get("accept-language") ?? "";
  if (accepted.length > 1_000) return "en"; // browsers send less than 200 characters
  return acceptsLanguages(request, ...Object.keys(MESSAGES)) ?? "en";
}

/** A schema may have issues with codes of its own. */
function bodyIssueOf({ part, path, code }: ValidationIssue): BodyIssue | undefined {
  return part === "body" && path.length === 0 ? BODY_ISSUES.get(code) : undefined;
}

/** Where in the request the issue is: a JSON Pointer into the body, or the name of a parameter. */
function locationOf({ part, path }: ValidationIssue): { readonly pointer: string } | { readonly parameter: string } {
  if (part !== "body") return { parameter: path.join(".") };
  // A key may be half of a surrogate pair, which cannot be encoded.
  const keys = path.map((key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1").toWellFormed()));
  return { pointer: `#${keys.map((key) => `/${key}`).join("")}` };
}
