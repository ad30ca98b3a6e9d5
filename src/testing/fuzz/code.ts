import { type Actors, hideCredentials, isCredential } from "./actors.ts";
import { HANDSHAKE, type Prepared } from "./prepare.ts";
import { ORIGIN } from "./requests.ts";

/**
 * Writes a request as code that can be pasted. Credentials are named.
 *
 * @param prepared The request.
 * @param actors The actors.
 * @param notes What to know before it is pasted.
 * @returns A line of code, with the notes as a comment.
 */
export function codeOf(prepared: Prepared, actors: Actors, notes: readonly string[]): string {
  const { operation: { method }, actor, path, query, body, messages } = prepared;
  const isSocket = prepared.headers.has("upgrade") && prepared.operation.messages !== undefined;
  const options: string[] = [];
  if (method !== "GET") options.push(`method: ${quote(method)}`);
  const headers = nameCredentials(prepared, actors).filter(([name]) => !isSocket || !isOfHandshake(name));
  const pairs = headers.map(([name, value]) => `${/^\w+$/.test(name) ? name : quote(name)}: ${quote(value)}`);
  if (pairs.length > 0) options.push(`headers: { ${pairs.join(", ")} }`);
  if (body !== undefined) {
    const isPlainJson = /^[[{]/.test(body) && stringify(body) === body;
    const text = hideCredentials(body, actors);
    options.push(`body: ${isPlainJson ? `JSON.stringify(${escape(text)})` : quote(text)}`);
  }
  const isNamed = headers.some(([, value]) => value.includes(`<${actor}>`));
  const comments = [...isNamed ? [`<${actor}>: what the actor ${actor} sends`] : [], ...notes];
  const comment = comments.length > 0 ? ` // ${escape(comments.join("; "))}` : "";
  const given = options.length > 0 ? `, { ${options.join(", ")} }` : "";
  if (!isSocket) return `await fetch(${quote(ORIGIN + path + query)}${given})${comment}`;
  const sends = messages.map((message) => `socket.send(${literalOf(message, actors)})`);
  return `const socket = new WebSocket(${quote(ORIGIN.replace("http", "ws") + path + query)}${given})` +
    (sends.length > 0 ? `; socket.onopen = () => { ${sends.join("; ")} }` : "") + comment;
}

/** A message as code. */
function literalOf(message: string | Uint8Array, actors: Actors): string {
  if (typeof message !== "string") return `new Uint8Array([${message}])`;
  return message.length > LONG && message === "x".repeat(message.length)
    ? `"x".repeat(${message.length})`
    : quote(hideCredentials(message, actors));
}

/** A text that nobody writes out, if it is one letter. */
const LONG = 1000;

function isOfHandshake(name: string): boolean {
  return HANDSHAKE.some(([own]) => own === name);
}

/** The headers, with `<ada>` for the credentials of the actor ada. */
function nameCredentials({ actor, headers, signed }: Prepared, actors: Actors): readonly (readonly [string, string])[] {
  const own = actors.get(actor)?.headers;
  return Array.from(headers, ([name, value]) => {
    const given = own?.get(name) ?? undefined;
    if (signed.includes(name)) return [name, `<${actor}>`];
    return [name, given !== undefined && isCredential(name, given) ? value.replace(given, () => `<${actor}>`) : value];
  });
}

/** The text as `JSON.stringify` writes it, so that code may have the value; `undefined` if it is no JSON. */
function stringify(text: string): string | undefined {
  try {
    return text.includes('"__proto__"') ? undefined : JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function quote(text: string): string {
  return escape(JSON.stringify(text));
}

/** Escapes what cannot be seen, or changes the direction of text. */
function escape(json: string): string {
  return json.replace(
    /[^\x20-\x7e\p{L}\p{N}\p{P}\p{S}]|\p{Surrogate}/gu,
    (character) =>
      Array.from(
        { length: character.length },
        (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
      ).join(""),
  );
}
