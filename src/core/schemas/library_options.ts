/** Options of schema libraries, documented by each, that describe a schema by what is sent, not by what it becomes. */

import { hasProperties } from "../values/assert.ts";
import { jsonText } from "../values/json_text.ts";
import type { JsonSchemaObject, Side } from "./keywords.ts";

/** The keyword that marks a part of a schema which cannot be described. Its value is a {@linkcode Gap}. */
export const GAP = "~gap";

/** The keyword that marks a part of a schema to which a function converts any input. */
export const PREPROCESSED = "~preprocessed";

/** A part of a schema that cannot be described. */
export interface Gap {
  /** Why, in the words of the library. */
  readonly why: string;
  /** The number of its schema, if the library tells which one it is. */
  readonly index?: number;
}

/** How a library describes a schema. */
export interface Options {
  /** The options to pass to the library; `undefined` if it has none. */
  readonly libraryOptions?: object;
  /** The schemas of gaps. */
  readonly schemas: readonly unknown[];
  /** Whether the library has used the options. */
  readonly areUsed: () => boolean;
}

/**
 * Returns the options with which a library describes a schema, by its own Standard JSON Schema.
 *
 * - What text or JSON is converted to is described as that: a `Date` as a string of the format `date-time`, a bigint as an
 *   integer.
 * - A default that a function makes is left out: each call may return another one.
 * - What cannot be described is marked by {@linkcode GAP}.
 *
 * @param vendor The library, as the schema names it.
 * @param schema The schema.
 * @param side The side to describe.
 * @returns The options.
 */
export function optionsFor(vendor: unknown, schema: unknown, side: Side): Options {
  const schemas: unknown[] = [];
  const gap: MarkGap = (why, schema) => ({
    [GAP]: schema === undefined ? { why } : { why, index: schemas.push(schema) - 1 },
  });
  const given = { schemas, areUsed: () => true };
  switch (vendor) {
    case "zod": {
      const { override, ...others } = optionsOfZod(schema, side, gap);
      let areUsed = false;
      const libraryOptions = {
        ...others,
        override(c: Parameters<typeof override>[0]) {
          areUsed = true;
          override(c);
        },
      };
      return { schemas, libraryOptions, areUsed: () => areUsed };
    }
    case "valibot":
      return { ...given, libraryOptions: optionsOfValibot(side, gap) };
    case "arktype":
      return { ...given, libraryOptions: { fallback: fallbackOfArkType(side, gap) } };
    default:
      return given;
  }
}

/** Marks a part of a schema. */
type MarkGap = (why: string, schema?: unknown) => { readonly [GAP]: Gap };

/** Why a type is a gap, after its name. */
const UNREPRESENTABLE = "cannot be represented in JSON Schema";

/** What JSON makes of a `Date`. */
const DATE_TIME = { type: "string", format: "date-time" };

/** Bytes. */
const BINARY = { type: "string", format: "binary" };

/** What no text and no JSON is. */
const NOTHING = { not: {} };

/** The classes of bytes. */
const CLASSES_OF_BYTES = /^(?:File|Blob|Uint8Array|ArrayBuffer)$/;

function describeClass(constructor: unknown, gap: () => object): object {
  const { name }: { readonly name?: unknown } = Object(constructor);
  return typeof name === "string" && CLASSES_OF_BYTES.test(name) ? BINARY : gap();
}

/** Options of `toJSONSchema` of Zod 4. */
function optionsOfZod(root: unknown, side: Side, gap: MarkGap): OptionsOfZod {
  const preprocessed = side === "input" ? belowPreprocess(root) : new Set();
  const describe = (schema: ZodSchema): object | undefined => {
    const { def, bag } = schema._zod;
    // What a function makes of the input may be anything.
    const isConverted = side === "input" && (def.coerce === true || preprocessed.has(schema));
    switch (def.type) {
      case "date":
        return isConverted || side === "output" ? DATE_TIME : gap(`Date ${UNREPRESENTABLE}`, schema);
      case "bigint":
        return isConverted ? { type: "integer" } : gap(`BigInt ${UNREPRESENTABLE}`, schema);
      case "undefined":
      case "void":
        return NOTHING;
      case "custom":
        return isConverted ? {} : describeClass(bag?.Class, () => gap(`Custom types ${UNREPRESENTABLE}`, schema));
      case "transform":
        return side === "input" ? {} : gap(`Transforms ${UNREPRESENTABLE}`, schema);
      case "literal":
        if (!def.values?.some((value) => typeof value === "bigint")) return undefined;
        return isConverted ? {} : gap(`BigInt ${UNREPRESENTABLE}`, schema);
      case "map":
      case "set":
      case "nan":
      case "symbol":
      case "function":
        return isConverted ? {} : gap(`${NAMES[def.type]} ${UNREPRESENTABLE}`, schema);
    }
    return undefined;
  };
  return {
    // What is not representable is `{}`, and described by `override`, which all versions of Zod 4 call.
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod;
      // One's own description, by `meta`, wins.
      if (!DESCRIBES.some((keyword) => keyword in jsonSchema) || def.type === "literal") {
        Object.assign(jsonSchema, describe(zodSchema));
      }
      if (side === "input" && isZod(def.in) && def.in._zod.def.type === "transform") jsonSchema[PREPROCESSED] = true;
      if ("default" in jsonSchema && isNoText(() => def.type === "catch" ? def.catchValue?.() : def.defaultValue)) {
        delete jsonSchema.default;
      }
    },
  };
}

