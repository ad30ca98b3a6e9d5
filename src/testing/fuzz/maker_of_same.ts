import { kindAt } from "./names.ts";
import { makerOf } from "./needs.ts";
import type { Operation } from "./operations.ts";

/** What makes the things that an operation changes. */
export interface MakerOfSame {
  /** The operation that makes them. */
  readonly maker: Operation;
  /** The segments of their collection. */
  readonly collection: readonly string[];
  /** The properties that both take in their bodies. */
  readonly shared: readonly string[];
}

/**
 * Finds the operation that makes the things which another operation changes, if both take the same property.
 *
 * @param operation `PATCH /visits/:id`, `PUT /visits/:id`, or `POST /visits/:id/move`.
 * @param operations All operations.
 * @returns The operation `POST /visits`; `undefined` if there is none.
 */
export function makerOfSame(operation: Operation, operations: readonly Operation[]): MakerOfSame | undefined {
  const { method, segments } = operation;
  const end = segments.findLastIndex((segment) => segment.startsWith(":"));
  const isChange = method === "PATCH" || method === "PUT" || method === "POST" && end === segments.length - 2;
  if (!isChange || end < 0) return undefined;
  const collection = segments.slice(0, end);
  const maker = makerOf(kindAt(segments, end), operations, collection);
  if (maker?.method !== "POST") return undefined;
  const taken = namesOfBody(maker);
  const shared = namesOfBody(operation).filter((name) => taken.includes(name));
  return shared.length > 0 ? { maker, collection, shared } : undefined;
}

function namesOfBody({ parts }: Operation): readonly string[] {
  return parts.flatMap(({ name, properties }) => name === "body" ? Object.keys(properties) : []);
}
