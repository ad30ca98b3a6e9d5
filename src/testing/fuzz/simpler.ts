import { isPlain } from "../../core/values/assert.ts";
import { Message } from "./messages.ts";
import type { Values } from "./requests.ts";

/**
 * Makes values simpler, each in one way: the greatest steps first.
 *
 * @param values The values of the parts of a request.
 * @returns The simpler ones.
 */
export function* simpler(values: Values): Generator<Values> {
  for (const [part, value] of Object.entries(values)) {
    if (part === "params") continue;
    for (const less of lessOf(value)) yield { ...values, [part]: less };
  }
}

function* lessOf(value: unknown): Generator<unknown> {
  if (typeof value === "string") yield* lessText(value);
  else if (typeof value === "number") yield* lessNumber(value);
  else if (Array.isArray(value)) yield* lessArray(value);
  else if (value instanceof Message) {
    for (const less of lessOf(value.data)) yield new Message(value.name, less, value.raw);
  } else if (isPlain(value)) yield* lessObject(value);
}

function* lessObject(value: object): Generator<unknown> {
  const entries = Object.entries(value);
  for (const [key] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== key));
  for (const [key, item] of entries) {
    for (const less of lessOf(item)) {
      yield Object.fromEntries(entries.map(([other, old]) => [other, other === key ? less : old]));
    }
  }
}

function* lessArray(value: readonly unknown[]): Generator<unknown> {
  if (value.length > 0) yield [];
  if (value.length > 1) {
    for (const index of value.keys()) yield value.filter((_, other) => other !== index);
  }
  for (const [index, item] of value.entries()) {
    for (const less of lessOf(item)) yield value.map((old, other) => other === index ? less : old);
  }
}

function* lessText(text: string): Generator<string> {
  if (text.length > 1) {
    yield "a";
    yield text.slice(0, text.length >> 1);
    yield text.slice(text.length >> 1);
    if (text.length < 8) { for (const character of text) yield character; }
  }
}

function* lessNumber(value: number): Generator<number> {
  for (const less of [0, 1, Math.trunc(value)]) {
    if (Math.abs(less) < Math.abs(value)) yield less;
  }
}
