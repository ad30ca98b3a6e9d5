import type { ComparedOperation, Difference, Documents, Report, SchemaComparison } from "./change.ts";
import { isAnything, isKeywords, type Keywords, recordOf, schemasOf, targetOf, toJson } from "./keywords.ts";
import { escapeToken, unescapeToken } from "../core/schemas/json_pointer.ts";

/** Adds the differences of schemas. `place` says where they are. */
export function reportAll(found: readonly Difference[], at: string, place: string, add: Report): void {
  for (const one of found) {
    const name = nameOf(one.at);
    add(one.level, at + one.at, `${place}${name === "" ? "" : `, ${name}`}: ${one.what}`);
  }
}

/** Names a place within a schema for people: `data[].title`. */
function nameOf(pointer: string): string {
  const tokens = pointer.split("/").slice(1);
  let name = "";
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token === "items") name += "[]";
    else if (token === "additionalProperties" && index < tokens.length - 1) name += "{}";
    else if (token === "prefixItems") name += `[${tokens[++index]}]`;
    else if (token === "properties") {
      name += `${name === "" ? "" : "."}${unescapeToken(tokens[++index] ?? "")}`;
    }
  }
  return name;
}

/** Compares the body of requests. */
export function compareRequestBody(
  documents: Documents,
  x: ComparedOperation,
  y: ComparedOperation,
  add: Report,
): void {
  const [was, is] = [x.value.requestBody, y.value.requestBody];
  const at = `${y.at}/requestBody`;
  if (was === undefined && is === undefined) return;
  const [a, b] = [targetOf(was, documents.resolveBefore), targetOf(is, documents.resolveAfter)];
  if (is === undefined) return add("breaking", `${x.at}/requestBody`, "request body: is removed");
  if (was === undefined) {
    const isRequired = b.required === true;
    return add(isRequired ? "breaking" : "safe", at, `request body: is new${isRequired ? " and required" : ""}`);
  }
  if (b.required === true && a.required !== true) add("breaking", at, "request body: is required now");
  if (a.required === true && b.required !== true) add("safe", at, "request body: is optional now");
  compareContent(documents, a, b, { at, place: "request body", side: "request" }, add);
}

/** Where a content is, and who sends it. */
interface Place {
  readonly at: string;
  readonly place: string;
  readonly side: "request" | "response";
}

/** Compares the media types of a body. */
export function compareContent(
  documents: Documents,
  x: Keywords,
  y: Keywords,
  { at, place, side }: Place,
  add: Report,
): void {
  const was = Object.entries(recordOf(x.content));
  const is = Object.entries(recordOf(y.content));
  const matched = new Set<string>();
  for (const [type, media] of was) {
    const same = is.find(([other]) => normalize(other) === normalize(type));
    const covered = is.find(([other]) => side === "request" ? covers(other, type) : covers(type, other));
    const similar = is.find(([other]) => baseOf(other) === baseOf(type)) ??
      is.find(([other]) =>
        side === "response" && isKindOf(other, type) && !was.some(([old]) => normalize(old) === normalize(other))
      );
    const match = same ?? covered ?? similar;
    const name = was.length === 1 ? place : `${place} (${type})`;
    if (match === undefined) {
      add("breaking", at, `${place}: media type ${type} is removed`);
      continue;
    }
    const [other, now] = match;
    matched.add(other);
    if (match === similar && match !== same) add("risky", at, `${place}: media type ${type} is now ${other}`);
    const [before, after] = [targetOf(media, documents.resolveBefore), targetOf(now, documents.resolveAfter)];
    const where = { at: `${at}/content/${escapeToken(other)}`, place: name, side };
    compareMedia(documents[side][MARKUP.test(baseOf(other)) ? "markup" : "json"], before, after, where, add);
    compareEncodings(documents, before, after, where, add);
    if (side === "request" && baseOf(other) === "multipart/form-data") {
      compareFiles(documents, before, after, where, add);
    }
  }
  for (const [type] of is) {
    if (!matched.has(type)) add("safe", at, `${place}: media type ${type} is new`);
  }
}

function compareMedia(schemas: SchemaComparison, x: Keywords, y: Keywords, where: Place, add: Report): void {
  const { at, place, side } = where;
  for (const key of ["schema", "itemSchema"]) {
    const [a, b] = [x, y].map((media) => isNothing(media[key]) ? undefined : [media[key]]);
    const name = key === "schema" ? place : `${place}, each item`;
    const found = schemas.compare(a ?? [], b ?? []);
    if (a !== undefined && b !== undefined) reportAll(found, `${at}/${key}`, name, add);
    else if (found.length === 0) continue;
    else if (a !== undefined) add(side === "request" ? "safe" : "risky", at, `${name}: has no schema any more`);
    else if (b !== undefined) add(side === "request" ? "breaking" : "safe", at, `${name}: has a schema now`);
  }
}

