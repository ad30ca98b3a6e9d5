/**
 * A cache in front of the radix tree. It maps a url to the match that a search has found, so it never changes which
 * route matches.
 *
 * It keeps matches without parameters and queries, by urls of a bounded length, so that clients cannot fill the memory.
 * Urls with the same slot evict each other.
 */
export type UrlCache<Match> = ({ readonly url: string; readonly match: Match } | undefined)[];

/** Creates an empty cache. All slots exist from the start: JavaScriptCore is slower with arrays that have gaps. */
export function createUrlCache<Match>(): UrlCache<Match> {
  return Array(SLOTS).fill(undefined);
}

/** The slot of a url, by its length and three of its characters. */
export function slotOf(url: string): number {
  const { length } = url;
  const hash = 31 * (length + url.charCodeAt(length - 1)) + url.charCodeAt(length - 3);
  return (31 * hash + url.charCodeAt(length - 7)) & (SLOTS - 1);
}

/** The number of slots, a power of two. */
const SLOTS = 1024;

/** The length of the longest url that is kept, in characters. */
export const MAX_LENGTH = 500;
