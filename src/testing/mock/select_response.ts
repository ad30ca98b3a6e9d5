import type { AnyInput } from "../../core/input/input.ts";

/** The response that a request, or the option `choose`, asks for. */
export interface Preference {
  /** The status. */
  readonly status?: number;
  /** The name of an example. */
  readonly example?: string;
}

/** A response to send. */
export interface Selected extends Preference {
  /** The key in `responses`: a status, a range, or `default`. */
  readonly key: string;
  /** The status. */
  readonly status: number;
}

/**
 * Reads `status` and `example` of a header `Prefer` (RFC 7240). Other mock servers say `code` for a status, so that is
 * read, too. Of a preference that is repeated, the first counts. Other preferences are ignored.
 *
 * @param header The value of the header.
 * @returns What is asked for; `undefined` if it is neither.
 */
export function readPreference(header: string | null): Preference | undefined {
  const found = new Map<string, string | undefined>();
  for (const preference of (header ?? "").split(/[,;]/)) {
    const [, name, quoted, token] = /^\s*(status|code|example)\s*=\s*(?:"(.*)"|(\S+))\s*$/i.exec(preference) ?? [];
    if (name === undefined) continue;
    const wished = name.toLowerCase() === "example" ? "example" : "status";
    if (!found.has(wished)) found.set(wished, quoted ?? token);
  }
  const [status, example] = [found.get("status"), found.get("example")];
  if (status === undefined && example === undefined) return undefined;
  return { ...status !== undefined && { status: Number(status) }, ...example !== undefined && { example } };
}

/**
 * Selects the response to a request.
 *
 * @param owner The endpoint, as messages name it.
 * @param declared By key of `responses`: the names of the examples.
 * @param preference What is asked for.
 * @param input The input. Without valid input, there is no response below 400.
 * @returns The response.
 * @throws A `TypeError` if none is declared.
 */
export function selectResponse(
  owner: string,
  declared: ReadonlyMap<string, readonly string[]>,
  preference: Preference,
  input: AnyInput,
): Selected {
  const keys = [...declared.keys()];
  const select = (status: number) => {
    const name = `${status}`;
    // A range and `default` stand only for what a `Response` can have.
    const names = /^[2-5]\d\d$/.test(name) ? [name, name[0] + "XX", "default"] : [name];
    const key = names.find((key) => declared.has(key));
    return key === undefined ? undefined : { key, status };
  };
  const rejects = (what: string, names: readonly string[]) =>
    new TypeError(`${owner} must declare ${what}: it declares ${names.join(", ") || "none"}`);

  let selected: Selected | undefined;
  if (preference.example !== undefined) {
    const { status, example } = preference;
    const among = [...declared].filter(([key]) => status === undefined || key === select(status)?.key);
    const key = among.find(([, names]) => names.includes(example))?.[0];
    if (key === undefined) throw rejects("the example that is asked for", among.flatMap(([, names]) => names));
    selected = { key, status: status ?? statusOf(key), example };
  } else if (preference.status !== undefined) {
    selected = select(preference.status);
    if (selected === undefined) throw rejects(`the status ${preference.status}`, keys);
  }
  if (input.ok || selected !== undefined && selected.status >= 400) {
    const key = selected?.key ?? defaultOf(keys);
    if (key === undefined) {
      throw new TypeError(`${owner} must declare responses: without them, nothing is known to respond with`);
    }
    return selected ?? { key, status: statusOf(key) };
  }
  const { issues } = input;
  const codes = issues.map(({ code }) => code);
  const exact = REFUSALS.find(([status, code]) =>
    declared.has(`${status}`) && (code === undefined || codes.includes(code))
  );
  const refusal = select(exact?.[0] ?? 400);
  if (refusal !== undefined) return refusal;
  // Not the messages and the paths of issues, which may have text of the request.
  throw rejects(`400 or 422 for invalid input (of the ${input.failed.join(" and the ")})`, keys);
}

/** The statuses for invalid input, in order. Some only with this code of an issue. */
const REFUSALS: readonly (readonly [status: number, code?: string])[] = [
  [413, "body_too_large"],
  [413, "too_many_parts"],
  [413, "file_too_large"],
  [413, "field_too_large"],
  [415, "unsupported_media_type"],
  [415, "unsupported_content_encoding"],
  [400, "invalid_json"],
  [400, "incomplete_body"],
  [400, "invalid_content_encoding"],
  [400, "invalid_form"],
  [422],
  [400],
];

/** The response to a valid request: a socket, a success, a redirect, 426, or the first that is declared. */
function defaultOf(keys: readonly string[]): string | undefined {
  const first = (start: string) => keys.find((key) => key.startsWith(start));
  // 426: what a request without a handshake gets of an endpoint with a socket.
  return first("101") ?? first("2") ?? first("3") ?? first("d") ?? first("426") ?? keys[0];
}

/** A status that a key stands for. */
function statusOf(key: string): number {
  return key === "default" ? 200 : Number(key.replace("XX", "00"));
}
