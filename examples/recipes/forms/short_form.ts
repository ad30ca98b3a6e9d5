import { type BodyReader, type BodyReaderResult, denyInvalid, type ValidInputGuard } from "@fw/core";
import { form } from "@fw/core/form";
import { MAX_STALL } from "../../shared/stall.ts";
import { mediaType } from "./bounded.ts";

const URLENCODED = "application/x-www-form-urlencoded";

/** Reads an urlencoded form, which must arrive within a minute. Files need `receive_upload.ts`. */
export const shortForm: BodyReader = {
  contentTypes: [URLENCODED],
  async read(request, maxBytes) {
    if (mediaType(request) !== URLENCODED) return { issue: { message: "Not a form", code: "unsupported_media_type" } };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const slow = new Promise<BodyReaderResult>((resolve) => {
      timer = setTimeout(() => resolve({ issue: { message: "Too slow", code: "body_too_slow" } }), MAX_STALL);
    });
    try {
      return await Promise.race([form.read(request, maxBytes), slow]);
    } finally {
      clearTimeout(timer);
    }
  },
};

/** A guard that answers a form that is not accepted with 415, 413, 408 or 400. */
export const acceptedForm: ValidInputGuard = denyInvalid(({ issues }) => {
  const [status, error] = ANSWERS.get(issues[0]?.code) ?? [];
  if (status !== undefined) return Response.json({ error }, { status });
  return Response.json({ error: "Invalid input", issues: issues.map(({ path, message }) => ({ path, message })) }, {
    status: 400,
  });
});

const ANSWERS: ReadonlyMap<string | undefined, readonly [status: number, error: string]> = new Map([
  ["unsupported_media_type", [415, "Unsupported media type"]],
  ["body_too_large", [413, "Content too large"]],
  ["body_too_slow", [408, "The body comes too slowly"]],
]);
