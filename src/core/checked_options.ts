/** The options of `setup` checked against each other: routes, hooks and extra arguments. Types only. */

import type { Named } from "./values/named.ts";
import type { AcceptedByAll, AnyFunction, NeverKeys, Simplify } from "./values/types.ts";
import type { AnyRoute, Route } from "./declare/declared_route.ts";
import type { Endpoint } from "./declare/typed_endpoint.ts";
import type { NoLocals } from "./guards/context.ts";
import type { Clashes, ClashesWith, ExtraOfAll } from "./guards/extra.ts";
import type { UnmetNeeds } from "./guards/unmet_needs.ts";
import type { Composed } from "./composed.ts";
import type { SetupOptions } from "./setup_options.ts";

/** @internal The options of {@linkcode setup}, with the routes, checked against each other. */
export type CheckedOptions<
  Routes extends readonly AnyRoute[],
  Returned,
  Keys extends PropertyKey = never,
  Api = unknown,
  RequestExtra extends readonly unknown[] = readonly unknown[],
  ResponseExtra extends readonly unknown[] = readonly unknown[],
  ErrorExtra extends readonly unknown[] = readonly unknown[],
> =
  & Handlers<WithoutClashes<Routes, RequestExtra | ResponseExtra | ErrorExtra>>
  & SetupOptions<Returned, RequestExtra, ResponseExtra, ErrorExtra>
  & HooksWithoutClash<RequestExtra, ResponseExtra, ErrorExtra>
  & StrictCompiler
  & EndpointsOption<Implemented<Api, Routes>>
  & { readonly [Key in Keys]?: Key extends OptionName | "~composed" ? unknown : UnknownOption<Key> }
  & ("~composed" extends Keys ? Composed : unknown)
  & ("onRequest" extends Keys
    ? NoLocals extends NeedsOfRoutes<Routes> ? { readonly onRequest?: CheckedHook<Returned> | undefined }
    : { readonly onRequest: CheckedHook<Returned> }
    : unknown);

/**
 * @internal
 * `Checked`, or the message for a compiler that cannot check what this module promises: without `strictNullChecks`,
 * what may be absent passes for present, and without `strictFunctionTypes`, any guard for one that needs less.
 *
 * @typeParam Checked The type for other compilers.
 */
export type StrictCompiler<Checked = unknown> = undefined extends string ? NotStrict
  : ((local: "a") => 0) extends (local: string) => 0 ? NotStrict
  : Checked;

/** The message for such a compiler. */
type NotStrict = 'Set "strict": true in tsconfig.json: without it, the compiler does not check what routes declare';

/** @internal The names of the options. */
export type OptionName = keyof SetupOptions<unknown> | "handlers" | "routes" | "endpoints";

/**
 * The message for a key that is no option. It names the options that begin as the key does, or, if there are none, all.
 */
type UnknownOption<Key extends PropertyKey> = OptionLike<Lowercase<Key & string>> extends infer Near extends string
  ? `setup has no option "${Key & string}": ${[Near] extends [never]
    ? "the options are handlers, endpoints, validator, onRequest, onResponse, onError, maxBodyBytes and trustUrl"
    : `did you mean ${Near}?`}`
  : never;

/** The options whose names have the longest beginning in common with a name, in lower case: at least three letters. */
type OptionLike<Name extends string> = Name extends `${infer A}${infer B}${infer C}${infer Rest}`
  ? [OptionThatBegins<Name>] extends [never] ? OptionLike<WithoutLast<`${A}${B}${C}${Rest}`>> : OptionThatBegins<Name>
  : never;

/** The options whose names begin with this, in lower case. */
type OptionThatBegins<Start extends string> = OptionName extends infer Name
  ? Name extends string ? Lowercase<Name> extends `${Start}${string}` ? Name : never : never
  : never;

/** A name without its last letter. */
type WithoutLast<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? Rest extends "" ? "" : `${First}${WithoutLast<Rest>}`
  : "";

