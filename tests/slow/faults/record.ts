import { pause, until } from "../../support/until.ts";

/** What clients did and saw, and when. Times are in milliseconds, from one clock. */
export interface Recording {
  /** The author of all books that these clients create, and of no others. */
  authorId: string;
  /** Books to create. */
  creations: Creation[];
  /** Books to delete. */
  deletions: Deletion[];
  /** Walks through the list, from the newest book on. */
  walks: Walk[];
  /** The final list of books. */
  final: Book[];
}

/** A book as a client sees it. */
export interface Book {
  id: string;
  title: string;
  authorId: string;
  createdAt: string;
}

/** The creation of one book, with all attempts. */
export interface Creation {
  /** Unique among the creations. */
  title: string;
  /** When the first attempt began. */
  from: number;
  /** When it was acknowledged. */
  to?: number;
  /** What was acknowledged. */
  book?: Book;
}

/** The deletion of one book, with all attempts. */
export interface Deletion {
  id: string;
  /** When the first attempt began. */
  from: number;
  /** When it was acknowledged. */
  to?: number;
}

/** One walk through the list. It may have been aborted. */
export interface Walk {
  from: number;
  pages: Page[];
  /** When the last page arrived. */
  to?: number;
}

/** A page of a walk. */
export interface Page {
  cursor: string | undefined;
  data: Book[];
  pagination: { limit: number; nextCursor: string | null; hasMore: boolean };
}

/** Running clients. */
export interface Clients {
  readonly record: Recording;
  /** The number of acknowledged creations, deletions and pages so far. */
  acknowledged(): number;
  /** The number of creations among them. */
  created(): number;
  /** The number of requests with an unexpected status or no response. */
  failed(): number;
  /** Waits until this many more are acknowledged. Rejects when none is for a minute. */
  progress(count: number): Promise<void>;
  /** Stops the clients and lists the remaining books. */
  finish(): Promise<Recording>;
  /** Stops the clients at once. */
  abandon(): void;
}

/**
 * Starts clients that create, delete and list books through several instances. A request without a whole response is repeated
 * at another instance.
 *
 * @param origins The instances.
 * @param counts The number of clients of each kind.
 * @returns The clients. The caller must finish them.
 */
export function startClients(
  origins: readonly string[],
  { creators, deleters, walkers }: { readonly creators: number; readonly deleters: number; readonly walkers: number },
): Clients {
  const authorId = crypto.randomUUID();
  const record: Recording = { authorId, creations: [], deletions: [], walks: [], final: [] };
  let acknowledged = 0;
  let failed = 0;
  let turn = 0;
  let stopped = false;
  const abandoned = new AbortController();

  /** Sends the request to one instance after another, until one responds with an expected status. Returns the body. */
  async function ask(path: string, options: RequestInit, expected: readonly number[]): Promise<string | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS && !abandoned.signal.aborted; attempt++) {
      const origin = origins[turn++ % origins.length];
      try {
        const signal = AbortSignal.any([abandoned.signal, AbortSignal.timeout(30_000)]);
        const response = await fetch(`${origin}${path}`, { ...options, signal });
        // A killed instance may have sent a part of it.
        const body = await response.text();
        if (expected.includes(response.status)) {
          acknowledged++;
          return body;
        }
      } catch {
        // No server listens, or the response was lost or cut off.
      }
      failed++;
      await pause(50);
    }
    return undefined;
  }

  async function create(): Promise<void> {
    const creation: Creation = { title: `Volume ${record.creations.length}`, from: performance.now() };
    record.creations.push(creation);
    const { title } = creation;
    const body = JSON.stringify({ title, authorId });
    const headers = { "idempotency-key": `${authorId}/${record.creations.length}` };
    const book = await ask("/books", { method: "POST", body, headers }, [201]);
    if (book === undefined) return;
    creation.book = JSON.parse(book);
    creation.to = performance.now();
  }

  async function remove(): Promise<void> {
    const deleted = new Set(record.deletions.map(({ id }) => id));
    const victim = record.creations.find(({ book }) => book !== undefined && !deleted.has(book.id))?.book;
    if (victim === undefined) return await pause(10);
    const deletion: Deletion = { id: victim.id, from: performance.now() };
    record.deletions.push(deletion);
    // Gone: an earlier attempt without a response has deleted it.
    const answer = await ask(`/books/${victim.id}`, { method: "DELETE" }, [204, 404]);
    if (answer !== undefined) deletion.to = performance.now();
  }

  async function walk(): Promise<Walk> {
    const walk: Walk = { from: performance.now(), pages: [] };
    let cursor: string | undefined;
    for (;;) {
      const answer = await ask(`/books?limit=50${cursor ? `&cursor=${cursor}` : ""}`, {}, [200]);
      if (answer === undefined) return walk;
      const page: Omit<Page, "cursor"> = JSON.parse(answer);
      walk.pages.push({ cursor, ...page });
      walk.to = performance.now();
      if (page.pagination.nextCursor === null) return walk;
      cursor = page.pagination.nextCursor;
    }
  }

  const loop = async (work: () => Promise<unknown>) => {
    while (!stopped) await work();
  };
  const clients = [
    ...Array.from({ length: creators }, () => loop(create)),
    ...Array.from({ length: deleters }, () => loop(remove)),
    ...Array.from({ length: walkers }, () => loop(async () => record.walks.push(await walk()))),
  ];

  return {
    record,
    acknowledged: () => acknowledged,
    created: () => record.creations.filter(({ book }) => book !== undefined).length,
    failed: () => failed,
    async progress(count) {
      const goal = acknowledged + count;
      while (acknowledged < goal) {
        const before = acknowledged;
        await until(() => acknowledged > before, () => `Only ${count - goal + acknowledged} of ${count} answers`);
      }
    },
    async finish() {
      stopped = true;
      await Promise.all(clients);
      record.final = (await walk()).pages.flatMap(({ data }) => data);
      return record;
    },
    abandon() {
      stopped = true;
      abandoned.abort();
    },
  };
}

const MAX_ATTEMPTS = 200;
