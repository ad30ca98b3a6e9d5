import type { JsonSchemaObject } from "../../core/schemas/json_schema.ts";
import { fitsMediaType, sendableType } from "../../core/responses/media_type.ts";
import { type Maker, map } from "./maker.ts";
import type { KnownKeywords } from "./schema.ts";
import { CHARACTERS, FILES, FILLERS, FORMATS, HOSTILE_TEXTS, WORDS } from "./texts.ts";

/**
 * Generates the texts of a schema: of a format, of a pattern, or free ones. A binary text is a file.
 *
 * @param schema The schema of a string.
 * @param maker What values are made with.
 * @returns An arbitrary of `fast-check`.
 */
export function textsOf(schema: JsonSchemaObject, maker: Maker): object {
  const { minLength: min = 0, maxLength = Infinity, format = "", pattern, contentMediaType, contentEncoding }:
    KnownKeywords = schema;
  const max = Math.max(min, Math.min(maxLength, LONGEST));
  if (format === "binary" || contentEncoding === "binary") return filesOf(min, maxLength, contentMediaType, maker);
  const fits = (text: string) =>
    text.length >= min && text.length <= maxLength && (pattern === undefined || expressionOf(pattern).test(text));
  const formatted = FORMATS[format]?.filter(fits) ?? [];
  if (formatted.length > 0) return formattedTexts(format, formatted, fits, maker);
  if (pattern !== undefined) return matchingTexts(pattern, min, max, maker);
  return maker.isHostile ? hostileTexts(min, max, maker) : readableTexts(min, max, maker);
}

/** Texts of a format: those at its bounds, and random dates, ids and addresses between them. */
function formattedTexts(
  format: string,
  atBounds: readonly string[],
  fits: (text: string) => boolean,
  { fc, isHostile }: Maker,
): object {
  const random = RANDOM_FORMATS[format];
  if (random === undefined) return fc.constantFrom(...isHostile ? atBounds : atBounds.slice(0, 1));
  const number = fc.integer({ min: 0, max: 2 ** 31 });
  const made = map(number, (n: number) => [random(n)].find(fits) ?? atBounds[n % atBounds.length]);
  if (!isHostile) return made;
  return fc.oneof({ arbitrary: made, weight: 1 }, { arbitrary: fc.constantFrom(...atBounds), weight: 1 });
}

function matchingTexts(pattern: string, min: number, max: number, { fc }: Maker): object {
  const expression = expressionOf(pattern);
  try {
    const texts = fc.stringMatching(expression);
    fc.sample(texts, { seed: 0, numRuns: 1 });
    return map(texts, (text: string) => [fit(text, min, max)].find((one) => expression.test(one)) ?? text);
  } catch { // not all syntax is supported
    return fc.constantFrom(...HOSTILE_TEXTS, ...Object.values(FORMATS).flat());
  }
}

function readableTexts(min: number, max: number, { fc }: Maker): object {
  const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 });
  return map(words, (words: string[]) => fit(words.join(" "), min, max));
}

function hostileTexts(min: number, max: number, { fc }: Maker): object {
  const cut = (text: string) => fit(text, min, max);
  const random = fc.array(fc.constantFrom(...CHARACTERS), {
    minLength: Math.min(min, 60),
    maxLength: Math.min(max, Math.max(min, 24)),
  });
  return fc.oneof(
    { arbitrary: map(random, (characters: string[]) => cut(characters.join(""))), weight: 3 },
    { arbitrary: fc.constantFrom(...new Set(HOSTILE_TEXTS.map(cut))), weight: 4 },
    { arbitrary: map(fc.array(fc.constantFrom(...WORDS), ONE_OR_TWO), (w: string[]) => cut(w.join(" "))), weight: 3 },
    { arbitrary: fc.constantFrom(...EDGES.flatMap((edge) => edge(min, max))), weight: 1 },
  );
}

/** Files of a media type, of a range, or of several with commas between them. */
function filesOf(min: number, max: number, types: unknown, { fc }: Maker): object {
  const wanted = types === undefined ? ["*/*"] : `${types}`.split(/\s*,\s*/);
  const files = wanted.flatMap((type) => {
    const known = FILES.filter((file) => fitsMediaType(type, file.type));
    return known.length > 0 ? known : [{ name: "a", type: sendableType(type), text: "Hello" }];
  });
  return map(
    fc.constantFrom(...files),
    ({ name, type, text }: (typeof FILES)[number]) =>
      new File([fit(text, min, Math.min(max, LONGEST))], name, { type }),
  );
}

/** The most characters of a text. */
export const LONGEST = 4000;

const ONE_OR_TWO = { minLength: 1, maxLength: 2 };

/** Texts at the bounds of a length. */
const EDGES: readonly ((min: number, max: number) => readonly string[])[] = [
  (min) => ["x".repeat(min)],
  (min, max) => ["x".repeat(Math.min(min + 1, max))],
  (_, max) => FILLERS.map((filler) => filler.repeat(Math.floor(max / filler.length))),
];

const RANDOM_FORMATS: { readonly [format: string]: ((n: number) => string) | undefined } = {
  "date-time": (n) => new Date(n * 1000).toISOString(),
  "date": (n) => new Date(n * 1000).toISOString().slice(0, 10),
  "time": (n) => new Date(n * 1000).toISOString().slice(11, 19),
  "email": (n) => `user${n}@example.com`,
  "uri": (n) => `https://example.invalid/${n}`,
  "uuid": (n) => `${n.toString(16).padStart(8, "0")}-0000-4000-8000-${(n * 7919).toString(16).padStart(12, "0")}`,
};

/** Cuts a text off, or repeats it, so that its length is within the bounds. */
function fit(text: string, min: number, max: number): string {
  if (text.length > max) return text.slice(0, max);
  return text.length < min ? text + (text || "x").repeat(min).slice(0, min - text.length) : text;
}

/** A pattern, which is one of the flag `u`, unless its syntax is older. */
function expressionOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}
