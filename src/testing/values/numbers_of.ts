import type { JsonSchemaObject } from "../../core/schemas/json_schema.ts";
import { type Maker, map } from "./maker.ts";
import type { KnownKeywords } from "./schema.ts";
import { NUMBERS } from "./texts.ts";

/**
 * Generates the numbers of a schema.
 *
 * @param schema The schema of a number.
 * @param isWhole Whether only whole numbers fit.
 * @param maker What values are made with.
 * @returns An arbitrary of `fast-check`.
 */
export function numbersOf(schema: JsonSchemaObject, isWhole: boolean, { fc, isHostile }: Maker): object {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: KnownKeywords = schema;
  const step = multipleOf ?? (isWhole ? 1 : 0);
  const round = (value: number, way: (value: number) => number) =>
    step === 0 ? value : Number((way(value / step) * step).toPrecision(15));
  const fits = (value: number) =>
    value >= least && value <= most && value !== exclusiveMinimum && value !== exclusiveMaximum &&
    (step === 0 || Number.isInteger(Number((value / step).toPrecision(12))));
  let least = round(Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity), Math.ceil);
  let most = round(Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity), Math.floor);
  if (least === exclusiveMinimum) least += step;
  if (most === exclusiveMaximum) most -= step;
  const middle = round((Math.max(least, -1e9) + Math.min(most, 1e9)) / 2, Math.round);
  const bounds = [least, most, least + 1, most - 1, middle].filter((value) => Number.isFinite(value) && fits(value));
  const orBound = (value: number) => fits(value) ? value : bounds[0];
  const wide = {
    min: Math.ceil(Math.max(least, Math.min(isHostile ? -1000 : 0, most - 1000))),
    max: Math.floor(Math.min(most, Math.max(1000, least + 1000))),
  };
  const fractions = map(
    fc.double({ min: Math.max(least, Math.min(-1e6, most)), max: Math.min(most, Math.max(1e6, least)), noNaN: true }),
    (value: number) => orBound(round(value, Math.round)),
  );
  const random = wide.min <= wide.max
    ? map(fc.integer(wide), (value: number) => orBound(round(value, Math.round)))
    : fractions;
  if (!isHostile) return random;
  return fc.oneof(
    { arbitrary: random, weight: 3 },
    { arbitrary: fc.constantFrom(...bounds, ...NUMBERS.filter(fits)), weight: 3 },
    { arbitrary: step === 0 ? fractions : random, weight: 1 },
  );
}
