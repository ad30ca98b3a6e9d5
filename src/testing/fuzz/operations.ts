import type { BodyReader } from "../../core/input/body_reader.ts";
import type { AnyRoute } from "../../core/declare/declared_route.ts";
import { type InputPart, PARTS } from "../../core/input/request_schemas.ts";
import { entriesOf } from "../../core/responses/media_type.ts";
import type { RouteResponses } from "../../core/responses/responses.ts";
import { ALL, readMethods } from "../../core/routing/method.ts";
import { parsePattern } from "../../core/routing/pattern.ts";
import { type JsonSchema, messageOf, sketchJsonSchema, type ToJsonSchema } from "../../core/schemas/json_schema.ts";
import { describeRoute } from "../../core/values/assert.ts";
import type { Expectation } from "../check_response.ts";
import { standardValidator } from "../standard_validator.ts";
import type { FastCheck } from "../values/fast_check.ts";
import { simplify } from "../values/schema.ts";
import { valuesOf } from "../values/values.ts";
import { valuesOutside } from "../values/values_outside.ts";
import type { Random } from "./random.ts";
import { NoJson, UNREADABLE, write, type Written } from "./requests.ts";

/** One method of a route. */
export interface Operation {
  /** Its name in reports: `GET /notes/:id`. */
  readonly name: string;
  /** The method of its requests. */
  readonly method: string;
  /** Whether the method is safe: its requests are not meant to change anything. */
  readonly isSafe: boolean;
  /** The literal segments and the parameters of the path: `["notes", ":id"]`. */
  readonly segments: readonly string[];
  /** The parts that have a schema. */
  readonly parts: readonly Part[];
  /** A body that the handler reads itself, as the documentation describes it. */
  readonly ownBody: Part | undefined;
  /** The largest body, in bytes. */
  readonly maxBodyBytes: number;
  /** The media types of statuses that declare several: a request asks for one of them by `Accept`. */
  readonly offers: readonly string[];
  /** What responses are checked against. */
  readonly expectation: Expectation;
  /** Whether the documentation demands credentials: some, none, or it does not say. */
  readonly security: "some" | "none" | undefined;
}

/** A part of a request that has a schema. */
export interface Part {
  /** The part. */
  readonly name: InputPart;
  /** The JSON Schema. */
  readonly json: JsonSchema;
  /** Writes a value. */
  write(value: unknown): Promise<Written>;
  /** Whether what the server gets is valid; `undefined` if only the app can say. */
  isValid(raw: unknown): Promise<boolean | undefined>;
  /** A new value: a valid one, if one has been found. */
  next(): Promise<unknown>;
  /** A value in which one thing is wrong. It may still be valid. */
  nextWrong(): Promise<unknown>;
}

/** What operations are read with. */
export interface Tools {
  /** Generates values. */
  readonly fc: FastCheck;
  /** The seed of the values. */
  readonly seed: number;
  /** Chooses. */
  readonly random: Random;
  /** Converts schemas. */
  readonly toJsonSchema: ToJsonSchema | undefined;
}

/**
 * Lists the operations of an app.
 *
 * @param routes The routes.
 * @param tools What they are read with.
 * @returns One operation for each method of a route.
 * @throws A `TypeError` if a schema cannot be expressed as JSON Schema.
 */
export function readOperations(routes: readonly AnyRoute[], tools: Tools): readonly Operation[] {
  return routes.flatMap((route) => methodsOf(route).map((method) => readOperation(route, method, tools)));
}

/** The methods of the requests for a route. A `Request` cannot have the methods CONNECT and TRACE. */
export function methodsOf(route: AnyRoute): readonly string[] {
  return readMethods(route).flatMap((method) => method === ALL ? ["GET", "POST"] : method)
    .filter((method) => method !== "CONNECT" && method !== "TRACE");
}

function readOperation(route: AnyRoute, method: string, tools: Tools): Operation {
  const { path, request = {}, responses, docs } = route;
  const name = `${method} ${path}`;
  parsePattern(describeRoute(route), path);
  const segments = path.split("/").slice(1);
  const parts = PARTS.filter((part) => request[part] !== undefined).map((part) =>
    readPart(part, request[part], `${part} of ${name}`, request.bodyReader, segments, tools)
  );
  const { requestBody } = docs ?? {};
  const ownBody = requestBody && readPart(
    "body",
    requestBody.schema,
    `body of ${name}`,
    {
      contentTypes: [requestBody.contentType],
      read: () => Promise.resolve({ value: undefined }),
    },
    segments,
    tools,
  );
  const demanded = docs?.security?.every((schemes) => Object.keys(schemes).length > 0);
  return {
    name,
    method,
    isSafe: SAFE.has(method),
    segments,
    parts,
    ownBody,
    maxBodyBytes: request.maxBodyBytes ?? 16 * 1024,
    offers: offersOf(responses ?? {}),
    expectation: { name, matched: { method, path }, responses },
    security: docs?.security === undefined ? undefined : demanded && docs.security.length > 0 ? "some" : "none",
  };
}

