import type { Difference, Documents, Operation, Report, SchemaComparison } from "./change.ts";
import { escape, isAnything, isKeywords, type Keywords, recordOf, resolved, toJson } from "./keywords.ts";

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
      name += `${name === "" ? "" : "."}${tokens[++index]?.replaceAll("~1", "/").replaceAll("~0", "~")}`;
    }
  }
  return name;
}

/** The schema of a parameter or a header. */
export function schemasOf({ schema }: Keywords): readonly unknown[] {
  return schema === undefined ? [] : [schema];
}

/** Whether a schema allows every text, which the values of all other types become in a url or a header. */
export function isText({ type, ...others }: Keywords): boolean {
  return type === "string" &&
    Object.keys(others).every((key) => /^(title|description|examples?|default|x-.*)$/.test(key));
}

/** Compares the body of requests. */
export function compareRequestBody(documents: Documents, x: Operation, y: Operation, add: Report): void {
  const [was, is] = [x.value.requestBody, y.value.requestBody];
  const at = `${y.at}/requestBody`;
  if (was === undefined && is === undefined) return;
  const [a, b] = [resolved(was, documents.resolveBefore), resolved(is, documents.resolveAfter)];
  if (is === undefined) return add("breaking", `${x.at}/requestBody`, "request body: is removed");
  if (was === undefined) {
    const isRequired = b.required === true;
    return add(isRequired ? "breaking" : "safe", at, `request body: is new${isRequired ? " and required" : ""}`);
  }
  if (b.required === true && a.required !== true) add("breaking", at, "request body: is required now");
  if (a.required === true && b.required !== true) add("safe", at, "request body: is optional now");
  compareContent(documents.request, a, b, { at, place: "request body", side: "request" }, add);
}

/** Where a content is, and who sends it. */
interface Place {
  readonly at: string;
  readonly place: string;
  readonly side: "request" | "response";
}

/** Compares the media types of a body. */
export function compareContent(
  schemas: SchemaComparison,
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
    compareMedia(
      schemas,
      recordOf(media),
      recordOf(now),
      { at: `${at}/content/${escape(other)}`, place: name, side },
      add,
    );
  }
  for (const [type] of is) {
    if (!matched.has(type)) add("safe", at, `${place}: media type ${type} is new`);
  }
}

function compareMedia(schemas: SchemaComparison, x: Keywords, y: Keywords, where: Place, add: Report): void {
  const { at, place, side } = where;
  // XML has no types: a number and its text are written alike.
  const report: Report = XML.test(at)
    ? (level, ...change) => add(level === "breaking" ? "risky" : level, ...change)
    : add;
  for (const key of ["schema", "itemSchema"]) {
    const [a, b] = [x, y].map((media) => isNothing(media[key]) ? undefined : [media[key]]);
    const name = key === "schema" ? place : `${place}, each item`;
    const found = schemas.compare(a ?? [], b ?? []);
    if (a !== undefined && b !== undefined) reportAll(found, `${at}/${key}`, name, report);
    else if (found.length === 0) continue;
    else if (a !== undefined) add(side === "request" ? "safe" : "risky", at, `${name}: has no schema any more`);
    else if (b !== undefined) add(side === "request" ? "breaking" : "safe", at, `${name}: has a schema now`);
  }
  if (toJson(x.encoding ?? {}) !== toJson(y.encoding ?? {})) {
    add("risky", `${at}/encoding`, `${place}: encoding has changed`);
  }
}

