import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createApp, type Import } from "../../../examples/recipes/csv_import.ts";
import { granted } from "../../support/granted.ts";
import { serve } from "../serve.ts";

const HEAD =
  '--edge\r\ncontent-disposition: form-data; name="contacts"; filename="c.csv"\r\ncontent-type: text/csv\r\n\r\n';
const TAIL = "\r\n--edge--\r\n";

/** An app, and what its imports have done. */
function setUp() {
  const told = { batches: [] as number[], names: [] as string[], isCommitted: false, ended: 0 };
  const begin = (): Import => ({
    add: (contacts) => {
      told.batches.push(contacts.length);
      told.names.push(...contacts.map(({ name }) => name));
      return Promise.resolve();
    },
    commit: () => {
      told.isCommitted = true;
      return Promise.resolve(told.names.length);
    },
    end: () => Promise.resolve(void told.ended++),
  });
  const { fetch } = createApp(begin);
  const send = async (body: BodyInit) => {
    const headers = { "content-type": "multipart/form-data; boundary=edge" };
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    const response = await fetch(new Request("http://localhost/contacts", init));
    return [response.status, await response.json()];
  };
  return { told, send, post: (csv: string) => send(HEAD + csv + TAIL) };
}

const ROW = "ada@example.com,Ada\n";

describe("the import of CSV", () => {
  it("adds the rows in batches, and commits at the end", async () => {
    const { told, post } = setUp();
    assertEquals(await post(`email,name\n${ROW.repeat(1100)}`), [201, { imported: 1100 }]);
    assertEquals([told.batches, told.isCommitted, told.ended], [[500, 500, 100], true, 1]);
  });

  it("reads quotes, line breaks in quotes, a byte order mark, other columns, and their order", async () => {
    const { told, post } = setUp();
    const csv = '\ufeffname,x,email\r\n"Ada ""Countess""\nLovelace",1,ada@example.com\r\n\r\nÉmile,2,e@example.com';
    assertEquals(await post(csv), [201, { imported: 2 }]);
    assertEquals(told.names, ['Ada "Countess"\nLovelace', "Émile"]);
  });

  it("adds rows while the file arrives, and keeps no more of it than a few chunks", async () => {
    const { told, send } = setUp();
    const chunk = new TextEncoder().encode(ROW.repeat(1000));
    let [sent, most] = [0, 0];
    const body = new ReadableStream({
      pull(controller) {
        if (sent === 0) controller.enqueue(new TextEncoder().encode(`${HEAD}email,name\n`));
        else if (sent <= 60) controller.enqueue(chunk);
        else {
          controller.enqueue(new TextEncoder().encode(TAIL));
          controller.close();
        }
        most = Math.max(most, sent++ * 1000 - told.names.length);
      },
    }, { highWaterMark: 0 });
    assertEquals(await send(body), [201, { imported: 60_000 }]);
    assert(most < 20_000, `${most} rows were kept`);
  });

  it("names the line of the first row that does not fit, and commits nothing", async () => {
    const { told, post } = setUp();
    const csv = `email,name\n"ada@example.com","A\nB"\nada,Ada\nada,Ada\n`;
    assertEquals(await post(csv), [400, { error: "Line 4: email: Invalid email address" }]);
    assertEquals([told.isCommitted, told.ended], [false, 1]);
  });

  it("is a 400 for what is no CSV, such as a quote that is never closed", async () => {
    const [, { error }] = await setUp().post(`email,name\n"${"x".repeat(10_001)}\n${ROW}`);
    assert(String(error).includes("10000"), String(error)); // no more of it is kept
    for (const csv of [`email,name\n"${"x".repeat(10_001)}`, `email,name\na"b,c\n`, "email,name\na,b,c\n", "a,b"]) {
      const { told, post } = setUp();
      const [status, body] = await post(`${csv}\n${ROW}`);
      assertEquals(
        [status, typeof body.error, told.isCommitted, told.ended],
        [400, "string", false, 1],
        csv.slice(0, 20),
      );
    }
  });

  it("commits nothing of a file that did not arrive whole", async () => {
    const { told, send } = setUp();
    assertEquals((await send(`${HEAD}email,name\n${ROW}`))[0], 400);
    assertEquals([told.names, told.isCommitted, told.ended], [["Ada"], false, 1]);
  });

  it("is a 400 without a file, and a 415 for a file of another type", async () => {
    const { told, send } = setUp();
    assertEquals((await send("--edge--\r\n"))[0], 400);
    assertEquals((await send(HEAD.replace("text/csv", "image/png") + ROW + TAIL))[0], 415);
    assertEquals([told.isCommitted, told.ended], [false, 2]);
  });
});

(granted("net", "read", "run") ? describe : describe.skip)("examples/recipes/csv_import.ts", () => {
  it("is served by its first line", async () => {
    await using served = await serve("examples/recipes/csv_import.ts");
    const body = new FormData();
    body.set("contacts", new File([`email,name\n${ROW}`], "contacts.csv", { type: "text/csv" }));
    const response = await fetch(`${served.origin}/contacts`, { method: "POST", body });
    assertEquals([response.status, await response.json()], [201, { imported: 1 }]);
  });
});
