/**
 * The pairs of documents that tests of oasdiff compare, at its commit 4553c69: one a line in `oasdiff_pairs.jsonl`, with
 * the name of the test. They are changed: what the verdict does not need is left out. oasdiff is licensed under the Apache
 * License 2.0, which is in `oasdiff_LICENSE.txt`.
 */
import { compatible } from "../../src/compatible/mod.ts";
import { worstOf } from "../entry_points/compatible/compare_documents.ts";
import { ROOT } from "./server_process.ts";

/** A change that a test of oasdiff makes. A test may change a document in several places. */
interface Pair {
  readonly test: string;
  /** Whether oasdiff calls it an error. Else it only informs, or says nothing. */
  readonly isFault?: true;
  /** What changes: the schema of a body, of a parameter or of a header, or the document. */
  readonly place: string;
  /** The version, if it is not 3.0. */
  readonly openapi?: string;
  readonly before: object;
  readonly after: object;
}

/** What `compatible` makes of a test of oasdiff. */
export interface Verdict {
  readonly test: string;
  readonly isFault: boolean;
  /** The worst level. */
  readonly level: string;
}

const LEVELS = ["none", "safe", "risky", "breaking"];

/** Compares all pairs, at a day on which nothing that they deprecate is over. */
export function verdicts(): readonly Verdict[] {
  const found = new Map<string, Verdict>();
  const lines = Deno.readTextFileSync(new URL("tests/support/oasdiff_pairs.jsonl", ROOT)).trim().split("\n");
  for (
    const { test, isFault = false, place, openapi = "3.0.3", before, after } of lines.map((line): Pair =>
      JSON.parse(line)
    )
  ) {
    const documents = [before, after].map((part) => ({ openapi, ...documentOf(place, part) }));
    const level = worstOf(compatible(documents[0], documents[1], { today: "2026-11-27" }));
    const worst = found.get(`${test} ${isFault}`)?.level ?? "none";
    const isWorse = LEVELS.indexOf(level) > LEVELS.indexOf(worst);
    found.set(`${test} ${isFault}`, { test, isFault, level: isWorse ? level : worst });
  }
  return [...found.values()];
}

function documentOf(place: string, part: object): object {
  if (place === "document") return part;
  const content = { content: { [place.endsWith("xml") ? "application/xml" : "application/json"]: { schema: part } } };
  const responses = place === "response header"
    ? { 200: { headers: { a: { schema: part } } } }
    : { 200: place.startsWith("response") ? content : {} };
  const parameters = [{ name: "a", in: place, required: place === "path", schema: part }];
  const request = place.startsWith("request")
    ? { requestBody: content }
    : place.startsWith("response")
    ? {}
    : { parameters };
  return { paths: { [place === "path" ? "/x/{a}" : "/x"]: { post: { ...request, responses } } } };
}
