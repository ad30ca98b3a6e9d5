/** Mocks of the endpoints of the examples get the requests that `fuzz` makes of them. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { fuzz, holdToEndpoints, mock } from "@fw/core/testing";
import fc from "fast-check";
import * as books from "../../examples/books/api.ts";
import * as client from "../../examples/recipes/client/api.ts";
import * as service from "../../examples/service/api.ts";

/** What a mock does not claim: it reads no credentials, and keeps nothing. */
const NOT_MOCKED = ["needs no credentials", "is there after DELETE"];

for (const [name, api] of Object.entries({ books, client, service })) {
  describe(`mock() of the endpoints of the example ${name}`, () => {
    it("sends what they declare, refuses what is invalid, and nothing else", async () => {
      const statuses = new Set<number>();
      const create = () => {
        const { routes, fetch } = mock(api, { fc });
        const send = async (request: Request) => {
          const response = await fetch(request);
          statuses.add(response.status);
          return response;
        };
        return { routes, fetch: send };
      };
      const faults = await fuzz(create, { fc, runs: 8 });
      assertEquals(faults.filter(({ kind }) => !NOT_MOCKED.includes(kind)), []);
      assert(statuses.has(200) && statuses.has(201) && (statuses.has(400) || statuses.has(422)));
    });

    it("sends each failure that is asked for", async () => {
      const app = mock(api, { fc });
      const held = holdToEndpoints(api, app);
      let count = 0;
      for (const { method, path, responses } of app.routes) {
        for (const key of Object.keys(responses ?? {}).filter((key) => /^[45d]/.test(key))) {
          const status = key === "default" ? 500 : Number(key.replace("XX", "18"));
          const [first = "GET"] = [method].flat();
          const url = `http://localhost${path.replace(/[:*][^/]*/g, "7")}`;
          const response = await held.fetch(
            new Request(url, { method: first, headers: { prefer: `code=${status}` } }),
          );
          assertEquals(response.status, status);
          await response.text();
          count++;
        }
      }
      assert(count > 2);
      assertEquals(held.unseen().filter((name) => /[45]..$/.test(name)), []);
    });
  });
}