/** Compares how the parts of a form are sent. A property that only one of the schemas has is no change of its encoding. */
function compareEncodings(documents: Documents, x: Keywords, y: Keywords, where: Place, add: Report): void {
  const [was, is] = [recordOf(x.encoding), recordOf(y.encoding)];
  const before = recordOf(targetOf(x.schema, documents.resolveBefore).properties);
  const after = recordOf(targetOf(y.schema, documents.resolveAfter).properties);
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
    if (Object.hasOwn(before, name) !== Object.hasOwn(after, name)) continue;
    const [{ contentType: old, ...others }, { contentType: now, ...othersNow }] = [
      recordOf(was[name]),
      recordOf(is[name]),
    ];
    const at = `${where.at}/encoding/${escapeToken(name)}`;
    const place = `${where.place}, ${name}`;
    const isRequest = where.side === "request";
    if (toJson(others) !== toJson(othersNow) || !isRequest && old !== now) {
      add("risky", at, `${place}: encoding has changed`);
    }
    if (isRequest && old !== now) compareAcceptedTypes(old, now, { at, place }, add);
  }
}

/** Compares whether the parts of a form are files. For a schema, both are texts. */
function compareFiles(documents: Documents, x: Keywords, y: Keywords, { at, place }: Place, add: Report): void {
  const before = recordOf(targetOf(x.schema, documents.resolveBefore).properties);
  const after = recordOf(targetOf(y.schema, documents.resolveAfter).properties);
  for (const name of Object.keys(before).filter((key) => Object.hasOwn(after, key))) {
    const was = kindOfPart(before[name], recordOf(x.encoding)[name], documents.resolveBefore);
    const is = kindOfPart(after[name], recordOf(y.encoding)[name], documents.resolveAfter);
    if (was === is || was === undefined || is === undefined) continue;
    add("breaking", `${at}/schema/properties/${escapeToken(name)}`, `${place}, ${name}: is a ${is} now, and no ${was}`);
  }
}

/** What a part of a form is, as far as its schema tells. OpenAPI 3.1 has several ways to describe a file. */
function kindOfPart(
  schema: unknown,
  encoding: unknown,
  resolve: Documents["resolveBefore"],
): "file" | "field" | undefined {
  const part = targetOf(schema, resolve);
  const { type, format, contentMediaType, contentEncoding } = part.items === undefined
    ? part
    : targetOf(part.items, resolve);
  if (format === "binary" || contentMediaType === "application/octet-stream") return "file";
  if (format === "byte" || (contentMediaType ?? contentEncoding ?? recordOf(encoding).contentType) !== undefined) {
    return undefined;
  }
  return [type].flat().some((one) => FIELDS.has(String(one))) ? "field" : undefined;
}

/** The types of fields. */
const FIELDS: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean"]);

/** Compares the media types that a server accepts for a file, with commas between them. */
function compareAcceptedTypes(
  old: unknown,
  now: unknown,
  { at, place }: Pick<Place, "at" | "place">,
  add: Report,
): void {
  if (now === undefined) return add("safe", at, `${place}: any media type is accepted now`);
  if (old === undefined) return add("risky", at, `${place}: only ${now} is accepted now`);
  const [before, after] = [old, now].map((types) => `${types}`.split(","));
  const missing = (types: readonly string[] = [], among: readonly string[] = []) =>
    types.filter((type) => !among.some((other) => normalize(other) === normalize(type) || covers(other, type)));
  for (const type of missing(before, after)) add("breaking", at, `${place}: media type ${type.trim()} is removed`);
  for (const type of missing(after, before)) add("safe", at, `${place}: media type ${type.trim()} is new`);
}

/** Media types that have no types: a number and its text are written alike. */
const MARKUP = /[/+]xml$|^application\/x-www-form-urlencoded$|^multipart\//;

/** Whether a schema says nothing. OpenAPI 3.0 says of bytes that they are text of this format. */
function isNothing(schema: unknown): boolean {
  const { type, format, ...others } = recordOf(schema);
  return isAnything(schema) || (type === "string" && format === "binary" && isAnything(others));
}

function normalize(type: string): string {
  return type.toLowerCase().replaceAll(/\s+/g, "");
}

function baseOf(type: string): string {
  return normalize(type).replace(/;.*/, "");
}

/** Whether a media type is a range that includes another: `image/*`. */
function covers(range: string, type: string): boolean {
  const base = baseOf(range);
  return base === "*/*" || (base.endsWith("/*") && baseOf(type).startsWith(base.slice(0, -1)));
}

