/** Tests the checker of records: it must detect each way in which a record can be wrong. */
import { assert, assertEquals } from "@std/assert";
import { before, describe, it } from "@std/testing/bdd";
import { granted } from "../../support/granted.ts";
import { serve } from "../../examples/serve.ts";
import { check } from "./check.ts";
import { type Book, type Page, type Recording, startClients, type Walk } from "./record.ts";

(granted("net", "read", "run") ? describe : describe.skip)("check()", () => {
  let record: Recording;
  before(async () => {
    const served = await serve("examples/books.ts");
    const clients = startClients([served.origin], { creators: 3, deleters: 1, walkers: 2 });
    await clients.progress(1_000);
    record = await clients.finish();
    await served.stop();
  });

  it("accepts the record of a healthy server", () => {
    assert(record.creations.length > 100 && record.deletions.length > 50 && record.walks.length > 20);
    assertEquals(check(record), []);
  });

  /** Asserts that a falsified record is rejected for this reason. */
  function assertNoticed(reason: string, spoil: (record: Recording) => void): void {
    const spoiled = structuredClone(record);
    spoil(spoiled);
    const found = check(spoiled);
    assert(
      found.some((fault) => fault.startsWith(reason)),
      `${reason} is not among ${JSON.stringify(found.slice(0, 3))}`,
    );
  }

  const created = ({ final, creations }: Recording) =>
    creations.flatMap(({ book }) => book !== undefined && final.some(({ id }) => id === book.id) ? [book] : []);
  const middle = <T>(items: readonly T[]): T => items[Math.floor(items.length / 2)] ?? fail();
  const walkOfPages = ({ walks }: Recording): Walk => walks.findLast(({ pages }) => pages.length > 3) ?? fail();
  const pageOf = (record: Recording): Page => walkOfPages(record).pages[1] ?? fail();
  /** The index of a book that was never deleted. */
  const lasting = ({ data }: Page): number => data.findIndex(({ authorId }) => authorId !== record.authorId);

  it("detects an acknowledged book that is lost, doubled or changed", () => {
    assertNoticed("Lost", (record) => {
      const { id } = middle(created(record));
      record.final = record.final.filter((book) => book.id !== id);
    });
    assertNoticed("Doubled", (record) => {
      const book = middle(created(record));
      record.final.unshift({ ...book, id: crypto.randomUUID(), createdAt: "2999-01-01T00:00:00.000Z" });
    });
    assertNoticed("Changed", (record) => {
      const { id } = middle(created(record));
      const book = record.final.find((book) => book.id === id) ?? fail();
      book.authorId = "somebody-else";
    });
  });

  it("detects a book that no client created, or that has another book's title", () => {
    const { authorId } = record;
    const stranger: Book = { id: "stranger", title: "Stranger", authorId, createdAt: "2999-01-01T00:00:00.000Z" };
    assertNoticed("Nobody created", ({ final }) => final.unshift(stranger));
    assertNoticed("", ({ creations }) => {
      const creation = middle(creations);
      if (creation.book) creation.book.title = "Another";
    });
  });

  it("detects an acknowledged deletion that did not last", () => {
    assertNoticed("Deleted and still there", (record) => {
      const { id } = record.deletions.find(({ to }) => to !== undefined) ?? fail();
      record.final.push(record.creations.find(({ book }) => book?.id === id)?.book ?? fail());
    });
    assertNoticed("Deleted and listed", (record) => {
      const walk = record.walks.at(-1) ?? fail();
      const { id } = record.deletions.find(({ to = Infinity }) => to < walk.from) ?? fail();
      walk.pages[0]?.data.push(record.creations.find(({ book }) => book?.id === id)?.book ?? fail());
    });
  });

  it("detects a list that is out of order, and equal times", () => {
    assertNoticed("The final list is not strictly descending", ({ final }) => final.reverse());
    assertNoticed("The final list is not strictly descending", ({ final }) => {
      const [one, two] = final;
      if (one && two) one.createdAt = two.createdAt;
    });
    assertNoticed("The final list has a book twice", ({ final }) => final.push(middle(final)));
  });

  it("detects a book with an earlier time than one that was acknowledged before its request", () => {
    assertNoticed("Out of order", ({ creations }) => {
      const creation = middle(creations);
      if (creation.book) creation.book.createdAt = "2020-01-01T00:00:00.000Z";
    });
  });

  it("detects a book that a walk skipped, in the middle of a page or at a cursor", () => {
    assertNoticed("Skipped", (record) => {
      // The last page is empty if the one before it is full.
      const page = walkOfPages(record).pages.findLast((page) => lasting(page) >= 0) ?? fail();
      page.data.splice(lasting(page), 1);
    });
    assertNoticed("Skipped", (record) => walkOfPages(record).pages.at(-2)?.data.pop());
  });

  it("detects a book that was inserted after the newest one that a walk had seen", () => {
    assertNoticed("Skipped", (record) => {
      const [newest] = record.walks.at(-1)?.pages[0]?.data ?? [];
      const late = new Date(Date.parse(newest?.createdAt ?? "") - 1).toISOString();
      const creation = record.creations.find(({ book }) => book?.createdAt === late) ??
        { title: "late", from: 0, to: Infinity };
      if (!record.creations.includes(creation)) record.creations.push(creation);
      creation.book = { id: crypto.randomUUID(), title: creation.title, authorId: "x", createdAt: late };
    });
  });

  it("detects a book that a walk saw twice, and pages that do not fit together", () => {
    assertNoticed("A walk has a book twice", (record) => pageOf(record).data.push(pageOf(record).data[0] ?? fail()));
    assertNoticed("A walk is not strictly descending", (record) => pageOf(record).data.reverse());
    assertNoticed("A walk went on", (record) => {
      pageOf(record).cursor = "2020-01-01T00:00:00.000Z";
    });
    assertNoticed("A page begins before its cursor", (record) => {
      pageOf(record).cursor = "2001-01-01T00:00:00.000Z";
    });
    assertNoticed("A page of", (record) => {
      pageOf(record).pagination.hasMore = false;
    });
    assertNoticed("A page of", (record) => {
      pageOf(record).pagination.nextCursor = null;
    });
  });
});

function fail(): never {
  throw new Error("The record is too short");
}
