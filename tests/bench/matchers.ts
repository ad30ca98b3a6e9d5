import { parsePattern, type Pattern } from "../../src/pattern.ts";
import { readParams } from "../../src/raw.ts";
import { createTree, walk } from "../../src/radix_tree.ts";
import type { Captures } from "../../src/url.ts";
import {
  addRoute,
  createRouterOfRou3,
  findMyWay,
  findRoute,
  type HonoRouter,
  Memoirist,
  RegExpRouter,
  SmartRouter,
  TrieRouter,
} from "./dependencies.ts";
import type { TableRoute } from "./route_tables.ts";

/** A router without a framework around it. */
export interface Matcher {
  readonly name: string;
  /** Puts all routes in, and gives what finds them. */
  build(table: readonly TableRoute[]): Finder;
}

/** Finds the route of a request, and its parameters. */
export interface Finder {
  /** As an application would: this is what is timed. */
  find(method: string, path: string): unknown;
  /** What it has found, in words that are the same for all. */
  read(method: string, path: string): { readonly route: number; readonly params: Readonly<Record<string, string>> };
}

/** The tree, without what the router keeps of the urls that it has seen. */
const ours: Matcher = {
  name: "ours",
  build(table) {
    const tables = new Map<string, { index: number; pattern: Pattern }[]>();
    table.forEach(({ method, pattern: path }, index) => {
      const routes = tables.get(method) ?? [];
      tables.set(method, routes);
      routes.push({ index, pattern: parsePattern(`${method} ${path}`, path) });
    });
    const roots = new Map(
      Array.from(tables, ([method, routes]) => [
        method,
        { routes, tree: createTree(routes.map(({ pattern }) => pattern.shape)) },
      ]),
    );
    const captures: Captures = { parsed: false, encoded: false, spans: [] };
    const find = (method: string, path: string) => {
      const root = roots.get(method);
      if (root === undefined) return undefined;
      captures.encoded = false;
      const route = root.routes[walk(root.tree, Number(root.tree[0]), path, 0, path.length, captures, 0) - 1];
      return route && { route: route.index, params: readParams(route.pattern.names, path, captures) };
    };
    return {
      find,
      read(method, path) {
        const { route = -1, params } = find(method, path) ?? {};
        return { route, params: toStrings(params) };
      },
    };
  },
};

const memoirist: Matcher = {
  name: "memoirist",
  build(table) {
    const router = new Memoirist<number>();
    table.forEach(({ method, pattern }, index) => router.add(method, pattern, index));
    return {
      find: (method, path) => router.find(method, path),
      read(method, path) {
        const { store = -1, params = {} } = router.find(method, path) ?? {};
        return { route: store, params };
      },
    };
  },
};

const rou3: Matcher = {
  name: "rou3",
  build(table) {
    const router = createRouterOfRou3<number>();
    table.forEach(({ method, pattern }, index) => addRoute(router, method, pattern, index));
    return {
      find: (method, path) => findRoute(router, method, path),
      read(method, path) {
        const { data = -1, params = {} } = findRoute(router, method, path) ?? {};
        return { route: data, params };
      },
    };
  },
};

const findMyWayMatcher: Matcher = {
  name: "find-my-way",
  build(table) {
    const router = findMyWay();
    table.forEach(({ method, pattern }, index) => router.on(method as "GET", pattern, () => {}, { index }));
    return {
      find: (method, path) => router.find(method as "GET", path),
      read(method, path) {
        const { store, params } = router.find(method as "GET", path) ?? {};
        return { route: store?.index ?? -1, params: toStrings(params) };
      },
    };
  },
};

/** Hono's routers find a place for each parameter; its context takes them out of the path when they are read. */
function honoMatcher(name: string, create: () => HonoRouter<number>): Matcher {
  return {
    name,
    build(table) {
      const router = create();
      table.forEach(({ method, pattern }, index) => router.add(method, pattern, index));
      return {
        find: (method, path) => router.match(method, path),
        read(method, path) {
          const [[found] = [], stash] = router.match(method, path);
          const [route = -1, params = {}] = found ?? [];
          const values = Object.entries(params).map(([name, value]) => [
            name,
            typeof value === "number" ? stash?.[value] : value,
          ]);
          return { route, params: Object.fromEntries(values) };
        },
      };
    },
  };
}

/** One pattern after the other, as without a router. */
const urlPattern: Matcher = {
  name: "URLPattern",
  build(table) {
    const routes = table.map(({ method, pattern }) => ({ method, pattern: new URLPattern({ pathname: pattern }) }));
    const literal = (route: TableRoute) => !route.pattern.includes(":");
    const order = [...table.keys()].sort((a, b) =>
      Number(literal(table[b] ?? fail())) - Number(literal(table[a] ?? fail()))
    );
    const find = (method: string, pathname: string) => {
      for (const index of order) {
        const route = routes[index];
        if (route?.method !== method) continue;
        const found = route.pattern.exec({ pathname });
        if (found !== null) return { route: index, params: found.pathname.groups };
      }
      return undefined;
    };
    return {
      find,
      read(method, path) {
        const { route = -1, params } = find(method, path) ?? {};
        return { route, params: toStrings(params) };
      },
    };
  },
};

/** The routers that are compared; `URLPattern` where the runtime has it. */
export const MATCHERS: readonly Matcher[] = [
  ours,
  memoirist,
  rou3,
  findMyWayMatcher,
  honoMatcher("Hono RegExpRouter", () => new RegExpRouter()),
  honoMatcher("Hono TrieRouter", () => new TrieRouter()),
  honoMatcher("Hono SmartRouter", () => new SmartRouter({ routers: [new RegExpRouter(), new TrieRouter()] })),
  ...("URLPattern" in globalThis ? [urlPattern] : []),
];

function toStrings(params: Readonly<Record<string, string | undefined>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value = ""]) => [name, value]));
}

function fail(): never {
  throw new Error("There is no such route");
}
