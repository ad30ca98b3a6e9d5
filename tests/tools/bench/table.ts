/** The median; `NaN` of nothing. */
export function median(values: readonly number[] = []): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}

/** A table in Markdown, with columns of even width. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const write = (cells: readonly string[]) =>
    `| ${
      cells.map((cell, at) => at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)).join(" | ")
    } |`;
  const rule = widths.map((width, column) => column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`);
  return [head, rule, ...rows].map(write).join("\n");
}
