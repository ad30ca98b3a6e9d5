import { type BodyReader, denyInvalid, reply, type ValidationIssue } from "@fw/core";
import { form } from "@fw/core/body";
import { isLate, paced } from "./paced.ts";

const URLENCODED = "application/x-www-form-urlencoded";

/** Reads an urlencoded form of at most 64 KiB, which must arrive within a minute. Files need more: see the forms recipe. */
export const shortForm: BodyReader = {
  contentTypes: [URLENCODED],
  async read(request, maxBytes) {
    const mediaType = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
    if (mediaType !== URLENCODED) return { issue: { message: "Not a form", code: "unsupported_media_type" } };
    return await paced(form).read(request, Math.min(maxBytes, 64 * 1024));
  },
};

/** A guard that denies a form that is not accepted with 415, 413, 408 or 400. */
export const acceptedForm = denyInvalid(({ issues }, c) => refuse(issues, c.request));

/** The response to a form, or to a part of one, that is not accepted. */
export function refuse(issues: readonly ValidationIssue[], request: Request) {
  const known = isLate(request) ? LATE : ANSWERS.get(issues[0]?.code);
  return known === undefined
    ? reply(400, { error: "Invalid input", issues: issues.map(({ path, message }) => ({ path, message })) })
    : reply(known.status, { error: known.error });
}

const LATE = { status: 408, error: "The body did not arrive in time" } as const;
const TOO_LARGE = { status: 413, error: "Content too large" } as const;
const ANSWERS = new Map<string | undefined, { readonly status: 413 | 415; readonly error: string }>([
  ["unsupported_media_type", { status: 415, error: "Unsupported media type" }],
  ["body_too_large", TOO_LARGE],
  ["file_too_large", TOO_LARGE],
  ["field_too_large", TOO_LARGE],
  ["too_many_parts", TOO_LARGE],
]);