/** Whether a media type is written as another one, such as `application/problem+json` as `application/json`. */
function isKindOf(type: string, general: string): boolean {
  const [, syntax] = /^(?:application|text)\/(json|xml)$/.exec(baseOf(general)) ?? [];
  return syntax !== undefined && baseOf(type).endsWith(`+${syntax}`);
}

/** Compares the responses. */
export function compareResponses(documents: Documents, x: ComparedOperation, y: ComparedOperation, add: Report): void {
  const [was, is] = [statusesOf(x), statusesOf(y)];
  for (const [status, response] of is) {
    const old = find(was, status);
    if (old !== undefined) compareResponse(documents, old, response, add);
    else if (/^[45D]/.test(status)) add("risky", response.at, `response ${response.name}: is new`);
    else add("breaking", response.at, `response ${response.name}: is new, and clients do not know it`);
  }
  for (const [status, response] of was) {
    if (is.has(status)) continue;
    const now = find(is, status);
    if (now !== undefined) compareResponse(documents, response, { ...now, name: response.name }, add);
    else {
      // A range may have become its statuses.
      const isLost = status.startsWith("2") &&
        (status !== "2XX" || ![...is.keys()].some((other) => other.startsWith("2")));
      add(isLost ? "risky" : "safe", response.at, `response ${response.name}: is no longer sent`);
    }
  }
}

/** A value of an object whose keys are names without a case. */
interface NamedValue {
  readonly name: string;
  readonly at: string;
  readonly value: unknown;
}

/** The values by their names in one case. Extensions are no names of statuses, but may be those of headers. */
function namedIn(values: unknown, at: string, fold: (name: string) => string): ReadonlyMap<string, NamedValue> {
  return new Map(
    Object.entries(recordOf(values)).map((
      [name, value],
    ) => [fold(name), { name, at: `${at}/${escapeToken(name)}`, value }]),
  );
}

/** The responses, with ranges in capital letters, without extensions. */
function statusesOf({ value, at }: ComparedOperation): ReadonlyMap<string, NamedValue> {
  const named = namedIn(value.responses, `${at}/responses`, (status) => status.toUpperCase());
  return new Map([...named].filter(([status]) => !status.startsWith("X-")));
}

/** The response that describes a status: its own, that of its range, or the default. */
function find(responses: ReadonlyMap<string, NamedValue>, status: string): NamedValue | undefined {
  return responses.get(status) ?? responses.get(`${status.charAt(0)}XX`) ?? responses.get("DEFAULT");
}

function compareResponse(documents: Documents, before: NamedValue, after: NamedValue, add: Report): void {
  const { resolveBefore, resolveAfter, levelOfRemoval } = documents;
  const [x, y] = [targetOf(before.value, resolveBefore), targetOf(after.value, resolveAfter)];
  const { at } = after;
  const place = `response ${after.name}`;
  if (isKeywords(y.content) || !isKeywords(x.content) || Object.keys(x.content).length === 0) {
    compareContent(documents, x, y, { at, place, side: "response" }, add);
  } else add("breaking", at, `${place}: has no body any more`);
  const [was, is] = [headersIn(x, before.at), headersIn(y, at)];
  for (const [name, header] of was) {
    const now = is.get(name);
    const ofHeader = `header ${toJson(name)} of ${place}`;
    const a = targetOf(header.value, resolveBefore);
    if (now === undefined) {
      add(levelOfRemoval(a, a.required === true ? "breaking" : "risky"), header.at, `${ofHeader}: is removed`);
      continue;
    }
    const b = targetOf(now.value, resolveAfter);
    if (a.required === true && b.required !== true) add("breaking", now.at, `${ofHeader}: is optional now`);
    if (b.required === true && a.required !== true) add("safe", now.at, `${ofHeader}: is required now`);
    compareHeader(documents, a, b, { at: now.at, place: ofHeader, side: "response" }, add);
  }
  for (const [name, header] of is) {
    if (!was.has(name)) add("safe", header.at, `header ${toJson(name)} of ${place}: is new`);
  }
}

function headersIn({ headers }: Keywords, at: string): ReadonlyMap<string, NamedValue> {
  return namedIn(headers, `${at}/headers`, (name) => name.toLowerCase());
}

function compareHeader(documents: Documents, x: Keywords, y: Keywords, where: Place, add: Report): void {
  const { at, place } = where;
  const [isContent, isNow] = [isKeywords(x.content), isKeywords(y.content)];
  if (isContent && isNow) return compareContent(documents, x, y, where, add);
  if (isContent || isNow || (x.explode ?? false) !== (y.explode ?? false)) {
    return add("risky", at, `${place}: is written in another way`);
  }
  reportAll(documents.response.text.compare(schemasOf(x.schema), schemasOf(y.schema)), `${at}/schema`, place, add);
}
