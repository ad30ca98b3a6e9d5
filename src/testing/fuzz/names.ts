/** What the names of parameters, properties and headers say: which value of a response leads to which of a request. */

/** Keys of ids. */
export const ID: RegExp = /^(?:_?id|uuid|guid|slug|key|code|number|no|ref|handle|sku|isbn)$/;

/** Those that are ids of one kind of things, wherever they are. */
export const SPECIFIC_ID: RegExp = /^(?:uuid|guid|slug|handle|sku|isbn)$/;

/** Names of references: `noteId`, `note_ids`, `noteSlug`. */
const REFERENCE = /^(.+?)_?(?:[iI][dD]s?|[uU]uids?|[sS]lugs?|[kK]eys?|[cC]odes?)$/;

/** Names that are references if things of that kind exist: `orderNumber`. */
const MAYBE_REFERENCE = /^(.+?)_?(?:[nN]umbers?|[nN]os?|[rR]efs?|[rR]eferences?|[hH]andles?|[gG]uids?|[sS]kus?)$/;

/** References to a thing of the same kind: `parentId` of a comment. */
const RELATIVE = /^(?:parent|previous|next|root|original|reply|replyto|inreplyto)$/;

/** What a reference refers to: `note` for `noteId`; `""` for other names. */
export function stemOf(name: string): string {
  return REFERENCE.exec(name)?.[1]?.toLowerCase() ?? "";
}

/** Whether a name refers to a thing of the same kind: `parentId` of a comment. */
export function isRelative(name: string): boolean {
  return RELATIVE.test(stemOf(name));
}

/**
 * Says what a parameter or a property is the id of.
 *
 * @param name Its name.
 * @param own What the endpoint is about: `comment` for `/posts/:id/comments`.
 * @param kinds The kinds of things that the app has.
 * @returns The kind, in the singular: `user` for `userId`, and for `user` and `userNumber` if there are users;
 * `""` if it is no reference.
 */
export function referenceOf(name: string, own: string, kinds: ReadonlySet<string>): string {
  const stem = stemOf(name);
  if (isRelative(name)) return own;
  if (stem !== "") return kinds.has(singular(stem)) ? singular(stem) : stem;
  const named = singular(MAYBE_REFERENCE.exec(name)?.[1] ?? name);
  return kinds.has(named) ? named : "";
}

/** A word in the singular, more or less. */
export function singular(word: string): string {
  const letters = word.toLowerCase();
  const [, before, irregular] = /^(.*?)(children|people)$/.exec(letters) ?? [];
  if (irregular !== undefined) return `${before}${irregular === "people" ? "person" : "child"}`;
  return letters.replace(/ies$/, "y").replace(/(?<=ss|x|ch|sh)es$|(?<!s)s$/, "");
}

/** Whether a word is a plural, more or less. */
export function isPlural(word: string): boolean {
  return singular(word) !== word.toLowerCase();
}

/** Names of what an earlier response or a secret decides: no schema says which values are accepted. */
export const OPAQUE: RegExp =
  /cursor|token|signature|password|secret|captcha|otp|nonce|challenge|^(?:after|before|since|next|page|from|to|q)$/i;

/** Names of a text to search for. */
export const SEARCH: RegExp = /^q$/i;

/** Names of what only the server can make. */
export const SERVER_MADE: RegExp = /cursor|token|signature|captcha|otp|nonce|challenge|marker|continuation|etag/i;

/** Names of places in a list: a cursor leads to each of them. */
export const PLACE: RegExp =
  /^(?:cursor|after|before|since|next|marker|pagetoken|continuation|continuationtoken|startingafter|endingbefore)$/;

/** Keys of places in a list, without what stands before: `nextCursor`, `end_cursor`, `nextPageToken`. */
const GIVES_PLACE =
  /^(?:next|end|start|last|prev|previous)?(?:cursor|marker|pagetoken|continuation|continuationtoken)$|^next$/;

/**
 * Says whether a value of a response leads to one of a request by their names alone.
 *
 * @param key The key in the response: `nextCursor`.
 * @param name The name in the request: `cursor`.
 * @returns `true` for the same name in another spelling, and for a place in a list.
 */
export function leadsTo(key: string, name: string): boolean {
  const [from, to] = [lettersOf(key), lettersOf(name)];
  return from === to || PLACE.test(to) && GIVES_PLACE.test(from) || from === `next${to}`;
}

/** The name in lower case, without what separates its words. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\da-z]/g, "");
}

/** Names of how many items of a list are wanted. */
export const SIZE: RegExp = /^(?:limit|size|count|first|take|top|max|n|per_?page|page_?size|max_?results)$/i;

/** Whether a segment of a path is a parameter, or stands for the rest. */
export function isParameter(segment: string | undefined): boolean {
  return /^[:*]/.test(String(segment));
}

/** The name of a parameter: `id` of `:id`, `*` of the rest. */
export function nameOf(segment: string): string {
  return segment.replace(/^:|\+$/g, "");
}

/** What the parameter at this place of a path is the id of, in the singular. */
export function kindAt(segments: readonly string[], index: number): string {
  const before = segments.slice(0, index).findLast((segment) => !isParameter(segment));
  return singular(String(before));
}

/** What a path is about, in the singular: `comment` for `/posts/:id/comments/:commentId`. */
export function kindOf(segments: readonly string[]): string {
  return kindAt(segments, segments.length);
}