/** The options that are given to Zod. */
interface OptionsOfZod {
  readonly unrepresentable: "any";
  readonly override: (c: { zodSchema: ZodSchema; jsonSchema: JsonSchemaObject }) => void;
}

/** What is read of a schema of Zod. */
interface ZodSchema {
  readonly _zod: {
    readonly def: {
      readonly type: string;
      readonly coerce?: boolean;
      readonly values?: readonly unknown[];
      readonly defaultValue?: unknown;
      readonly catchValue?: () => unknown;
      readonly in?: unknown;
      readonly shape?: object;
    };
    readonly bag?: { readonly Class?: unknown };
  };
}

/** The names of types of Zod, in the messages of Zod. */
const NAMES: { readonly [type: string]: string } = {
  map: "Map",
  set: "Set",
  nan: "NaN",
  symbol: "Symbols",
  function: "Function types",
};

/** The keywords that say what values there are. */
const DESCRIBES = ["type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const", "not", "format"];

/** The schemas of Zod that get what a function has made of the input, by `z.preprocess`. */
function belowPreprocess(root: unknown): ReadonlySet<unknown> {
  const below = new Set<unknown>();
  const seen = new Set<unknown>();
  const visit = (value: unknown, isBelow: boolean): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    if (!isBelow) seen.add(value);
    else if (below.has(value)) return;
    if (!isZod(value)) {
      if (Array.isArray(value)) { for (const item of value) visit(item, isBelow); }
      return;
    }
    if (isBelow) below.add(value);
    const { def } = value._zod;
    const isPreprocess = isZod(def.in) && def.in._zod.def.type === "transform";
    const { shape, ...others } = { ...def };
    for (const part of [...Object.values(others), ...Object.values(shape ?? {})]) {
      visit(part, isBelow || isPreprocess);
    }
  };
  visit(root, false);
  return below;
}

function isZod(value: unknown): value is ZodSchema {
  return hasProperties(value) && hasProperties(value._zod) && hasProperties(value._zod.def);
}

/**
 * Whether a default has no text that can be published: JSON cannot contain it, such as a bigint, or a function creates
 * a new one for each call. Zod does not tell a function from a value, so the default is read twice: an id, a number or
 * a time then differs. A time within two days of now is taken for the result of a function.
 */
function isNoText(read: () => unknown): boolean {
  const text = jsonText(read());
  if (text === undefined || jsonText(read()) !== text) return true;
  const times = Array.from(text.matchAll(TIME), ([time]) => /-/.test(time) ? Date.parse(time) : Number(time));
  if (times.length === 0) return false;
  const now = Date.now();
  const isNear = (milliseconds: number) => Math.abs(milliseconds - now) < 2 * 86_400_000;
  if (times.some((time) => isNear(time) || isNear(time * 1000))) return true;
  // A time of other days, such as a month ago, differs with the next millisecond.
  while (Date.now() === now);
  return jsonText(read()) !== text;
}

/** What may be a time: in the format of ISO 8601, in seconds or in milliseconds. */
const TIME = /\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?|\b\d{10,13}\b/g;

/** Options of `@valibot/to-json-schema`. */
function optionsOfValibot(side: Side, gap: MarkGap): object {
  const described = (schema: ValibotSchema, why: string): object => {
    switch (schema.type) {
      case "date":
        return side === "output" ? DATE_TIME : gap(why, schema);
      case "file":
      case "blob":
        return BINARY;
      case "instance":
        return describeClass(schema.class, () => gap(why, schema));
      case "undefined":
      case "void":
        return NOTHING;
      default:
        return gap(why, schema);
    }
  };
  return {
    overrideSchema(
      { valibotSchema, jsonSchema, errors }: JsonSchemaResult & { readonly valibotSchema: ValibotSchema },
    ) {
      if (errors !== undefined) return described(valibotSchema, sentenceOf(errors));
      if (typeof valibotSchema.default !== "function") return undefined;
      const { default: _made, ...others } = jsonSchema;
      return others;
    },
    overrideAction(
      { valibotAction, jsonSchema, errors }: JsonSchemaResult & { readonly valibotAction: ValibotAction },
    ) {
      const isOfDates = valibotAction.type === "to_date" || comparesDates(valibotAction);
      if (isOfDates) return side === "output" ? DATE_TIME : jsonSchema;
      if (errors === undefined) return undefined;
      // Types of TypeScript, and checks that JSON Schema cannot express, as refinements of other libraries.
      return IGNORED_ACTIONS.has(valibotAction.type) ? jsonSchema : { ...jsonSchema, ...gap(sentenceOf(errors)) };
    },
  };
}

