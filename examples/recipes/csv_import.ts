// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/csv_import.ts
//
// Imports a CSV file of any size while it arrives: all of its rows, or none.
//
// printf 'email,name\nada@example.com,Ada\n' | curl -i -F 'contacts=@-;type=text/csv' http://localhost:8000/contacts

import { type App, reply, route, setup } from "@fw/core";
import { file, parts } from "@fw/core/body";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { InvalidCsv, readCsv } from "./csv_import/read_csv.ts";
import { paced } from "./forms/paced.ts";
import { acceptedForm, refuse } from "./forms/short_form.ts";

const MIB = 1024 * 1024;

// Excel on Windows gives its own type to CSV.
const upload = parts({
  contacts: file({ contentTypes: ["text/csv", "application/vnd.ms-excel"], maxBytes: 500 * MIB }),
});

const contact = z.object({ email: z.email().max(254), name: z.string().trim().min(1).max(200) });
type Contact = z.output<typeof contact>;

/** An import. In a database: rows of a table of their own, which `commit` moves by one statement. */
export interface Import {
  add(contacts: readonly Contact[]): Promise<void>;
  /** Returns how many contacts there are in the import. */
  commit(): Promise<number>;
  /** Removes what was added and not committed. */
  end(): Promise<void>;
}

export function createApp(begin: () => Import): App {
  return setup({
    validator: standardSchema,
    handlers: [
      // Put guards before it by `beforeBody`, and limit how many imports run at once.
      route.post("/contacts", {
        request: { body: upload, bodyReader: paced(upload), maxBodyBytes: 501 * MIB },
        responses: {
          201: { schema: z.object({ imported: z.int() }) },
          400: { schema: z.looseObject({ error: z.string() }) },
          408: { schema: z.object({ error: z.string() }) },
          413: { schema: z.object({ error: z.string() }) },
          415: { schema: z.object({ error: z.string() }) },
        },
        guards: [acceptedForm],
        resolve: async ({ input, request }) => {
          const rows = begin();
          try {
            for await (const part of input.body) {
              if (part.issues) return refuse(part.issues, request);
              // A statement for 500 rows is much faster than one for each.
              await readCsv(part.stream, contact, 500, (contacts) => rows.add(contacts));
            }
            // Only now it is known that the file has arrived whole.
            return reply(201, { imported: await rows.commit() });
          } catch (error) {
            if (error instanceof InvalidCsv) return reply(400, { error: error.message });
            throw error;
          } finally {
            await rows.end();
          }
        },
      }),
    ],
  });
}

const CONTACTS: Contact[] = [];

export default createApp(() => {
  const added: Contact[] = [];
  return {
    add: (contacts) => Promise.resolve(void added.push(...contacts)),
    commit: () => Promise.resolve(CONTACTS.push(...added) && added.length),
    end: () => Promise.resolve(),
  };
});