/** The option `endpoints`. */
interface EndpointsOption<Api> {
  /**
   * Endpoints that `handlers` must implement, such as the record that clients are made of. If one of them has no route,
   * the call does not compile, and `setup` throws. Likewise if there is no endpoint, or if a value is a record of
   * endpoints itself. Endpoints in an array, a `Map` or a `Set` must stand in the record, too, as far as types tell.
   * What else is no endpoint is ignored, so `import * as api` fits. A route implements an endpoint if `route.on` has
   * made it of this very endpoint. A copy of the route with other guards does not implement it, since the endpoint may
   * need what they add.
   *
   * @example The endpoints of an API, with their routes
   * ```ts
   * import { endpoint, route, setup } from "@fw/core";
   * import { assertThrows } from "@std/assert";
   *
   * const api = { listBooks: endpoint.get("/books"), showBook: endpoint.get("/books/:id") };
   * const listBooks = route.on(api.listBooks, { resolve: () => Response.json([]) });
   * const showBook = route.on(api.showBook, { resolve: (c) => new Response(c.raw.params.id) });
   *
   * setup({ endpoints: api, handlers: [listBooks, showBook] });
   * // Without one of the routes, the compiler says: No route of handlers implements "showBook"
   * const others = setup({ handlers: [listBooks] }).routes;
   * assertThrows(() => setup({ endpoints: api, handlers: [...others] }), TypeError, 'GET "/books/:id"');
   * ```
   */
  readonly endpoints?: Api;
}

/**
 * The record itself if each of its endpoints has a route. Otherwise it is the message of the compiler. If the list has
 * routes of unknown paths, such as those of another app, only `setup` itself can tell. Those that answer preflights do
 * not count.
 */
type Implemented<Api, Routes extends readonly AnyRoute[]> = unknown extends Api ? Api
  : Api extends readonly unknown[] ? "Write a record of endpoints, { list, show }: messages name an endpoint by its key"
  : [EndpointIn<Api>] extends [never] ? "The record contains no endpoints"
  : [NestedIn<Api>] extends [never] ? ImplementedBy<Api, Routes>
  : `Write "...${NestedIn<Api> & string}" in place of "${
    & NestedIn<Api>
    & string}": a record of endpoints contains no other`;

/** As {@linkcode Implemented}, for a record that contains endpoints only at its top. */
type ImplementedBy<Api, Routes extends readonly AnyRoute[]> = [Unimplemented<Api, ServedBy<Routes[number]>>] extends
  [never] ? [Unmade<Api, Routes[number]>] extends [never] ? Api
  : `Write route.on(api.${Unmade<Api, Routes[number]> & string}, …): a route at its path is not made of "${
    & Unmade<Api, Routes[number]>
    & string}"`
  : string extends Exclude<UnlistedRoute<Routes>, { readonly method: "OPTIONS" }>["path"] ? Api
  : `No route of handlers implements "${Unimplemented<Api, ServedBy<Routes[number]>> & string}"`;

/** The endpoint that a value of a record is or may be; `never` if it is none, or if it is of type `any`. */
type EndpointOf<Value> = 0 extends 1 & Value ? never : Extract<Value, Endpoint>;

/** The names of the endpoints of a record. */
type EndpointIn<Api> = {
  [Name in keyof Api]-?: [EndpointOf<Api[Name]>] extends [never] ? never : Name;
}[keyof Api];

/** The names of the values of a record that contain endpoints. */
type NestedIn<Api> = {
  [Name in keyof Api]-?: [Nested<Api[Name], Api[keyof Api]>] extends [never] ? never : Name;
}[keyof Api];

/**
 * Whether a value contains endpoints: a record, which may contain two more, or a collection, whose endpoints may stand
 * in the record, too. `never` if it does not. Schemas and functions do not.
 */
type Nested<Value, Listed> = 0 extends 1 & Value ? never
  : Value extends Endpoint ? never
  : Value extends ReadonlyMap<unknown, infer Item> ? Exclude<EndpointOf<Item>, Listed>
  : Value extends ReadonlySet<infer Item> | readonly (infer Item)[] ? Exclude<EndpointOf<Item>, Listed>
  : NestedRecord<Value>;

/**
 * As {@linkcode Nested}, for a record.
 *
 * @typeParam Depth A list with an item for each record around it.
 */
type NestedRecord<Value, Depth extends readonly unknown[] = []> = 0 extends 1 & Value ? never
  : Value extends Endpoint | AnyFunction | readonly unknown[] | { readonly "~standard": unknown } ? never
  : Value extends object ? {
      [Name in keyof Value]-?: [EndpointOf<Value[Name]>] extends [never]
        ? Depth["length"] extends 2 ? never : NestedRecord<Value[Name], [...Depth, unknown]>
        : Name;
    }[keyof Value]
  : never;

