import { METHODS } from "../core/routing/method.ts";
import { escapeToken } from "../core/schemas/json_pointer.ts";
import type { Change, ComparedOperation, Documents, Level, Report } from "./change.ts";
import { compareContent, compareRequestBody, compareResponses } from "./compare_bodies.ts";
import { compareParameters } from "./compare_parameters.ts";
import { compareSecurity } from "./compare_security.ts";
import { isKeywords, type Keywords, recordOf, shapeOf, shorten, sunsetOf, targetOf, toJson } from "./keywords.ts";

/**
 * Compares all operations of two documents.
 *
 * @param documents The documents.
 * @returns The changes.
 */
export function compareOperations(documents: Documents): readonly Change[] {
  const { before, after, resolveBefore, resolveAfter, levelOfRemoval } = documents;
  const changes: Change[] = [];
  for (const key of ["paths", "webhooks"]) {
    const x = operationsOf(recordOf(before[key]), `/${key}`, resolveBefore);
    const y = operationsOf(recordOf(after[key]), `/${key}`, resolveAfter);
    for (const [shape, old] of x) {
      const now = y.get(shape);
      const add = (level: Level, at: string, what: string) => changes.push({ level, operation: old.name, at, what });
      if (now === undefined) add(levelOfRemoval(old.value, "breaking"), old.at, describeRemoval(old.value));
      else if (key === "webhooks") compareReversed(documents, old, now, add);
      else compareOperation(documents, old, now, add);
    }
    for (const [shape, { name, at }] of y) {
      if (!x.has(shape)) changes.push({ level: "safe", operation: name, at, what: "is new" });
    }
  }
  const [was, is] = [serversOf([before, ""]), serversOf([after, ""])];
  compareServers(was, is, (level, at, what) => changes.push({ level, operation: "", at, what }));
  return changes;
}

function describeRemoval(removed: Keywords): string {
  if (removed.deprecated !== true) return "is removed";
  const sunset = sunsetOf(removed);
  return sunset === "" ? "is removed, and was deprecated" : `is removed, and was deprecated until ${sunset}`;
}

/**
 * The operations of path items, by their method and the shape of their path: the names of parameters do not matter.
 * Beside paths, there are the names of webhooks, and the urls of callbacks.
 */
function operationsOf(
  items: Keywords,
  place: string,
  resolve: Documents["resolveBefore"],
): ReadonlyMap<string, ComparedOperation> {
  const operations = new Map<string, ComparedOperation>();
  for (const [path, value] of Object.entries(items)) {
    if (place === "/paths" && !path.startsWith("/")) continue; // an extension
    const { $ref } = recordOf(value);
    const item: Keywords = { ...recordOf(typeof $ref === "string" ? resolve($ref) : undefined), ...recordOf(value) };
    const atItem = `${place}/${escapeToken(path)}`;
    const add = (method: string, operation: unknown, at: string) => {
      if (!isKeywords(operation)) return;
      const name = `${method} ${path}`;
      const shape = place === "/paths" ? `${method} ${shapeOf(path)}` : name;
      operations.set(shape, { name, path, at: `${atItem}${at}`, value: operation, item, atItem });
    };
    for (const method of [...METHODS, "TRACE"]) add(method, item[method.toLowerCase()], `/${method.toLowerCase()}`);
    for (const [method, operation] of Object.entries(recordOf(item.additionalOperations))) {
      add(method, operation, `/additionalOperations/${escapeToken(method)}`);
    }
  }
  return operations;
}

function compareOperation(documents: Documents, x: ComparedOperation, y: ComparedOperation, add: Report): void {
  compareDeprecation(x.value, y.value, y.at, add);
  const [was, is] = [x.value.operationId, y.value.operationId];
  if (was !== undefined && was !== is) {
    add(
      "risky",
      `${y.at}/operationId`,
      `operationId was ${toJson(was)}, is ${toJson(is)}: generated clients have it as a name`,
    );
  }
  compareSecurity(documents, x, y, add);
  compareParameters(documents, x, y, add);
  compareRequestBody(documents, x, y, add);
  compareResponses(documents, x, y, add);
  compareCallbacks(documents, x, y, add);
  compareOwnServers(documents, x, y, add);
}

/** Compares what the API sends to urls of its clients. */
function compareCallbacks(documents: Documents, x: ComparedOperation, y: ComparedOperation, add: Report): void {
  const { resolveBefore, resolveAfter } = documents;
  const [was, is] = [callbacksOf(x, resolveBefore), callbacksOf(y, resolveAfter)];
  for (const [shape, old] of was) {
    const now = is.get(shape);
    const report: Report = (level, at, what) => add(level, at, `callback ${old.name}, ${what}`);
    if (now === undefined) add("breaking", old.at, `callback ${old.name} is removed`);
    else compareReversed(documents, old, now, report);
  }
  for (const [shape, { name, at }] of is) if (!was.has(shape)) add("safe", at, `callback ${name} is new`);
}

