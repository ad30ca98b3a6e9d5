/** What one framework takes to start, and to keep: printed as JSON by the process that is measured. */
import process from "node:process";
import { BODY } from "./schema.ts";

/** The handler of an app. */
export type Fetch = (request: Request) => Response | Promise<Response>;

/** Milliseconds from before the routes are declared to the first response; bytes of heap then, and after many requests. */
export interface Start {
  readonly time: number;
  readonly heap: number;
  readonly later: number;
}

/** How many requests come before the heap is read again. */
const REQUESTS = 100_000;

/**
 * Measures an app in this process, and prints the figures. The routes' number is the first argument.
 *
 * @param create Declares the routes and makes the app.
 */
export async function measureStart(create: (routes: number) => Fetch): Promise<void> {
  const routes = Number(process.argv[2]);
  // Node.js loads Request and Response when they are first used, which some frameworks do when they are imported.
  await new Response(await new Request("http://localhost/", { method: "POST", body: "{}" }).text()).json();
  const empty = readHeap();
  const begin = performance.now();
  const fetch = create(routes);
  const call = async (n: number) => {
    const response = await fetch(
      new Request(`http://localhost/things${n % routes}/7`, {
        method: "POST",
        body: JSON.stringify(BODY),
        headers: { "content-type": "application/json" },
      }),
    );
    if (response.status !== 200 || await response.text() !== JSON.stringify(BODY)) throw new Error("wrong response");
  };
  await call(routes - 1);
  const time = performance.now() - begin;
  const heap = readHeap() - empty;
  for (let n = 0; n < REQUESTS; n++) await call(n);
  console.log(JSON.stringify({ time, heap, later: readHeap() - empty } satisfies Start));
  process.exit();
}

/** The bytes of the heap that are in use. */
function readHeap(): number {
  for (let n = 0; n < 3; n++) (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
}