/** The names of the endpoints of a record that are not served. */
type Unimplemented<Api, Served> = {
  [Name in keyof Api]-?: ServedBy<EndpointOf<Api[Name]>> extends Served ? never : Name;
}[keyof Api];

/**
 * The names of the endpoints of a record whose routes are not made of them by `route.on`, as far as types tell: nothing
 * tells an endpoint from another one of the same method and path if both demand the same locals. A route in the record
 * is its own implementation.
 */
type Unmade<Api, Each> = {
  [Name in keyof Api]-?: "guards" extends keyof EndpointOf<Api[Name]> ? never
    : ServedBy<EndpointOf<Api[Name]>> extends ServedBy<MadeFor<Each, NeedsIn<EndpointOf<Api[Name]>>>> ? never
    : Name;
}[keyof Api];

/** The routes that `route.on` has made of endpoints with these demands. */
type MadeFor<Each, Needs> = Each extends { readonly guards: infer Guards }
  ? "~endpoint" extends keyof Guards ? [Needs, NeedsIn<Each>] extends [NeedsIn<Each>, Needs] ? Each : never
  : never
  : never;

/** What an endpoint demands, as a type to compare; `unknown` if it demands nothing. */
type NeedsIn<Each> = Each extends { readonly "~needs"?: infer Needs } ? Needs : never;

/** The methods and paths of routes or endpoints: `"GET /books/:id"`. `never` if the path is not known. */
type ServedBy<Each> = Each extends
  { readonly method: infer Method extends string | readonly string[]; readonly path: infer Path extends string }
  ? string extends Path ? never : `${Method extends string ? Method : Method[number]} ${Path}`
  : never;

/** The routes of a list that are not its single items: those of arrays that are spread into it. */
type UnlistedRoute<Routes extends readonly AnyRoute[]> = number extends Routes["length"]
  ? Routes extends readonly [AnyRoute, ...infer Rest extends readonly AnyRoute[]] ? UnlistedRoute<Rest>
  : Routes extends readonly [...infer Rest extends readonly AnyRoute[], AnyRoute] ? UnlistedRoute<Rest>
  : Routes[number]
  : never;

/**
 * Accepts `onRequest`, as each function is an `object`, if it returns an object or nothing. Otherwise it is the
 * message. A return type that TypeScript has not inferred yet is `unknown`, and is accepted.
 */
type CheckedHook<Returned> = unknown extends Returned ? object
  : Awaited<Returned> extends object | void
    ? [Extract<Awaited<Returned>, { readonly deny: Response }>] extends [never] ? object
    : "onRequest cannot deny: write a guard, and list it in route.with({ guards })"
  : "onRequest must return an object of locals, nothing, or a promise of either";

/**
 * A message at `onResponse` or `onError` if its extra arguments exclude those of another hook; `unknown` if none does.
 */
type HooksWithoutClash<
  RequestExtra extends readonly unknown[],
  ResponseExtra extends readonly unknown[],
  ErrorExtra extends readonly unknown[],
> = Clashes<ExtraOfApp<[], RequestExtra | ResponseExtra | ErrorExtra>> extends infer Clash
  ? [Clash] extends [never] ? unknown : {
    // Those of `compose` may exclude each other.
    readonly onResponse?: WithoutClash<ClashesWith<ResponseExtra, Clash> | Clashes<ResponseExtra>, "Another hook">;
    readonly onError?: WithoutClash<ClashesWith<ErrorExtra, Clash>, "Another hook">;
  }
  : never;

/** The routes to serve, under one of the two names. */
type Handlers<Served> =
  | {
    /**
     * The routes to serve, in any order: of several patterns that match, the most specific one wins. Two routes must
     * not have the same method and the same shape, such as GET `/books/:id` and GET `/books/:name`. Write a list per
     * file and spread the lists.
     *
     * @example The routes of two files
     * ```ts
     * import { route, setup } from "@fw/core";
     * import { assertEquals } from "@std/assert";
     *
     * const books = [route.get("/books/:id", { resolve: (c) => new Response(c.raw.params.id) })];
     * const health = [route.get("/health", { resolve: () => new Response("ok") })];
     *
     * const app = setup({ handlers: [...books, ...health] });
     * const response = await app.fetch(new Request("http://localhost/health"));
     * assertEquals(await response.text(), "ok");
     * ```
     */
    readonly handlers: Served;
    /** Not together with `handlers`. */
    readonly routes?: undefined;
  }
  | {
    /** The routes to serve: an alias of `handlers`. */
    readonly routes: Served;
    /** Not together with `routes`. */
    readonly handlers?: undefined;
  };

