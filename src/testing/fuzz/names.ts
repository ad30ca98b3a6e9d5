/** What the names of parameters and properties say. */

/** Keys of ids. */
export const ID: RegExp = /^(?:_?id|uuid|guid|slug|key|code|number|no|ref|handle|sku|isbn)$/;

/** Names of references: `noteId`, `note_ids`, `noteSlug`. */
const REFERENCE = /^(.+?)_?(?:[iI]ds?|[uU]uids?|[sS]lugs?|[kK]eys?|[cC]odes?)$/;

/** What a reference refers to: `note` for `noteId`; `""` for other names. */
export function stemOf(name: string): string {
  return REFERENCE.exec(name)?.[1]?.toLowerCase() ?? "";
}

/** A word in the singular, more or less. */
export function singular(word: string): string {
  return word.toLowerCase().replace(/ies$/, "y").replace(/(?<=ss|x|ch|sh)es$|(?<!s)s$/, "");
}

/** Names of what an earlier response or a secret decides: no schema says which values are accepted. */
export const OPAQUE: RegExp =
  /cursor|token|signature|password|secret|captcha|otp|nonce|challenge|^(?:after|before|since|next|page|from|to|q)$/i;

/** The name of a parameter: `id` of `:id`, `*` of the rest. */
export function nameOf(segment: string): string {
  return segment.replace(/^:|\+$/g, "");
}

/** What the parameter at this place of a path is the id of, in the singular. */
export function kindAt(segments: readonly string[], index: number): string {
  const before = segments.slice(0, index).findLast((segment) => !/^[:*]/.test(segment));
  return singular(String(before));
}
