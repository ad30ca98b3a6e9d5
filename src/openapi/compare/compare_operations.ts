import type { Change, Documents, Level, Operation, Report } from "./change.ts";
import { compareContent, compareRequestBody, compareResponses } from "./compare_bodies.ts";
import { compareParameters } from "./compare_parameters.ts";
import { compareSecurity } from "./compare_security.ts";
import { escape, isKeywords, type Keywords, recordOf, resolved, shorten, toJson } from "./keywords.ts";

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
    const x = operationsOf(before, key, resolveBefore);
    const y = operationsOf(after, key, resolveAfter);
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
  return [...changes, ...compareServers(before, after)];
}

function describeRemoval({ deprecated, "x-sunset": sunset }: Keywords): string {
  if (deprecated !== true) return "is removed";
  return sunset === undefined ? "is removed, and was deprecated" : `is removed, and was deprecated until ${sunset}`;
}

/** The operations by their method and the shape of their path: the names of parameters do not matter. */
function operationsOf(
  document: Keywords,
  key: string,
  resolve: (reference: string) => unknown,
): ReadonlyMap<string, Operation> {
  const operations = new Map<string, Operation>();
  for (const [path, value] of Object.entries(recordOf(document[key]))) {
    if (key === "paths" && !path.startsWith("/")) continue; // an extension
    const { $ref } = recordOf(value);
    const item: Keywords = { ...recordOf(typeof $ref === "string" ? resolve($ref) : undefined), ...recordOf(value) };
    const atItem = `/${key}/${escape(path)}`;
    const add = (method: string, operation: unknown, at: string) => {
      if (!isKeywords(operation)) return;
      const name = `${method} ${path}`;
      const shape = key === "paths" ? `${method} ${path.replaceAll(/\{[^{}]*\}/g, "{}")}` : name;
      operations.set(shape, { name, path, at: `${atItem}${at}`, value: operation, item, atItem });
    };
    for (const method of METHODS) add(method.toUpperCase(), item[method], `/${method}`);
    for (const [method, operation] of Object.entries(recordOf(item.additionalOperations))) {
      add(method, operation, `/additionalOperations/${escape(method)}`);
    }
  }
  return operations;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

function compareOperation(documents: Documents, x: Operation, y: Operation, add: Report): void {
  const { before, after, resolveBefore, resolveAfter } = documents;
  compareDeprecation(x.value, y.value, y.at, add);
  const [was, is] = [x.value.operationId, y.value.operationId];
  if (was !== undefined && was !== is) {
    add("risky", `${y.at}/operationId`, `operationId was ${toJson(was)}, is ${toJson(is)}: names in generated clients`);
  }
  compareSecurity(before, after, x, y, add);
  compareParameters(documents, x, y, add);
  compareRequestBody(documents, x, y, add);
  compareResponses(documents, x, y, add);
  const [callbacks, others] = [recordOf(x.value.callbacks), recordOf(y.value.callbacks)];
  for (const name of Object.keys(callbacks)) {
    // What an API sends to a url of the client.
    const [a, b] = [{ callback: callbacks[name] }, { callback: others[name] }];
    const [ofX, ofY] = [operationsOf(a, "callback", resolveBefore), operationsOf(b, "callback", resolveAfter)];
    for (const [shape, old] of ofX) {
      const at = `${y.at}/callbacks/${escape(name)}${old.at.replace("/callback", "")}`;
      const now = ofY.get(shape);
      const report: Report = (level, at, what) => add(level, at, `callback ${old.name}, ${what}`);
      if (now === undefined) report("breaking", at, "is removed");
      else compareReversed(documents, old, { ...now, at }, report);
    }
  }
}

function compareDeprecation(x: Keywords, y: Keywords, at: string, add: Report): void {
  const [was, is] = [x, y].map(({ deprecated, "x-sunset": sunset }) => deprecated === true ? sunset ?? "" : undefined);
  if (was === is || (was === undefined && is === undefined)) return;
  if (is === undefined) return add("safe", at, "is no longer deprecated");
  if (was === undefined) {
    return add(is === "" ? "safe" : "risky", at, is === "" ? "is deprecated" : `is deprecated, until ${toJson(is)}`);
  }
  const isLater = typeof was === "string" && typeof is === "string" && Date.parse(is) > Date.parse(was);
  add(
    isLater ? "safe" : "risky",
    at,
    `was deprecated until ${was || "a day not named"}, is until ${is || "a day not named"}`,
  );
}

/** Compares what the API sends to its clients, and what they respond: webhooks and callbacks. */
function compareReversed(documents: Documents, x: Operation, y: Operation, add: Report): void {
  const { resolveBefore, resolveAfter } = documents;
  const [sent, sends] = [resolved(x.value.requestBody, resolveBefore), resolved(y.value.requestBody, resolveAfter)];
  compareContent(documents.response, sent, sends, { at: `${y.at}/requestBody`, place: "body", side: "response" }, add);
  if (sent.required !== sends.required) add("risky", `${y.at}/requestBody`, "body: required has changed");
  const [was, is] = [recordOf(x.value.responses), recordOf(y.value.responses)];
  for (const [status, response] of Object.entries(was)) {
    const at = `${y.at}/responses/${status}`;
    const now = is[status];
    if (now === undefined) {
      add("risky", at, `response ${status}: is no longer expected`);
      continue;
    }
    const [a, b] = [resolved(response, resolveBefore), resolved(now, resolveAfter)];
    compareContent(documents.request, a, b, { at, place: `response ${status}`, side: "request" }, add);
  }
  const [parameters, others] = [x, y].map(({ value, item }) => toJson([value.parameters ?? [], item.parameters ?? []]));
  if (parameters !== others) add("risky", `${y.at}/parameters`, "parameters have changed");
}

function compareServers(before: Keywords, after: Keywords): readonly Change[] {
  const [was, is] = [before, after].map(({ servers }) => (
    new Map((Array.isArray(servers) ? servers : []).map((server, index) => [String(recordOf(server).url), index]))
  ));
  if (was === undefined || is === undefined || was.size === 0) return [];
  return [...was].flatMap(([url, index]): Change[] => {
    if (is.has(url)) return [];
    return [{
      level: "risky",
      operation: "",
      at: `/servers/${index}`,
      what: `server ${shorten(toJson(url))} is removed`,
    }];
  });
}
