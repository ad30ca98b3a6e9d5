import type { OpenApiDocument, SecurityScheme, Server } from "../document.ts";
import { code, description, element, field, type HtmlContent, type Markup } from "./markup.ts";

/**
 * Writes a field for each security scheme. The script adds their values to requests of operations that name the scheme.
 *
 * @param document The document.
 * @returns The fields; nothing if there is no scheme.
 */
export function credentialFields({ components: { securitySchemes = {} } }: OpenApiDocument): HtmlContent {
  const fields = Object.entries(securitySchemes).map(([name, scheme], index) => {
    const id = `credential-${index}`;
    const { kind, about } = credentialOf(scheme);
    const attributes = {
      ...{ id, type: "password", autocomplete: "off", spellcheck: "false", "aria-describedby": `${id}-about` },
      ...{ "data-scheme": name, "data-kind": kind, "data-key": scheme.name },
    };
    const input = kind !== undefined && element("input", attributes);
    return field(id, code(name), input, [about, " ", description(scheme.description, "span")]);
  });
  return fields.length > 0 && element(
    "section",
    { "aria-labelledby": "credentials" },
    element("h2", { id: "credentials" }, "Credentials"),
    element("p", {}, "They are sent with operations that need them. They are forgotten when the page is closed."),
    fields,
  );
}

/** How the value of a credential is sent, and what to enter. */
function credentialOf({ type, scheme = "", name = "", in: place = "header" }: SecurityScheme): {
  readonly kind: string | undefined;
  readonly about: string;
} {
  if (type === "apiKey") {
    return place === "cookie"
      ? { kind: "cookie", about: `cookie ${name}: leave it empty if the browser has it, as after a sign-in` }
      : { kind: place, about: `${place} ${name}` };
  }
  if (type === "http" && scheme.toLowerCase() === "basic") return { kind: "basic", about: "user:password" };
  if (type === "http" && scheme.toLowerCase() !== "bearer") {
    return { kind: "authorization", about: `the whole header Authorization, such as ${scheme} …` };
  }
  if (type === "mutualTLS") return { kind: undefined, about: "a certificate, which the browser sends" };
  return { kind: "bearer", about: type === "http" ? "bearer token" : `${type}: an access token` };
}

/**
 * Writes a choice of the servers, which is hidden if there is one only.
 *
 * @param document The document.
 * @returns The choice.
 */
export function serverField(document: OpenApiDocument): Markup {
  const servers = serversOf(document);
  const options = servers.map(({ url, description }) =>
    element("option", { value: url }, description === undefined ? url : `${url}: ${description}`)
  );
  return element(
    "div",
    { hidden: servers.length < 2 },
    field("server", "Server", element("select", { id: "server" }, options)),
  );
}

/** The servers, with the defaults of the variables in their urls; `/` if there is none. */
function serversOf({ servers = [] }: OpenApiDocument): readonly Server[] {
  return (servers.length === 0 ? [{ url: "/" }] : servers).map((server) => ({
    ...server,
    url: server.url.replace(/\{([^}]*)\}/g, (whole, name) => server.variables?.[name]?.default ?? whole),
  }));
}

/**
 * The origins of the servers that are not relative to the page, for the content security policy. One whose host has
 * other characters is left out: a parser of urls accepts `;`, which would end a directive of the policy.
 *
 * @param document The document.
 * @returns The origins.
 */
export function originsOf(document: OpenApiDocument): readonly string[] {
  const origins = serversOf(document).map(({ url }) => {
    try {
      return new URL(url).origin;
    } catch {
      return "null";
    }
  });
  return [...new Set(origins)].filter((origin) => /^https?:\/\/[\w.:[\]-]+$/.test(origin));
}