/** The place of a media type of XML. */
const XML = /(~1|\+)xml\b[^/]*$/i;

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
export function compareResponses(documents: Documents, x: Operation, y: Operation, add: Report): void {
  const [was, is] = [statusesOf(x), statusesOf(y)];
  for (const [status, response] of is) {
    const at = `${y.at}/responses/${status}`;
    const old = find(was, status);
    if (old === undefined) {
      const isError = /^[45D]/.test(status);
      add(
        isError ? "risky" : "breaking",
        at,
        `${nameStatus(status)}: is new${isError ? "" : ", and clients do not know it"}`,
      );
    } else {
      compareResponse(
        documents,
        resolved(old, documents.resolveBefore),
        resolved(response, documents.resolveAfter),
        at,
        status,
        add,
      );
    }
  }
  for (const [status, response] of was) {
    if (is.has(status)) continue;
    const now = find(is, status);
    const at = `${x.at}/responses/${status}`;
    if (now === undefined) {
      // A range may have become its statuses.
      const isLost = status.startsWith("2") &&
        (status !== "2XX" || ![...is.keys()].some((other) => other.startsWith("2")));
      add(isLost ? "risky" : "safe", at, `${nameStatus(status)}: is no longer sent`);
    } else {
      compareResponse(
        documents,
        resolved(response, documents.resolveBefore),
        resolved(now, documents.resolveAfter),
        at,
        status,
        add,
      );
    }
  }
}

/** The responses, with ranges in capital letters. */
function statusesOf({ value }: Operation): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(recordOf(value.responses)).map(([status, one]) => [status.toUpperCase(), one]));
}

/** The headers, whose names have no case. */
function headersOf({ headers }: Keywords): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(recordOf(headers)).map(([name, header]) => [name.toLowerCase(), header]));
}

function nameStatus(status: string): string {
  return `response ${status === "DEFAULT" ? "default" : status}`;
}

/** The response that describes a status: its own, that of its range, or the default. */
function find(responses: ReadonlyMap<string, unknown>, status: string): unknown {
  return responses.get(status) ?? responses.get(`${status.charAt(0)}XX`) ?? responses.get("DEFAULT");
}

function compareResponse(
  documents: Documents,
  x: Keywords,
  y: Keywords,
  at: string,
  status: string,
  add: Report,
): void {
  const place = nameStatus(status);
  if (isKeywords(y.content) || !isKeywords(x.content) || Object.keys(x.content).length === 0) {
    compareContent(documents.response, x, y, { at, place, side: "response" }, add);
  } else add("breaking", at, `${place}: has no body any more`);
  const [was, is] = [headersOf(x), headersOf(y)];
  for (const [name, header] of was) {
    const where = `${at}/headers/${escape(name)}`;
    const ofHeader = `header ${toJson(name)} of ${place}`;
    const a = resolved(header, documents.resolveBefore);
    if (!is.has(name)) {
      const level = documents.levelOfRemoval(a, a.required === true ? "breaking" : "risky");
      add(level, where, `${ofHeader}: is removed`);
      continue;
    }
    const b = resolved(is.get(name), documents.resolveAfter);
    if (a.required === true && b.required !== true) add("breaking", where, `${ofHeader}: is optional now`);
    if (b.required === true && a.required !== true) add("safe", where, `${ofHeader}: is required now`);
    compareHeader(documents, a, b, { at: where, place: ofHeader, side: "response" }, add);
  }
  for (const name of is.keys()) {
    if (!was.has(name)) add("safe", `${at}/headers/${escape(name)}`, `header ${toJson(name)} of ${place}: is new`);
  }
}

function compareHeader(documents: Documents, x: Keywords, y: Keywords, where: Place, add: Report): void {
  const { at, place } = where;
  const [isContent, isNow] = [isKeywords(x.content), isKeywords(y.content)];
  if (isContent && isNow) return compareContent(documents.response, x, y, where, add);
  if (isContent || isNow || (x.explode ?? false) !== (y.explode ?? false)) {
    return add("risky", at, `${place}: is written in another way`);
  }
  const { type, nullable } = resolved(y.schema, documents.resolveAfter);
  const isNumber = /^(boolean|integer|number)$/.test(`${type}`) && !nullable;
  if (isNumber && isText(resolved(x.schema, documents.resolveBefore))) {
    return add("safe", `${at}/schema`, `${place}: type was string, is ${type}, which is text in a header`);
  }
  reportAll(documents.response.compare(schemasOf(x), schemasOf(y)), `${at}/schema`, place, add);
}
