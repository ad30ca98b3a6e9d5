/** The value in the middle, or between the two that are. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** A median and how far half of the values are spread around it. */
export interface Spread {
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
}

/** The median, and the quartiles. */
export function spread(values: readonly number[]): Spread {
  return { median: median(values), lower: quantile(values, 0.25), upper: quantile(values, 0.75) };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const [below = NaN, above = below] = sorted.slice(Math.floor(position), Math.floor(position) + 2);
  return below + (above - below) * (position % 1);
}
