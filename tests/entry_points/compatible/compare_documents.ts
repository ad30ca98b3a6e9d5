/** What several tests of `compatible` call. */
import { type Change, compatible } from "../../../src/compatible/mod.ts";

/** A document with these paths. */
export function documentWith(paths: object, more: object = {}): object {
  return { openapi: "3.1.0", info: { title: "Test", version: "1" }, paths, ...more };
}

/** A document with this operation at `POST /x`. */
export function documentOfOperation(operation: object, more: object = {}): object {
  return documentWith({ "/x": { post: { responses: { 204: { description: "" } }, ...operation } } }, more);
}

const content = (schema: unknown) => ({ content: { "application/json": { schema } } });

/** A document whose request has this body. */
export const sending = (schema: unknown, more: object = {}): object =>
  documentOfOperation({ requestBody: { required: true, ...content(schema) } }, more);

/** A document whose response has this body. */
export const receiving = (schema: unknown, more: object = {}): object =>
  documentOfOperation({ responses: { 200: { description: "", ...content(schema) } } }, more);

/** The changes as lines: level, and what. */
export function linesOf(changes: readonly Change[]): readonly string[] {
  return changes.map(({ level, what }) => `${level}: ${what.replace(/^(request body|response 200)(: |, )/, "")}`);
}

/** The changes of one side, as lines. */
export function changesOf(side: "request" | "response", before: unknown, after: unknown, more: object = {}) {
  const documentOf = side === "request" ? sending : receiving;
  return linesOf(compatible(documentOf(before, more), documentOf(after, more)));
}

/** The worst level; `none` without changes. */
export function worstOf(changes: readonly { readonly level: string }[]): string {
  return ["breaking", "risky", "safe"].find((level) => changes.some((change) => change.level === level)) ?? "none";
}
