import { type BodyReader, type BodyReaderResult, denyInvalid, reply } from "@fw/core";
import { form } from "@fw/core/body";

/** How long a form may take to arrive, in milliseconds. */
const MAX_WAIT = 60_000;

const URLENCODED = "application/x-www-form-urlencoded";

/** Reads an urlencoded form, which must arrive within a minute. Files need more: see the forms recipe. */
export const shortForm: BodyReader = {
  contentTypes: [URLENCODED],
  async read(request, maxBytes) {
    if (mediaType(request) !== URLENCODED) return { issue: { message: "Not a form", code: "unsupported_media_type" } };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const slow = new Promise<BodyReaderResult>((resolve) => {
      timer = setTimeout(() => resolve({ issue: { message: "Too slow", code: "body_too_slow" } }), MAX_WAIT);
    });
    return await Promise.race([form.read(request, maxBytes), slow]).finally(() => clearTimeout(timer));
  },
};

/** A guard that denies a form that is not accepted with 415, 413, 408 or 400. */
export const acceptedForm = denyInvalid(({ issues }) => {
  const known = ANSWERS.get(issues[0]?.code);
  return known === undefined
    ? reply(400, { error: "Invalid input", issues: issues.map(({ path, message }) => ({ path, message })) })
    : reply(known.status, { error: known.error });
});

const ANSWERS = new Map<string | undefined, { readonly status: 408 | 413 | 415; readonly error: string }>([
  ["unsupported_media_type", { status: 415, error: "Unsupported media type" }],
  ["body_too_large", { status: 413, error: "Content too large" }],
  ["body_too_slow", { status: 408, error: "The body comes too slowly" }],
]);

/** The media type of a request, in lower case and without its parameters. */
export function mediaType({ headers }: Request): string | undefined {
  return headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
}