function callbacksOf(
  { value, at }: ComparedOperation,
  resolve: Documents["resolveBefore"],
): ReadonlyMap<string, ComparedOperation> {
  const callbacks = Object.entries(recordOf(value.callbacks));
  return new Map(callbacks.flatMap(([name, callback]) => {
    const place = `${at}/callbacks/${escapeToken(name)}`;
    const operations = [...operationsOf(targetOf(callback, resolve), place, resolve)];
    return operations.map(([shape, operation]) => [`${name} ${shape}`, operation] as const);
  }));
}

function compareDeprecation(x: Keywords, y: Keywords, at: string, add: Report): void {
  const [was, is] = [x, y].map((one) => one.deprecated === true ? sunsetOf(one) : undefined);
  if (was === is || (was === undefined && is === undefined)) return;
  if (is === undefined) return add("safe", at, "is no longer deprecated");
  if (was === undefined) {
    return add(is === "" ? "safe" : "risky", at, is === "" ? "is deprecated" : `is deprecated, until ${toJson(is)}`);
  }
  const isLater = Date.parse(is) > Date.parse(was);
  add(
    isLater ? "safe" : "risky",
    at,
    `was deprecated until ${was || "a day not named"}, is until ${is || "a day not named"}`,
  );
}

/** Compares what the API sends to its clients, and what they respond: webhooks and callbacks. */
function compareReversed(documents: Documents, x: ComparedOperation, y: ComparedOperation, add: Report): void {
  compareDeprecation(x.value, y.value, y.at, add);
  const { resolveBefore, resolveAfter } = documents;
  const [sent, sends] = [targetOf(x.value.requestBody, resolveBefore), targetOf(y.value.requestBody, resolveAfter)];
  compareContent(documents, sent, sends, { at: `${y.at}/requestBody`, place: "body", side: "response" }, add);
  if (sent.required !== sends.required) add("risky", `${y.at}/requestBody`, "body: required has changed");
  const [was, is] = [recordOf(x.value.responses), recordOf(y.value.responses)];
  for (const [status, response] of Object.entries(was)) {
    const at = `${y.at}/responses/${status}`;
    const now = is[status];
    if (now === undefined) {
      add("risky", at, `response ${status}: is no longer expected`);
      continue;
    }
    const [a, b] = [targetOf(response, resolveBefore), targetOf(now, resolveAfter)];
    compareContent(documents, a, b, { at, place: `response ${status}`, side: "request" }, add);
  }
  const [parameters, others] = [x, y].map(({ value, item }) => toJson([value.parameters ?? [], item.parameters ?? []]));
  if (parameters !== others) add("risky", `${y.at}/parameters`, "parameters have changed");
  if (toJson(x.value.security) !== toJson(y.value.security)) add("risky", `${y.at}/security`, "security has changed");
}

/** Compares the servers of an operation that has others than the document, now or before. */
function compareOwnServers(
  { before, after }: Documents,
  x: ComparedOperation,
  y: ComparedOperation,
  add: Report,
): void {
  if (![x.value, x.item, y.value, y.item].some(({ servers }) => servers !== undefined)) return;
  const was = serversOf([x.value, x.at], [x.item, x.atItem], [before, ""]);
  compareServers(was, serversOf([y.value, y.at], [y.item, y.atItem], [after, ""]), add);
}

/** A server of a document. */
interface ServerEntry {
  /** Where it is. */
  readonly at: string;
  /** Its urls: with the values that its variables list, else as it is written and with their defaults. */
  readonly urls: readonly string[];
}

/** The servers of the first place that has some. */
function serversOf(...places: readonly (readonly [value: Keywords, at: string])[]): readonly ServerEntry[] {
  for (const [{ servers }, at] of places) {
    if (!Array.isArray(servers) || servers.length === 0) continue;
    return servers.map((server, index) => ({ at: `${at}/servers/${index}`, urls: urlsOf(recordOf(server)) }));
  }
  return [{ at: "", urls: [""] }];
}

function urlsOf({ url, variables }: Keywords): readonly string[] {
  let urls = [`${url}`.replace(/[/]$/, "")];
  for (const [name, variable] of Object.entries(recordOf(variables))) {
    const { enum: values, default: usual } = recordOf(variable);
    const placeholder = `{${name}}`;
    const choices: readonly unknown[] = Array.isArray(values) ? values : [placeholder, usual];
    if (urls.length * choices.length > MAX_URLS) return urls;
    urls = urls.flatMap((one) => choices.map((choice) => one.replaceAll(placeholder, () => `${choice}`)));
  }
  return urls;
}

/** How many urls of one server are listed. */
const MAX_URLS = 100;

function compareServers(was: readonly ServerEntry[], is: readonly ServerEntry[], add: Report): void {
  const known = new Set(is.flatMap(({ urls }) => urls));
  // Without servers, paths start at the root of one that is not named.
  const isRoot = [...known].some((url) => /^(\w+:)?[/][/][^/]*$/.test(url));
  for (const { at, urls: [first = "", ...others] } of was) {
    // Any value of a variable that lists none is still allowed.
    const isKnown = known.has(first) && first.includes("{");
    for (const url of isKnown ? [] : [first, ...others]) {
      if (known.has(url) || (url === "" && isRoot)) continue;
      add("risky", at || "/servers", `server ${shorten(toJson(url || "/"))} is removed`);
    }
  }
}
