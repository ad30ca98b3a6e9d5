import type { ValidationIssue } from "../../core/input/input.ts";
import type { FastCheck } from "../values/fast_check.ts";
import { FORMATS } from "../values/texts.ts";
import type { Random } from "./random.ts";

/** What is wrong with a value. */
export type Issues = readonly Pick<ValidationIssue, "path" | "message">[];

/** What values are sampled of. */
interface Sampled {
  /** Generates values that the JSON Schema accepts. */
  readonly values: object;
  /** Whether there need not be a value. */
  readonly mayBeAbsent: boolean;
  /** The names of the properties. */
  readonly keys: readonly string[];
  /** Says what is wrong with a value; `undefined` if only the app can say. */
  readonly check: (value: unknown) => Promise<Issues | undefined>;
}

/** What values are sampled with. */
export interface SamplingTools {
  /** Generates values. */
  readonly fc: FastCheck;
  /** The seed of the values. */
  readonly seed: number;
  /** Chooses. */
  readonly random: Random;
}

/** The values of a property that have no issue, by its name. */
interface GoodValues {
  [name: string]: unknown[];
}

/**
 * Creates what makes values of a schema. A schema may demand more than its JSON Schema says.
 *
 * @param sampled What values are sampled of.
 * @param tools What they are sampled with.
 * @returns Makes a value: a valid one, if one has been found.
 */
export function createSampler(
  { values, mayBeAbsent, keys, check }: Sampled,
  { fc, seed, random }: SamplingTools,
): () => Promise<unknown> {
  let count = 0;
  let ready: unknown[] = [];
  /** By property: the texts of formats that it accepts. */
  const formatted = new Map<string, string[]>();

  return async () => {
    if (ready.length === 0) ready = await sample();
    return ready.pop();
  };

  /** The next values: the valid ones, if there are any. */
  async function sample(): Promise<unknown[]> {
    const all = fc.sample(values, { seed: seed + count++, numRuns: 40 })
      .map((value, index) => mayBeAbsent && index % 8 === 7 ? undefined : value);
    const valid: unknown[] = [];
    const good: GoodValues = Object.create(null);
    for (const value of all) {
      const issues = await check(value) ?? [];
      if (issues.length === 0) valid.push(value);
      else addGood(value, issues, good);
    }
    if (valid.length === 0) await addFormats(all[0], good);
    // Where few are valid, the good properties of several make a valid one.
    for (let tries = 0; valid.length < 10 && tries < 30 && typeof all[0] === "object"; tries++) {
      const made = Object.fromEntries(
        Object.entries(Object(random.of(all))).map(([key, item]) => [key, random.of(good[key] ?? [item])]),
      );
      if ((await check(made))?.length === 0) valid.push(made);
    }
    return valid.length > 0 ? valid : all;
  }

  /**
   * Adds texts of formats for properties without a good value. A schema may need a format that its JSON Schema does not
   * say: `z.string().refine(isEmail)`.
   */
  async function addFormats(value: unknown, good: GoodValues): Promise<void> {
    for (const key of keys.filter((key) => good[key] === undefined)) {
      const texts = formatted.get(key) ?? await formatsOf(key, value);
      formatted.set(key, texts);
      if (texts.length > 0) good[key] = texts;
    }
  }

  async function formatsOf(key: string, value: unknown): Promise<string[]> {
    const texts: string[] = [];
    for (const text of Object.values(FORMATS).flat()) {
      const issues = await check({ ...Object(value), [key]: text });
      if (issues?.every(({ path }) => path[0] !== key)) texts.push(text);
    }
    return texts;
  }
}

/** Adds the properties that no issue is about. */
function addGood(value: unknown, issues: Issues, good: GoodValues): void {
  const wrong = new Set(issues.map(({ path }) => path[0]));
  for (const [key, item] of Object.entries(Object(value))) if (!wrong.has(key)) (good[key] ??= []).push(item);
}
