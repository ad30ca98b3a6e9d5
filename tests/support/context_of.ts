import { assert } from "@std/assert";
import { type Context, route, setup, type SetupOptions } from "../../mod.ts";

/** The context that the handler of `pattern` sees. */
export async function contextOf(
  pattern: string,
  incoming: Request,
  options: SetupOptions<unknown> = {},
): Promise<Context> {
  let seen: Context | undefined;
  const app = setup({
    ...options,
    handlers: [route.all(pattern, {
      resolve(c) {
        seen = c;
        return new Response();
      },
    })],
  });
  await app.fetch(incoming);
  assert(seen !== undefined, `${incoming.url} does not match ${pattern}`);
  return seen;
}
