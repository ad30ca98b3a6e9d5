import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertType, type IsExact } from "@std/testing/types";
import { type Client, createClient } from "@fw/core/client";
import { mock } from "@fw/core/testing";
import { QueryClient, QueryObserver } from "@tanstack/query-core";
import fc from "fast-check";
import * as api from "../../../examples/recipes/client/api.ts";
import { createQueries } from "../../../examples/recipes/tanstack_query.ts";
import { refusalOf, Refused } from "../../../examples/recipes/tanstack_query.ts";
import { until } from "../../support/until.ts";
import { granted } from "../../support/granted.ts";

const app = mock(api, { fc, choose: { showBook: (c) => c.raw.params.id === "emma" ? 200 : 404 } });

interface Missing {
  code: "missing";
}

/** Queries of a client that counts its requests. */
function create(fetch: (request: Request) => Response | Promise<Response> = app.fetch) {
  const requests: Request[] = [];
  const client: Client<typeof api> = createClient(api, {
    fetch(request) {
      requests.push(request);
      return fetch(request);
    },
  });
  return { requests, queries: createQueries(client), cache: new QueryClient() };
}

// The cache reads `NODE_ENV`.
(granted("env") ? describe : describe.skip)("examples/recipes/tanstack_query.ts", () => {
  it("the recipe tanstack_query gives typed data, and calls once for one key", async () => {
    const { requests, queries, cache } = create();
    const options = { ...queries.book("emma"), staleTime: Infinity };
    const books = [await cache.fetchQuery(options), await cache.fetchQuery(options)];
    assertEquals(books, [{ id: "emma", title: "Emma" }, { id: "emma", title: "Emma" }]);
    assertEquals(requests.length, 1);
    const cached = cache.getQueryData(queries.book("emma").queryKey);
    assertType<IsExact<typeof cached, { id: string; title: string } | undefined>>(true);
    assertEquals(cached?.title, "Emma");
  });

  it("the recipe tanstack_query tells declared failures apart by status, and does not repeat them", async () => {
    const { requests, queries, cache } = create();
    const error = await assertRejects(() => cache.fetchQuery(queries.book("none")), Refused);
    assertEquals(error.response, { ...error.response, status: 404, body: { code: "missing" } });
    assertEquals(requests.length, 1);
    const refusal = refusalOf(new QueryObserver(cache, queries.book("none")).getCurrentResult().error);
    assertType<
      IsExact<typeof refusal extends infer R ? R extends { body: infer Body } ? Body : never : never, Missing>
    >(true);
    assertEquals(refusal?.body, { code: "missing" });
  });

  it("the recipe tanstack_query repeats a call that has not reached the server", async () => {
    let calls = 0;
    const { queries, cache } = create((request) => {
      if (++calls === 1) throw new TypeError("connection refused");
      return app.fetch(request);
    });
    const book = await cache.fetchQuery({ ...queries.book("emma"), retryDelay: 0 });
    assertEquals([book.title, calls], ["Emma", 2]);
  });

  it("the recipe tanstack_query ends the request when the query is cancelled", async () => {
    const { requests, queries, cache } = create(({ signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
    );
    const query = queries.book("emma");
    const fetched = cache.fetchQuery(query).catch((error: unknown) => error);
    await until(() => requests.length > 0);
    await cache.cancelQueries({ queryKey: query.queryKey });
    const [request] = requests;
    assert(request !== undefined);
    assertStrictEquals(request.signal.aborted, true);
    assert(await fetched instanceof Error);
  });
});
