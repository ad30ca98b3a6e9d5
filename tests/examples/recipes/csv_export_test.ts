import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createApp } from "../../../examples/recipes/csv_export.ts";
import { type Cell, streamCsv, toLine } from "../../../examples/recipes/csv_export/csv_export.ts";
import { assertLinear } from "../../support/count_work.ts";
import { request } from "../../support/request.ts";
import { until } from "../../support/until.ts";
import { granted } from "../../support/granted.ts";
import { serve } from "../serve.ts";
import { fakeMinutes } from "./fake_minutes.ts";

/** What a program reads from a line: the fields, without their quotation marks. */
function parse(line: string): string[] {
  return [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?:,|\r\n$)/g)].map(([, quoted, plain = ""]) =>
    quoted?.replaceAll('""', '"') ?? plain
  );
}

describe("toLine() of examples/recipes/csv_export/", () => {
  it("toLine() quotes text so that it comes out as it went in", () => {
    const cells = ["Emma", 'say "hi"', "a,b", "two\r\nlines", "", " x ", "é😀", "1+1", "o'clock", "Hi, @ada", "a - b"];
    assertEquals(parse(toLine(cells)), cells);
    assertEquals(toLine([1, -2.5, true, null, "x"]), '1,-2.5,true,,"x"\r\n');
  });

  it("toLine() disarms every text that a spreadsheet would run as a formula", () => {
    const wide = ["＝1", "＋1", "－1", "＠A1"];
    const after = ["\t=1", "\r=1", "\n=1", " =1", "\0=1", "\uFEFF=1", '"=1', "'=1"];
    for (const formula of ["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("https://evil.example")', ...wide, ...after]) {
      const [field = ""] = parse(toLine([formula]));
      assert(/^[\t\r\n]?'/.test(field), JSON.stringify(field));
      assertEquals(field.replace("'", ""), formula);
    }
  });

  it("toLine() disarms a formula behind a separator that a spreadsheet in another language splits at", () => {
    for (const separator of [";", "\t", "\n", "\r\n"]) {
      const [field = ""] = parse(toLine([`x${separator}=cmd|' /C calc'!A0`]));
      assertEquals(field, `x${separator}'=cmd|' /C calc'!A0`);
    }
  });

  it("toLine() takes time in proportion to the length of a string", () => {
    for (const filler of [" ", "\t", ";", "=", '"', ";=", " ;"]) {
      assertLinear((length) => toLine([filler.repeat(length / filler.length)]), 1000);
    }
  });
});

describe("streamCsv() of examples/recipes/csv_export/", () => {
  /** Rows without end, and what became of them. */
  function endless() {
    const seen = { read: 0, ended: 0 };
    async function* rows(): AsyncGenerator<readonly (readonly Cell[])[]> {
      try {
        for (;;) yield [[++seen.read, "x".repeat(1000)]];
      } finally {
        seen.ended++;
      }
    }
    return { seen, rows: rows() };
  }

  it("streamCsv() begins with a byte order mark and the header, and ends with the last row", async () => {
    async function* rows() {
      yield* [[[1, "Émma"]], [], [[2, "Ulysses"]], []] as const;
    }
    let ended = 0;
    const bytes = await new Response(streamCsv(["id", "title"], rows(), () => ended++)).bytes();
    assertEquals([...bytes.subarray(0, 3)], [0xEF, 0xBB, 0xBF]);
    assertEquals(new TextDecoder().decode(bytes), '"id","title"\r\n1,"Émma"\r\n2,"Ulysses"\r\n');
    assertEquals(ended, 1);
  });

  it("streamCsv() reads no rows ahead of the client, and ends them when it goes away", async () => {
    const { seen, rows } = endless();
    let ended = 0;
    const reader = streamCsv(["id", "text"], rows, () => ended++).getReader();
    assertEquals(seen.read, 0);
    await reader.read();
    assertEquals(seen.read, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assertEquals(seen.read, 1);
    await reader.cancel();
    await until(() => seen.ended === 1);
    assertEquals([ended, seen.read], [1, 1]);
  });

  it("streamCsv() ends the rows of a client that reads nothing for a minute", async () => {
    using minutes = fakeMinutes();
    const { seen, rows } = endless();
    const reader = streamCsv(["id", "text"], rows).getReader();
    await reader.read();
    minutes.pass();
    await assertRejects(() => reader.read(), Error, "The client has not read for a minute");
    await until(() => seen.ended === 1);
  });

  it("streamCsv() fails where a row cannot be read, so that nobody takes the part for the whole", async () => {
    async function* rows(): AsyncGenerator<readonly (readonly Cell[])[]> {
      yield [[1]];
      throw new Error("The disk is full");
    }
    let ended = 0;
    const response = new Response(streamCsv(["id"], rows(), () => ended++));
    await assertRejects(() => response.text(), Error, "The disk is full");
    assertEquals(ended, 1);
  });
});

(granted("net", "read", "run") ? describe : describe.skip)("examples/recipes/csv_export.ts", () => {
  it("the export is a file to download, with its formulas disarmed", async () => {
    await using served = await serve("examples/recipes/csv_export.ts");
    const response = await fetch(`${served.origin}/notes.csv`);
    const { status, headers } = response;
    assertEquals([status, headers.get("content-type")], [200, "text/csv; charset=utf-8; header=present"]);
    assertEquals(headers.get("content-disposition"), 'attachment; filename="notes.csv"');
    assertEquals([headers.get("x-content-type-options"), headers.get("cache-control")], ["nosniff", "no-store"]);
    const rows = (await response.text()).split("\r\n");
    assertEquals(rows, [
      '"id","author","text"',
      '1,"Ada","Buy milk"',
      `2,"Eve","'=HYPERLINK(""https://evil.example"",""Click"")"`,
      "",
    ]);
  });

  it("the export reads page by page, and responds with 503 while too many run", async () => {
    const pages: number[] = [];
    const note = (id: number) => ({ id, author: "Ada", text: "x" });
    const app = createApp((after, limit) => {
      pages.push(after);
      const ids = Array.from({ length: Math.min(limit, 1200 - after) }, (_, index) => after + index + 1);
      return Promise.resolve(ids.map(note));
    });
    const text = await (await app.fetch(request("/notes.csv"))).text();
    assertEquals([text.split("\r\n").length, pages], [1202, [0, 500, 1000, 1200]]);

    const running = await Promise.all(Array.from({ length: 20 }, () => app.fetch(request("/notes.csv"))));
    const refused = await app.fetch(request("/notes.csv"));
    assertEquals([refused.status, refused.headers.get("retry-after")], [503, "10"]);
    for (const { body } of running) await body?.cancel();
    const next = await app.fetch(request("/notes.csv"));
    assertEquals(next.status, 200);
    await next.body?.cancel();
  });
});
