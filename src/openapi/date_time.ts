/** Makes schema libraries describe a `Date` in a response as what JSON makes of it. */

import { isRecord } from "../values/assert.ts";

/** What JSON makes of a `Date`. */
const DATE_TIME = { type: "string", format: "date-time" };

/**
 * Converts the output of a schema by Standard JSON Schema. A `Date` becomes a string of the format `date-time`.
 *
 * @param vendor The library, as the schema names it.
 * @param convert Converts the schema with these options of the library.
 * @returns What the library returns.
 * @throws What the library throws.
 */
export function convertWithDates(vendor: unknown, convert: (libraryOptions?: object) => unknown): unknown {
  if (vendor === "arktype") {
    return convert({ fallback: { date: (c: { base: object }) => ({ ...c.base, ...DATE_TIME }) } });
  }
  if (vendor === "valibot") return convert(VALIBOT);
  try {
    return convert();
  } catch (error) {
    if (vendor !== "zod") throw error;
    let isAsked = false;
    const converted = convert({
      unrepresentable({ zodSchema }: { zodSchema: { _zod: { def: { type: string } } } }) {
        isAsked = true;
        return zodSchema._zod.def.type === "date" ? DATE_TIME : "throw";
      },
    });
    // Zod before 4.5 does not call the function, and describes a date as any value.
    if (isAsked) return converted;
    throw error;
  }
}

/** Options of `@valibot/to-json-schema`. */
const VALIBOT = {
  overrideSchema: (c: { valibotSchema: object }) => isDate(c.valibotSchema) ? DATE_TIME : undefined,
  overrideAction: (c: { valibotAction: object }) =>
    isDate(c.valibotAction) || isAboutDates(c.valibotAction) ? DATE_TIME : undefined,
};

/**
 * Converts the output of a schema by a function of the application. A `Date` in a Valibot schema becomes a string of
 * the format `date-time`: if the function throws, it is called again with a copy of the schema in which the dates are
 * texts.
 *
 * @param schema The schema, of any library.
 * @param convert Converts a schema.
 * @returns What the function returns.
 * @throws What the function throws.
 */
export function convertDatesAsTexts(schema: unknown, convert: (schema: unknown) => unknown): unknown {
  try {
    return convert(schema);
  } catch (error) {
    if (isRecord(schema) && "kind" in schema && schema.kind === "schema") return convert(withTexts(schema));
    throw error;
  }
}

/** A copy of a Valibot schema with texts for dates. */
function withTexts(schema: object): unknown {
  const copies = new Map<unknown, unknown>();

  function copy(value: unknown): unknown {
    if (!copies.has(value)) copies.set(value, change(value));
    return copies.get(value);
  }

  function change(value: unknown): unknown {
    if (Array.isArray(value)) return value.filter((item) => !isAboutDates(item)).map(copy);
    if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
    if (isDate(value)) return { ...value, ...TEXT };
    const copied = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)]));
    const { getter } = copied;
    // A recursive schema: its getter is called when the converter comes to it.
    return typeof getter === "function" ? { ...copied, getter: (input: unknown) => copy(getter(input)) } : copied;
  }

  return copy(schema);
}

/** What replaces a date in a Valibot schema. */
const TEXT = {
  kind: "schema",
  type: "string",
  pipe: [{ kind: "schema", type: "string" }, { kind: "validation", type: "iso_timestamp" }],
};

/** Whether a part of a Valibot schema is a date, or makes one of a text. */
function isDate(part: object): boolean {
  return "type" in part && (part.type === "date" || part.type === "to_date");
}

/** Whether a part of a Valibot schema compares dates. */
function isAboutDates(part: unknown): boolean {
  return isRecord(part) && "requirement" in part && [part.requirement].flat().some((value) => value instanceof Date);
}
