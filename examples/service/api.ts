/**
 * What clients see of the service: the server implements these endpoints, clients call them by `createClient`, and the
 * OpenAPI document describes them. A client in a browser imports this file, so nothing here is the server's.
 */

import { endpoint } from "@fw/core";
import { lines } from "@fw/core/events";
import { z } from "zod";
import { timedForm } from "./timed_form.ts";

export const failure = z.object({ error: z.string() });
const api = endpoint.with({ responses: { "4XX": { schema: failure }, 503: { schema: failure } } });
const signedIn = api.with({ docs: { security: [{ session: [] }] } });

/** Text that a database keeps as it is: no NUL, no half of a surrogate pair. White space around it is removed. */
const text = (max: number) =>
  z.string().trim().min(1).max(max).refine(
    (value) => value.isWellFormed() && !value.includes("\0"),
    "Invalid characters",
  );

/** A whole number in a query: decimal digits and nothing else. `z.coerce.number` accepts `0x10` and `1e3`, too. */
const wholeNumber = (min: number, max: number) => {
  const error = `Must be a whole number from ${min} to ${max}, in decimal digits`;
  const isNumber = (value: string) => /^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max;
  return z.string().refine(isNumber, error).transform(Number);
};

const email = z.string().trim().toLowerCase().pipe(z.email().max(254));
const credentials = z.object({ email, password: z.string().min(8).max(1000) });
const form = { bodyReader: timedForm, maxBodyBytes: 8 * 1024 };
const toPage = { 303: { description: "Done: to the page" } };

export const signUp = api.post("/sign-up", {
  request: { body: credentials.extend({ name: text(100) }), ...form },
  responses: toPage,
});
export const signIn = api.post("/sign-in", { request: { body: credentials, ...form }, responses: toPage });
export const signOut = api.post("/sign-out", { responses: toPage });
export const showMe = signedIn.get("/api/me", {
  responses: { 200: { schema: z.object({ email: z.string(), name: z.string() }) } },
});

/** A picture, as its owner sees it. */
export const picture = z.object({ id: z.uuid(), title: z.string(), type: z.string(), createdAt: z.iso.datetime() });
const page = z.object({ data: z.array(picture), next: z.int().nullable() });
const pageQuery = z.object({
  limit: wholeNumber(1, 100).prefault("20"),
  before: wholeNumber(0, 999_999_999_999_999).optional(),
});

const pictures = signedIn.with({ prefix: "/api/pictures" });

export const listPictures = pictures.get("", { request: { query: pageQuery }, responses: { 200: { schema: page } } });
export const exportPictures = pictures.get("/export", { responses: { 200: lines(picture) } });
/**
 * The form is in memory while it arrives: see `upload` of the guards. A client that sends a key may repeat the request,
 * and adds one picture. A form of a page has no key.
 */
export const addPicture = pictures.post("", {
  request: {
    headers: z.object({ "idempotency-key": z.string().regex(/^[!-~]{1,255}$/).optional() }),
    body: z.object({ title: text(200), file: z.file() }),
    bodyReader: timedForm,
    maxBodyBytes: 5 * 1024 * 1024,
  },
  responses: { 201: { schema: picture } },
});
export const showFile = pictures.on(["GET", "HEAD"], "/:id/file", { responses: { 200: { description: "The file" } } });
export const deletePicture = pictures.delete("/:id", { responses: { 204: {} } });
