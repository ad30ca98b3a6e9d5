/** The codings of files that were compressed beforehand, in the order in which they are preferred. */
const CODINGS = [["br", ".br"], ["zstd", ".zst"], ["gzip", ".gz"]] as const;

/** How a file is encoded: the value of `Content-Encoding`, and what its name ends with. */
export type Coding = readonly [name: string, ending: string];

/**
 * The codings that a client prefers to the file itself (RFC 9110, 12.5.3), the best one first.
 *
 * @param header The header `Accept-Encoding`. Without one, only the file itself is sent.
 * @returns The codings.
 */
export function acceptedCodings(header: string | null): readonly Coding[] {
  const weights = new Map<string, number>();
  for (const element of header?.toLowerCase().split(",") ?? []) {
    const [name = "", weight = "1"] = element.split(/;\s*q=/);
    weights.set(name.trim().replace("x-gzip", "gzip"), Number(weight));
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  const least = weights.get("identity") ?? 0;
  const accepted = CODINGS.filter(([name]) => weightOf(name) > 0 && weightOf(name) >= least);
  return accepted.sort(([a], [b]) => weightOf(b) - weightOf(a));
}
