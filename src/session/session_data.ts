import { requireThat } from "../core/values/assert.ts";
import type { SessionStore } from "../stores/stores.ts";

/**
 * A schema of the data of sessions: a Standard Schema of any library.
 *
 * @typeParam Given What `begin` takes.
 * @typeParam Data The type that guards and handlers see.
 */
export interface SessionDataSchema<Given, Data> {
  /** As in a Standard Schema. */
  readonly "~standard": {
    /** As in a Standard Schema. */
    readonly validate: (value: unknown) => unknown;
    /** As in a Standard Schema. */
    readonly types?: { readonly input: Given; readonly output: Data } | undefined;
  };
}

/** Options of sessions without data. TypeScript prints the text for what is not a schema, or is not always one. */
export interface NoSessionData {
  /** Absent, or `undefined`. */
  readonly data?: "Pass a Standard Schema that is always there" | undefined;
}

/**
 * Reads the option `data` of `createSessions`.
 *
 * @param data The option.
 * @param store The store.
 * @returns The schema, if there is one.
 * @throws A `TypeError` if it is none, or if the store does not keep data.
 */
export function dataSchemaOf(data: unknown, store: SessionStore): SessionDataSchema<unknown, unknown> | undefined {
  if (data === undefined) return undefined;
  requireThat(isDataSchema(data), "Option data of createSessions", "a Standard Schema", data);
  const rule = "true, since option data of createSessions needs a store that keeps data";
  requireThat(store.keepsData === true, "keepsData of a store of sessions", rule, store.keepsData);
  return data;
}

function isDataSchema(value: unknown): value is SessionDataSchema<unknown, unknown> {
  const standard = (value as Partial<SessionDataSchema<unknown, unknown>> | null)?.["~standard"];
  return typeof standard?.validate === "function";
}

/** Data that a schema has read. */
export type ReadData = { readonly fits: true; readonly value: unknown } | { readonly fits: false };

/**
 * Reads the data of a session.
 *
 * @param schema The schema.
 * @param text The data, as the store has it.
 * @returns The output of the schema. No data if it is not JSON, or does not fit.
 */
export async function readData(
  schema: SessionDataSchema<unknown, unknown>,
  text: string | undefined,
): Promise<ReadData> {
  let value: unknown;
  try {
    value = text === undefined ? undefined : JSON.parse(text);
  } catch {
    return { fits: false };
  }
  const result = await schema["~standard"].validate(value) as { readonly issues?: unknown; readonly value?: unknown };
  // Only what a schema returns for data that fits: without issues, and with a value.
  return result.issues === undefined && "value" in result ? { fits: true, value: result.value } : { fits: false };
}

/**
 * Writes the data of a session.
 *
 * @param schema The schema, if there is one.
 * @param data The data.
 * @returns The data as JSON, which the schema reads; `undefined` without data.
 * @throws A `TypeError` if it does not fit the schema, or is too long.
 */
export async function writeData(
  schema: SessionDataSchema<unknown, unknown> | undefined,
  data: unknown,
): Promise<string | undefined> {
  if (schema === undefined) {
    requireThat(data === undefined, "Data of begin", "undefined without option data of createSessions", data);
    return undefined;
  }
  const text: string | undefined = JSON.stringify(data);
  const bytes = new TextEncoder().encode(text ?? "").length;
  if (bytes > MOST) {
    throw new TypeError(
      `Data of begin must have at most ${MOST} bytes as JSON: received ${bytes}. Keep the rest elsewhere`,
    );
  }
  // As a request reads it: a date has become a string, for example.
  const { fits } = await readData(schema, text);
  requireThat(fits, "Data of begin", "what option data of createSessions accepts once it was written as JSON", data);
  return text;
}

/** How many bytes of JSON a session keeps. */
const MOST = 4096;
