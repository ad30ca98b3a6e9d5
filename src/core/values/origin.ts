/**
 * Whether a browser could send this text as its origin. URL parsers know no origin for schemes of apps, such as
 * `capacitor:`.
 *
 * @param text The text.
 */
export function isOrigin(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\/[a-z\d.:[\]_-]+$/.test(text) && URL.canParse(text) &&
    [text, "null"].includes(new URL(text).origin);
}

/**
 * Rejects what no browser sends as its origin: it would be compared in vain.
 *
 * @param owner The function that takes the origins, as messages name it.
 * @param origins The origins.
 * @throws A `TypeError` that names the origin.
 */
export function requireOrigins(owner: string, origins: Iterable<string>): void {
  for (const origin of origins) {
    if (isOrigin(origin)) continue;
    const rule = `Option origins of ${owner} must have origins such as "https://app.example.com"`;
    throw new TypeError(`${rule}: received ${JSON.stringify(origin)}`);
  }
}