/**
 * Checks the list of routes. Some extra arguments of `app.fetch` must suit all of them. If so, it is the list itself.
 * Otherwise it is a list with a message in the place of each faulty route, which the compiler reports.
 */
type WithoutClashes<Routes extends readonly AnyRoute[], HookExtra extends readonly unknown[]> =
  [Clashes<ExtraOfApp<Routes, HookExtra>>] extends [never] ? Routes : {
    readonly [Index in keyof Routes]:
      & WithoutClash<ClashesOf<Routes[Index], Clashes<ExtraOfApp<Routes, []>>>>
      & WithoutClash<
        ClashesOf<Routes[Index], Exclude<Clashes<ExtraOfApp<Routes, HookExtra>>, Clashes<ExtraOfApp<Routes, []>>>>,
        "A hook"
      >;
  };

/**
 * @internal `unknown`, or the message for locals that routes need and `onRequest` does not return. It is the type of
 * `this` of `setup`, so that it is one error for all routes, and does not print their types.
 */
export type CheckLocals<Routes extends readonly AnyRoute[], Returned, Keys extends PropertyKey> =
  NeedsOfRoutes<Routes> extends infer Needs ? [Needs] extends [never] ? ExcludingLocals<"locals">
    : [NeverKeys<Needs>] extends [never]
      ? [UnmetNeeds<Needs, "onRequest" extends Keys ? Awaited<Returned> : NoLocals>] extends [infer Name extends string]
        ? [Name] extends [never] ? unknown : LocalNotReturned<Name>
      : unknown
    : ExcludingLocals<`the local "${Named<NeverKeys<Needs> & string>}"`>
    : never;

/** The message for a local that `onRequest` does not return. */
type LocalNotReturned<Name extends string> =
  `onRequest must return the local "${Name}", which route.with<{ ${Name}: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards }) instead`;

/** The message for locals that no `onRequest` can return. */
type ExcludingLocals<Which extends string> = `Two scopes promise ${Which} with types that exclude each other`;

/** The clashes between routes that this route takes part in. */
type ClashesOf<Each, Clash> = Each extends Route<never, infer Extra> ? ClashesWith<Extra, Clash> : never;

/** `unknown` if there is no clash, else a message for each. */
type WithoutClash<Clash, Other extends string = "Another route"> = [Clash] extends [never] ? unknown
  : `${Other} declares ${Clash extends `${number}` ? `extra argument ${Clash}`
    : `"${
      & Clash
      & string}" in an extra argument`} of app.fetch with a type that excludes the type here: give both the same type`;

/**
 * The locals that a route needs from `onRequest`. For a union of routes: all locals that any of them needs. Routes
 * whose needs are not known are skipped: their needs are `never`, which would replace those of the others.
 */
type NeedsOfRoute<Each> = AcceptedByAll<
  Each extends Route<infer Needs, never> ? [Needs] extends [never] ? never : (needs: Needs) => void : never
>;

/** The locals that all routes together need from `onRequest`. */
type NeedsOfRoutes<Routes extends readonly AnyRoute[]> = NeedsOfRoute<Routes[number]> extends infer Needs
  ? keyof Needs extends never ? NoLocals extends Needs ? NoLocals : Needs : Simplify<Needs>
  : never;

/** @internal The needs of all routes as an app has them: `never` if there are none. */
export type NeedsOfApp<Routes extends readonly AnyRoute[]> = keyof NeedsOfRoutes<Routes> extends never
  ? NoLocals extends NeedsOfRoutes<Routes> ? never : NeedsOfRoutes<Routes>
  : NeedsOfRoutes<Routes>;

/**
 * @internal The extra arguments of `app.fetch` that all routes and hooks together require, position by position.
 *
 * @typeParam HookExtra Those of each hook, as a union. A list of unknown length requires nothing.
 */
export type ExtraOfApp<Routes extends readonly AnyRoute[], HookExtra extends readonly unknown[]> = ExtraOfAll<
  | (Routes[number] extends infer Each ? Each extends Route<never, infer Extra> ? Extra : [] : [])
  | (HookExtra extends unknown ? number extends HookExtra["length"] ? [] : HookExtra : never)
>;
