/** Runs each of these, one after another, and rejects with the first error only then. */
export async function rejectTogether(runs: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const run of runs) await run().catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
