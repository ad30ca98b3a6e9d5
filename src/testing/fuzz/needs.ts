import { isParameter, kindAt, leadsTo, nameOf, referenceOf, SERVER_MADE, singular, stemOf } from "./names.ts";
import type { Operation } from "./operations.ts";
import { kindsOf, linkOf, type Ways } from "./pool.ts";

/**
 * Lists the operations that make what an operation refers to under several names, such as the places of a transfer.
 *
 * @param operation The operation.
 * @param all All operations.
 * @param ways What leads from a response to a request.
 * @returns The operations.
 */
export function needsTwice(operation: Operation, all: readonly Operation[], ways: Ways): readonly Operation[] {
  const makers = makersOfValues(operation, all, ways).filter((maker) => maker !== undefined);
  return [...new Set(makers.filter((maker, index) => maker !== operation && makers.indexOf(maker) < index))];
}

/**
 * Lists the operations that make what an operation needs: the things of its path, those that its query and its body
 * refer to, and what only the server can make, such as a token.
 *
 * @param operation The operation.
 * @param all All operations.
 * @param ways What leads from a response to a request.
 * @returns The operations, in order: each behind those that it needs itself.
 */
export function needsOf(
  operation: Operation,
  all: readonly Operation[],
  ways: Ways,
  depth = 0,
): readonly Operation[] {
  if (depth > 3) return [];
  const makers = [
    ...makersOfPath(operation, all, ways),
    ...makersOfValues(operation, all, ways),
  ].filter((maker) => maker !== undefined && maker !== operation) as readonly Operation[];
  const needed = makers.flatMap((maker) => [...needsOf(maker, all, ways, depth + 1), maker]);
  return [...new Set(needed)].filter((maker) => maker !== operation);
}

function makersOfPath(operation: Operation, all: readonly Operation[], ways: Ways): readonly (Operation | undefined)[] {
  const { segments, method } = operation;
  return segments.flatMap((segment, index) => {
    if (!isParameter(segment)) return [];
    const name = nameOf(segment);
    const linked = linkedMaker(name, operation, all, ways);
    if (linked !== undefined) return [linked];
    const kind = kindAt(segments, index);
    const maker = makerOf(kind, all, segments.slice(0, index)) ?? ways.makers.get(kind);
    // An operation that makes its own thing, such as PUT, needs no other one.
    if (index === segments.length - 1 && method === "PUT") return [maker];
    return [maker, stemOf(name) === "" ? undefined : makerOf(singular(stemOf(name)), all)];
  });
}

function makersOfValues(
  operation: Operation,
  all: readonly Operation[],
  ways: Ways,
): readonly (Operation | undefined)[] {
  const own = kindsOf(operation)[0] ?? "";
  return operation.takes.flatMap((name) => {
    const linked = linkedMaker(name, operation, all, ways);
    if (linked !== undefined) return [linked];
    const kind = referenceOf(name, own, ways.kinds);
    if (kind !== "") return [makerOf(kind, all)];
    return SERVER_MADE.test(name) ? [giverOf(name, operation, all)] : [];
  });
}

function linkedMaker(
  name: string,
  operation: Operation,
  all: readonly Operation[],
  { links }: Ways,
): Operation | undefined {
  const link = linkOf(name, operation, links)?.replace(/ \S+$/, "");
  return link === undefined ? undefined : all.find((other) => other.name === link);
}

/**
 * Finds the operation that makes things of a kind; else one that lists them.
 *
 * @param kind The kind, in the singular.
 * @param all All operations.
 * @param path The path of the collection, if it is known: there may be several of the same name.
 * @returns The operation, if there is one.
 */
export function makerOf(kind: string, all: readonly Operation[], path?: readonly string[]): Operation | undefined {
  const collects = all.filter(({ segments }) => singular(String(segments.at(-1))) === kind);
  const here = path === undefined ? [] : collects.filter(({ segments }) => isSamePath(path, segments));
  const isPost = ({ method }: Operation) => method === "POST";
  return here.find(isPost) ?? collects.find(isPost) ??
    all.find(({ method, segments }) =>
      method === "PUT" && /^:/.test(String(segments.at(-1))) && kindAt(segments, segments.length - 1) === kind
    ) ?? collects.find(({ method }) => method === "GET");
}

/** The operation whose response declares what only the server can make. */
function giverOf(name: string, operation: Operation, all: readonly Operation[]): Operation | undefined {
  return all.find((other) => other !== operation && other.gives.some((key) => leadsTo(key, name)));
}

/** Whether two paths differ in the names of their parameters only. */
export function isSamePath(path: readonly string[], other: readonly string[]): boolean {
  return path.length === other.length &&
    path.every((segment, index) => isParameter(segment) ? isParameter(other[index]) : segment === other[index]);
}

/** Whether an operation reads what is at a path. */
export function isReaderOf({ method, segments }: Operation, path: readonly string[]): boolean {
  return method === "GET" && isSamePath(path, segments);
}
