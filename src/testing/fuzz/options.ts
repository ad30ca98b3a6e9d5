import type { AnyRoute } from "../../core/declare/declared_route.ts";
import type { ToJsonSchema } from "../../core/schemas/json_schema.ts";
import { isRecord, requireFunction, requireOptions, requireThat } from "../../core/values/assert.ts";
import { requireWhole } from "../../core/values/whole_number.ts";
import type { FastCheck } from "../values/fast_check.ts";
import type { SignIn, UserHeaders } from "./actors.ts";
import { KINDS } from "./kinds/kinds.ts";
import { methodsOf } from "./operations.ts";

/** The argument of the function that creates an app. */
export interface Given {
  /**
   * The time, in milliseconds since 1970. Let the app read the time from it. It advances by a second with each request,
   * and by an hour after a 429, so that a limit does not hide the code behind it.
   */
  readonly clock: () => number;
  /** A number from which to derive random values, such as ids. With it, the reported requests repeat exactly. */
  readonly seed: number;
}

/** The options of {@linkcode fuzz}. */
export interface FuzzOptions {
  /** The module `fast-check`, which generates the values: `import fc from "fast-check"`. */
  readonly fc: FastCheck;
  /** The seed of all that is generated and chosen: a whole number, 1 by default. A report names it. */
  readonly seed?: number | undefined;
  /** How many apps are created, one after another: 80 by default. Each gets about 40 requests. */
  readonly runs?: number | undefined;
  /**
   * The headers of users, by name, such as `{ ada: { authorization: "Bearer …" } }`. A function instead of them signs a
   * user in to each app that `create` makes, and returns the headers, such as a cookie. With two users or more, each
   * tries to read and to change data that the others have created. Without this option, one user has no headers and
   * keeps the cookies that the app sets.
   */
  readonly actors?: { readonly [name: string]: UserHeaders | SignIn } | undefined;
  /**
   * The endpoints at which a user may read and change data that others have created: `["GET /books/:id"]`. The name of
   * an actor stands for all endpoints: `["carol"]` for somebody of the staff. Data that this actor creates belongs to
   * nobody.
   */
  readonly shared?: readonly string[] | undefined;
  /**
   * The sources of values whose names do not tell the kind: `{ assignee: "POST /users id" }` takes it from the property
   * `id` of earlier responses of that endpoint. The name is that of a parameter, a property or a header; `"PUT
   * /tasks/:id assignee"` is that of one endpoint.
   */
  readonly links?: { readonly [name: string]: string } | undefined;
  /**
   * What to leave out, each with the reason: an endpoint, `{ "POST /webhook": "needs a signature" }`, or a kind of
   * fault of an endpoint, `{ "GET /report refuses valid input": "a period has at most 90 days" }`.
   */
  readonly skip?: { readonly [endpoint: string]: string } | undefined;
  /** Converts schemas that do not implement Standard JSON Schema. */
  readonly toJsonSchema?: ToJsonSchema | undefined;
}

/**
 * Rejects wrong options at once.
 *
 * @param create The first argument of `fuzz`.
 * @param options The options.
 * @throws A `TypeError` if one is wrong.
 */
export function requireFuzzOptions(create: unknown, options: FuzzOptions): void {
  requireFunction("Argument create of fuzz", create);
  requireOptions(options, "fuzz", [], ["fc", "seed", "runs", "actors", "shared", "links", "skip", "toJsonSchema"]);
  const { fc, seed = 1, runs = RUNS, actors = {}, shared = [], links = {}, skip = {}, toJsonSchema } = options;
  requireThat(typeof fc?.sample === "function", "Option fc", 'the module fast-check: import fc from "fast-check"', fc);
  requireThat(Number.isSafeInteger(seed), "Option seed", "a whole number", seed);
  requireWhole(runs, "Option runs", 1_000_000);
  requireThat(
    isRecord(actors),
    "Option actors",
    "an object of headers or functions by name, such as { ada: { authorization: … } }",
    actors,
  );
  requireThat(
    Array.isArray(shared),
    "Option shared",
    'an array of endpoints or actors, such as ["GET /books/:id"]',
    shared,
  );
  requireThat(
    isRecord(links) && Object.values(links).every((value) => /^\S+ \S+ \S+$/.test(String(value))),
    "Option links",
    'an object of endpoints with a property, such as { assignee: "POST /users id" }',
    links,
  );
  const hasReasons = isRecord(skip) &&
    Object.values(skip).every((reason) => typeof reason === "string" && reason !== "");
  requireThat(
    hasReasons,
    "Option skip",
    'an object of reasons, such as { "POST /webhook": "needs a signature" }',
    skip,
  );
  if (toJsonSchema !== undefined) requireFunction("Option toJsonSchema", toJsonSchema);
}

/**
 * Names endpoints, as reports do.
 *
 * @param routes The routes.
 * @returns The names: `GET /notes/:id`.
 */
export function namesOf(routes: readonly AnyRoute[]): readonly string[] {
  return routes.flatMap((route) => methodsOf(route).map((method) => `${method} ${route.path}`));
}

/**
 * Rejects names of endpoints that do not exist: a typo must not leave a check out.
 *
 * @param option The option that has the names.
 * @param given The names.
 * @param names Those of the app.
 * @param mayHaveKind Whether the name of a kind of fault may follow.
 * @throws A `TypeError` if one does not exist.
 */
export function requireNames(
  option: string,
  given: readonly string[],
  names: readonly string[],
  mayHaveKind: boolean,
): void {
  for (const name of given) {
    const isKnown = names.includes(name) ||
      mayHaveKind && KINDS.some(({ kind }) => names.includes(name.replace(` ${kind}`, "")));
    if (isKnown) continue;
    throw new TypeError(
      `Option ${option} must name endpoints of the app, such as ${JSON.stringify(names[0])}` +
        `${mayHaveKind ? `, or a kind of fault, such as "${names[0]} ${KINDS[0].kind}"` : ""}: received ${
          JSON.stringify(name)
        }`,
    );
  }
}

/** How many apps are made by default. */
export const RUNS = 80;