/** What Valibot has converted. */
interface JsonSchemaResult {
  readonly jsonSchema: JsonSchemaObject;
  readonly errors?: readonly string[];
}

/** What is read of an action of Valibot. */
interface ValibotAction {
  readonly type: string;
}

function sentenceOf(errors: readonly string[]): string {
  return errors.join(" ").replace(/\.$/, "");
}

/** What is read of a schema of Valibot. */
interface ValibotSchema {
  readonly type: string;
  readonly class?: unknown;
  readonly default?: unknown;
}

const IGNORED_ACTIONS = new Set(["brand", "flavor", "readonly", "check", "check_items", "partial_check", "raw_check"]);

/** Whether an action compares dates. */
function comparesDates(action: object): boolean {
  return "requirement" in action && [action.requirement].flat().some((value) => value instanceof Date);
}

/** The option `fallback` of ArkType 2, which calls a function for what JSON Schema cannot express. */
function fallbackOfArkType(side: Side, gap: MarkGap): object {
  return {
    date: ({ base }: { base: object }) => ({
      ...base,
      ...side === "output" ? DATE_TIME : gap(`Date ${UNREPRESENTABLE}`),
    }),
    proto: ({ base, proto }: { base: object; proto: unknown }) => ({
      ...base,
      ...describeClass(proto, () => gap(`${String(Object(proto).name)} ${UNREPRESENTABLE}`)),
    }),
    domain: ({ base, domain }: { base: object; domain: string }) => ({
      ...base,
      ...gap(`${domain} ${UNREPRESENTABLE}`),
    }),
    unit: ({ base, unit }: { base: object; unit: unknown }) => ({
      ...base,
      ...unit === undefined ? NOTHING : gap(`${typeof unit === "object" ? "Date" : typeof unit} ${UNREPRESENTABLE}`),
    }),
  };
}

/**
 * Marks what a schema of Effect does not accept of JSON: Effect describes what a codec of its own makes of a `Date` or a
 * bigint, but validates the value itself.
 *
 * @param schema The schema.
 * @param described Its JSON Schema, which is changed.
 */
export function markEffect(schema: unknown, described: unknown): void {
  const visit = (ast: EffectAst | undefined, json: unknown): void => {
    if (ast === undefined || !hasProperties(json)) return;
    const { types = [], propertySignatures = [], elements = [], rest = [] } = ast;
    const link = ast.encoding?.at(-1);
    if (link !== undefined) return visit(link.to, json);
    const isDescribed = Object.keys(json).some((keyword) => DESCRIBES.includes(keyword));
    const { anyOf, properties, items, prefixItems } = json;
    if (isDescribed && (ast._tag === "Declaration" || ast._tag === "BigInt" || ast._tag === "Symbol")) {
      for (const keyword of Object.keys(json)) delete (json as JsonSchemaObject)[keyword];
      const what = ast._tag === "Declaration" ? "A declared type, such as Date," : ast._tag;
      Object.assign(json, { [GAP]: { why: `${what} ${UNREPRESENTABLE}` } });
    } else if (ast._tag === "Union" && Array.isArray(anyOf)) {
      // JSON has no `undefined`, for which the codec sends `null`.
      const isNull = (member: unknown) => hasProperties(member) && member.type === "null";
      const keepsOne = acceptsNull(ast);
      const members = anyOf.filter((member, index) => !isNull(member) || keepsOne && anyOf.findIndex(isNull) === index);
      const sent = types.filter(({ _tag }) => _tag !== "Undefined");
      if (members.length === sent.length) members.forEach((member, index) => visit(sent[index], member));
      if (members.length < anyOf.length) {
        delete (json as JsonSchemaObject).anyOf;
        Object.assign(json, members.length === 1 ? members[0] : { anyOf: members });
      }
    } else if (hasProperties(properties)) {
      for (const { name, type } of propertySignatures) visit(type, properties[String(name)]);
    } else if (ast._tag === "Arrays") {
      if (Array.isArray(prefixItems)) prefixItems.forEach((item, index) => visit(elements[index], item));
      visit(rest[0], items);
    }
  };
  const { ast }: { readonly ast?: EffectAst } = Object(schema);
  visit(ast, described);
}

function acceptsNull({ _tag, types = [] }: EffectAst): boolean {
  return _tag === "Null" || types.some(acceptsNull);
}

/** What is read of the syntax tree of a schema of Effect 4. */
interface EffectAst {
  readonly _tag: string;
  readonly encoding?: readonly { readonly to: EffectAst }[];
  readonly types?: readonly EffectAst[];
  readonly propertySignatures?: readonly { readonly name: unknown; readonly type: EffectAst }[];
  readonly elements?: readonly EffectAst[];
  readonly rest?: readonly EffectAst[];
}