const SAFE = /* @__PURE__ */ new Set(["GET", "HEAD", "OPTIONS", "QUERY"]);

/** The media types that clients choose from. */
function offersOf(responses: RouteResponses): readonly string[] {
  const lists = Object.values(responses).map((declared) => entriesOf(declared)).filter(({ length }) => length > 1);
  return [...new Set(lists.flat().map(({ contentType = "application/json" }) => contentType))];
}

function readPart(
  name: InputPart,
  schema: unknown,
  owner: string,
  reader: BodyReader | undefined,
  segments: readonly string[],
  { fc, seed, random, toJsonSchema }: Tools,
): Part {
  let json: JsonSchema;
  try {
    json = schema === undefined ? { type: "string" } : sketchJsonSchema(schema, "input", toJsonSchema);
  } catch (error) {
    throw new TypeError(
      `Schema of the ${owner} must be expressible as JSON Schema, or leave the endpoint out by the option skip: ` +
        messageOf(error),
      { cause: error },
    );
  }
  const values = valuesOf(json, { fc, isHostile: true });
  const canValidate = standardValidator.accepts?.(schema, name) === true;
  const matched = { method: "", path: "" };
  let sampled = 0;
  let ready: unknown[] = [];

  const part: Part = {
    name,
    json,
    write: (value) => write(name, value, name === "body" ? reader : undefined, segments),
    async isValid(raw) {
      if (!canValidate) return undefined;
      try {
        return raw !== UNREADABLE && (await standardValidator.validate(schema, raw, name, matched)).ok;
      } catch {
        return undefined;
      }
    },
    async next() {
      if (ready.length === 0) ready = await sample();
      return ready.pop();
    },
    async nextWrong() {
      return spoil(await part.next());
    },
  };
  return part;

  /** The next values: the valid ones, if there are any. */
  async function sample(): Promise<unknown[]> {
    const mayBeAbsent = name === "body" && reader?.optional === true;
    const all = fc.sample(values, { seed: seed + sampled++, numRuns: 40 })
      .map((value, index) => mayBeAbsent && index % 8 === 7 ? undefined : value);
    const valid: unknown[] = [];
    /** By property: values without an issue. */
    const good: { [name: string]: unknown[] } = {};
    for (const value of all) {
      const { raw } = await part.write(value);
      const result = canValidate && await Promise.resolve(standardValidator.validate(schema, raw, name, matched))
        .catch(() => undefined);
      if (!result || result.ok) {
        valid.push(value);
        continue;
      }
      const wrong = new Set(result.issues.map(({ path }) => path[0]));
      for (const [key, item] of Object.entries(Object(value))) if (!wrong.has(key)) (good[key] ??= []).push(item);
    }
    // Where few are valid, the good properties of several make a valid one.
    for (let count = 0; valid.length < 10 && count < 30 && typeof all[0] === "object"; count++) {
      const made = Object.fromEntries(
        Object.entries(Object(random.of(all))).map(([key, item]) => [key, random.of(good[key] ?? [item])]),
      );
      if (await part.isValid((await part.write(made)).raw) === true) valid.push(made);
    }
    return valid.length > 0 ? valid : all;
  }

  function spoil(value: unknown): unknown {
    const { properties = {}, type } = simplify(json, json);
    const names = Object.keys(Object(properties));
    if (name === "body" && reader === undefined && random.chance(0.15)) {
      return random.of([new NoJson(""), new NoJson("{"), new NoJson('{"a":1}x'), null, [], "text", 7, {}]);
    }
    if (names.length === 0 || type === "array") return random.of(valuesOutside(json, json));
    const key = random.of(names) as string;
    const { [key]: _, ...others } = Object(value);
    if (random.chance(0.25)) return others;
    return { ...others, [key]: random.of(valuesOutside(Object(properties)[key], json)) };
  }
}
