import { mediaTypeOf } from "../../core/responses/media_type.ts";

/**
 * Finds what a client prefers by its header `Accept` (RFC 9110, section 12.5.1).
 *
 * @param offers What there is, in order. One without a media type has no body, and is accepted by everybody.
 * @param accept The header; `null` if there is none, which accepts all.
 * @returns The first of those that are preferred; `undefined` if none is accepted.
 */
export function negotiate<Offer extends { readonly contentType: string | undefined }>(
  offers: readonly Offer[],
  accept: string | null,
): Offer | undefined {
  const ranges = (accept ?? "*/*").toLowerCase().split(",").map((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    // The last one, unless a client still sends what RFC 7231 allowed after it.
    const [, quality = "1"] = /^q=([\d.]+)$/.exec(parameters.find((each) => each.startsWith("q=")) ?? "") ?? [];
    return { type, quality: Number(quality) };
  });
  const qualityOf = ({ contentType }: Offer) => {
    if (contentType === undefined) return 1;
    const type = `${mediaTypeOf(contentType)}`;
    // The most specific range decides.
    const names = [type, type.replace(/\/.*/, "/*"), "*/*"];
    return names.map((name) => ranges.find((range) => range.type === name)).find(Boolean)?.quality ?? 0;
  };
  const best = Math.max(...offers.map(qualityOf));
  return best > 0 ? offers.find((offer) => qualityOf(offer) === best) : undefined;
}
