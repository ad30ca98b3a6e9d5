import { assertEquals } from "@std/assert";

/**
 * Asserts that a server takes no cookie for that of a session but the one cookie of exactly this name, over a raw socket:
 * `fetch` sends no such headers.
 *
 * @param origin The origin of the server.
 * @param path A path that answers 200 only with a session.
 * @param cookie The cookie of a session, `name=value`.
 */
export async function assertOneCookieOnly(origin: string, path: string, cookie: string): Promise<void> {
  const status = async (...lines: readonly string[]) => {
    const { hostname, port } = new URL(origin);
    using connection = await Deno.connect({ hostname, port: Number(port) });
    const head = [`GET ${path} HTTP/1.1`, "Host: h", "Connection: close", ...lines.map((line) => `Cookie: ${line}`)];
    await connection.write(Uint8Array.from(`${head.join("\r\n")}\r\n\r\n`, (byte) => byte.charCodeAt(0)));
    return (await new Response(connection.readable).text()).slice(9, 12);
  };
  const [name, value = ""] = cookie.split(/=(.*)/s);
  const other = `${name}=${"a".repeat(64)}`;
  const fine = [cookie, `a=1; ${cookie};b=2`, `a=1;\t ${name} = ${value}\t ;b`, `=; ${cookie}`, `x${other}; ${cookie}`];
  for (const line of fine) assertEquals([line, await status(line)], [line, "200"]);

  const signedOut = await status();
  // White space that JavaScript trims and browsers keep: no-break space, next line, ideographic space, byte order mark.
  const spaces = ["\xA0", "\xC2\xA0", "\x85", "\xE3\x80\x80", "\xEF\xBB\xBF", "\xE2\x80\xA8"];
  for (const space of spaces) {
    for (const line of [`${space}${cookie}`, `a=1; ${space}${cookie}`, `${name}${space}=${value}`]) {
      assertEquals([line, await status(line)], [line, signedOut]);
      // The browser's own cookie counts, whichever comes first.
      assertEquals([line, await status(`${space}${other}; ${cookie}`)], [line, "200"]);
      assertEquals([line, await status(`${cookie}; ${space}${other}`)], [line, "200"]);
    }
  }
  const several = [`${other}; ${cookie}`, `${cookie}; ${other}`, `${cookie}; ${cookie}`, `${cookie}; ${name}=`];
  for (const line of [...several, cookie.toUpperCase(), cookie.replace("=", ":"), `"${cookie}"`, `a=1, ${cookie}`]) {
    assertEquals([line, await status(line)], [line, signedOut]);
  }
  assertEquals(await status(cookie, other), signedOut);
  assertEquals(await status(other, cookie), signedOut);
}
