/** What a figure has to be at most, or at least, on a runtime; nothing where there is no target. */
export interface Target {
  readonly bound: "≤" | "≥";
  readonly deno?: number;
  readonly bun?: number;
  readonly node?: number;
}

/** Our overhead over that of the fastest peer, case by case. */
export const OVERHEAD_TARGETS: Readonly<Record<string, Target>> = {
  "static": { bound: "≤", deno: 0.3, bun: 0.55, node: 0.35 },
  "parameter": { bound: "≤", deno: 0.3, bun: 0.55, node: 0.35 },
  "wildcard": { bound: "≤", deno: 0.3, bun: 0.55, node: 0.35 },
  "GitHub, static": { bound: "≤", deno: 0.3, bun: 0.6, node: 0.4 },
  "GitHub, short": { bound: "≤", deno: 0.3, bun: 0.6, node: 0.4 },
  "GitHub, long": { bound: "≤", deno: 0.3, bun: 0.6, node: 0.4 },
  "GitHub, mix": { bound: "≤", deno: 0.3, bun: 0.6, node: 0.4 },
  "GitHub, miss": { bound: "≤", deno: 0.5, bun: 0.5, node: 0.15 },
  "query": { bound: "≤", deno: 0.4, bun: 0.4, node: 0.42 },
  "JSON + zod": { bound: "≤", deno: 0.8, bun: 0.8, node: 0.8 },
  "hooks and guards": { bound: "≤", deno: 0.15, bun: 0.15, node: 0.16 },
  "async": { bound: "≤", deno: 0.7, bun: 0.6, node: 0.8 },
};

/** The time that our matcher takes for GitHub's routes over that of `memoirist`. */
export const MATCHER_TARGET: Target = { bound: "≤", deno: 1, bun: 1, node: 1.15 };

/** The time that our matcher takes with the largest table over that with the smallest. */
export const GROWTH_TARGET: Target = { bound: "≤", deno: 2, bun: 2, node: 2 };

/** Our requests per second over those of the bare handler, case by case. */
export const BARE_TARGETS: Readonly<Record<string, Target>> = {
  "parameter": { bound: "≥", deno: 0.98, bun: 0.95 },
  "JSON + zod": { bound: "≥", deno: 0.96, bun: 0.97 },
};

/** Our requests per second over those of the fastest peer. */
export const PEER_TARGET: Target = { bound: "≥", deno: 1.04, bun: 1 };
