/** Options of schema libraries, documented by each, that describe a `Date` in a response as what JSON makes of it. */

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
    isDate(c.valibotAction) || comparesDates(c.valibotAction) ? DATE_TIME : undefined,
};

/** Whether a schema is for dates, or an action makes one of a string. */
function isDate(part: object): boolean {
  return "type" in part && (part.type === "date" || part.type === "to_date");
}

/** Whether an action compares dates. */
function comparesDates(action: object): boolean {
  return "requirement" in action && [action.requirement].flat().some((value) => value instanceof Date);
}
