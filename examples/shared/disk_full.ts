/**
 * Whether an error of the file system or of `node:sqlite` means that the disk is full, or the part of it that this
 * process may use. Log it, and respond with 503: the client has done nothing wrong.
 */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  // Deno does not give the code of SQLite's error.
  return code === "ENOSPC" || code === "EDQUOT" || error.message === "database or disk is full";
}
