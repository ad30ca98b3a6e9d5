import type { FuzzedApp } from "./app.ts";

/**
 * Signs a user in to an app.
 *
 * @param app The app, which `create` has made.
 * @returns The headers of the user, or a function that makes them for each request.
 */
export type SignIn = (app: FuzzedApp) => UserHeaders | SignRequest | Promise<UserHeaders | SignRequest>;

/**
 * Signs a request, as the sender of a webhook does.
 *
 * @param request The request. Its body is a copy.
 * @returns The headers to add, such as a signature.
 */
export type SignRequest = (request: Request) => UserHeaders | Promise<UserHeaders>;

/** The headers of a user. */
export type UserHeaders = NonNullable<RequestInit["headers"]>;

/** Who sends requests. */
export interface Actor {
  /** The headers of all requests. */
  readonly headers: Headers;
  /** What makes the headers of one request, such as a signature. */
  readonly sign: SignRequest | undefined;
}

/** The actors, by name. */
export type Actors = ReadonlyMap<string | undefined, Actor>;

/**
 * Signs the actors in to a new app.
 *
 * @param given The option `actors`.
 * @param app The app.
 * @returns The actors.
 */
export async function signIn(
  given: { readonly [name: string]: UserHeaders | SignIn },
  app: FuzzedApp,
): Promise<Actors> {
  const actors = new Map<string | undefined, Actor>();
  for (const [name, init] of Object.entries(given)) {
    const headers = typeof init === "function" ? await init(app) : init;
    actors.set(
      name,
      typeof headers === "function"
        ? { headers: new Headers(), sign: headers }
        : { headers: new Headers(headers), sign: undefined },
    );
  }
  return actors;
}

/** The headers of an actor that are the same for all requests; none for nobody. */
export function headersOf(actors: Actors, name: string | undefined): Headers {
  return new Headers(actors.get(name)?.headers);
}

/**
 * Replaces the credentials of actors in a text by their names: a report needs no token of 400 characters.
 *
 * @param text The text.
 * @param actors The actors.
 * @returns The text, with `<ada>` for what only ada sends.
 */
export function hideCredentials(text: string, actors: Actors): string {
  let hidden = text;
  for (const [name, { headers }] of actors) {
    for (const [header, value] of headers) {
      if (!isCredential(header, value)) continue;
      // A token may stand somewhere else without its scheme.
      for (const secret of [value, value.replace(/^\S+ /, "")]) {
        if (secret.length > 7) hidden = hidden.replaceAll(secret, `<${name}>`);
      }
    }
  }
  return hidden;
}

/**
 * Says whether a header tells who somebody is.
 *
 * @param name The name of the header.
 * @param value Its value.
 * @returns `false` for what everybody sends, such as `origin`.
 */
export function isCredential(name: string, value: string): boolean {
  return /auth|cookie|token|key|secret|session|signature/i.test(name) || value.length > 40;
}
