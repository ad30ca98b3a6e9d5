/** How alternatives are told from each other. */

import { shorten, toJson } from "../keywords.ts";
import { flatten, propertyOf, type Shape, type Source } from "./shape.ts";

/** One of several shapes that a schema may have. */
export interface Alternative {
  readonly shape: Shape;
  /** How messages name it: by its tag, or by the name of its schema. */
  readonly name: string | undefined;
  readonly tag: Tag | undefined;
}

/** A required property with few values, such as `type` of a message. */
interface Tag {
  readonly property: string;
  readonly values: readonly string[];
}

/** Reads what tells an alternative from others. */
export function alternativeOf(shape: Shape, source: Source): Alternative {
  const tag = tagOf(shape, source);
  const names = shape.parts.map(({ $ref, title }) => typeof $ref === "string" ? $ref.replace(/^.*[/]/, "") : title);
  const name = tag
    ? `${tag.property} ${shorten(tag.values.join(" or "))}`
    : names.find((name) => typeof name === "string");
  return { shape, name, tag };
}

function tagOf(shape: Shape, source: Source): Tag | undefined {
  for (const property of shape.required) {
    const values = flatten(propertyOf(shape, property), source).flatMap((part) => part.const ?? part.enum ?? []);
    if (typeof values[0] === "string") return { property, values: values.map(toJson) };
  }
  return undefined;
}

/** Whether two alternatives have different tags: no value is both. */
export function areApart({ tag }: Alternative, { tag: other }: Alternative): boolean {
  return tag !== undefined && tag.property === other?.property &&
    !tag.values.some((value) => other.values.includes(value));
}
