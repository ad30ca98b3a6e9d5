import { form, type FormReader } from "@fw/core/body";

/** How long a form may take to arrive, in milliseconds. */
const MAX_WAIT = 60_000;

export const timedForm: FormReader = {
  ...form,
  async read(request, maxBytes) {
    const slow = AbortSignal.timeout(MAX_WAIT);
    // The body ends at the signal, so nothing more of it is kept.
    const body = request.body?.pipeThrough(new TransformStream<Uint8Array<ArrayBuffer>>(), { signal: slow }) ?? null;
    const init: RequestInit & { readonly duplex: "half" } = {
      method: "POST",
      headers: request.headers,
      body,
      duplex: "half",
    };
    const result = await form.read(new Request("http://localhost", init), maxBytes);
    return slow.aborted ? { issue: { message: "The body comes too slowly", code: "body_too_slow" } } : result;
  },
};
