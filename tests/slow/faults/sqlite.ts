/** The books API on SQLite, on a disk that is full. Run by `deno task slow faults`, as only root can mount a disk. */
import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { serve } from "../../examples/serve.ts";
import { mountDisk } from "./disk.ts";

it("a full disk receives 503, loses nothing, and is used again when it has room", async () => {
  const disk = await mountDisk(1);
  const file = `${disk.directory}/books.db`;
  const permissions = ["--allow-env=BOOKS_DB", `--allow-read=${file}`, `--allow-write=${file}`];
  try {
    await using served = await serve("examples/books.ts", { permissions, env: { BOOKS_DB: file } });
    const request = async (path: string, options?: RequestInit) => {
      const response = await fetch(served.origin + path, options);
      return { status: response.status, retry: response.headers.get("retry-after"), body: await response.json() };
    };
    const body = JSON.stringify({ title: "x".repeat(500), authorId: "x" });
    const create = () => request("/books", { method: "POST", body });
    const created: string[] = [];
    assertEquals((await create()).status, 201);
    await disk.fill();
    let last = await create();
    for (; last.status === 201; last = await create()) created.push(last.body.id);
    for (let turn = 0; turn < 20; turn++, last = await create()) {
      assertEquals([last.status, last.retry, last.body], [503, "1", { error: "Service unavailable" }]);
    }
    for (const id of created) assertEquals((await request(`/books/${id}`)).status, 200);
    await disk.free();
    assertEquals((await create()).status, 201);
  } finally {
    await disk.remove();
  }
});
