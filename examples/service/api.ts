/**
 * What clients see of the service: the server implements these endpoints, clients call them by `createClient`, and the OpenAPI
 * document describes them. A client in a browser imports this file, so nothing here is the server's.
 */

import { endpoint } from "@fw/core";
import { z } from "zod";
import { shortForm } from "../recipes/forms/short_form.ts";
import { trimmed } from "../shared/text.ts";
import { wholeNumber } from "../shared/whole_number.ts";

/** The body of an error. */
export const failure = z.looseObject({ error: z.string() });
const api = endpoint.with({ responses: { "4XX": { schema: failure }, 503: { schema: failure } } });
const signedIn = api.with({ docs: { security: [{ session: [] }] } });

const email = z.string().trim().toLowerCase().pipe(z.email().max(254));
const name = trimmed(100);
const credentials = z.object({ email, password: z.string().min(8).max(1000) });
const form = { bodyReader: shortForm, maxBodyBytes: 8 * 1024 };
const toPage = { 303: { description: "Done: to the page" } };

export const signUp = api.post("/sign-up", {
  request: { body: credentials.extend({ name }), ...form },
  responses: toPage,
});
export const signIn = api.post("/sign-in", { request: { body: credentials, ...form }, responses: toPage });
export const signOut = api.post("/sign-out", { responses: toPage });
export const showMe = signedIn.get("/api/me", { responses: { 200: { schema: z.object({ email, name }) } } });

/** A picture, as its owner sees it. */
export const picture = z.object({ id: z.uuid(), title: z.string(), type: z.string(), createdAt: z.iso.datetime() });
/** What is said of a picture that is added. */
export const caption = z.object({ title: trimmed(200) });
const page = z.object({ data: z.array(picture), next: z.int().nullable() });
const pageQuery = z.object({ limit: wholeNumber(1, 100).prefault(20), before: wholeNumber(0).optional() });
const upload = caption.extend({ file: z.file() });

const pictures = signedIn.with({ prefix: "/api/pictures" });

export const listPictures = pictures.get("", { request: { query: pageQuery }, responses: { 200: { schema: page } } });
/** The handler reads the body, since it streams the file to the disk: a client sends a `FormData`. */
export const addPicture = pictures.post("", {
  docs: { requestBody: { contentType: "multipart/form-data", schema: upload, required: true } },
  responses: { 201: { schema: picture } },
});
export const showFile = pictures.on(["GET", "HEAD"], "/:id/file", { responses: { 200: { description: "The file" } } });
export const deletePicture = pictures.delete("/:id", { responses: { 204: {} } });
