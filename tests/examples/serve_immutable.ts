/**
 * Serves an example, whose path from here is the argument, with responses whose headers cannot be changed: as those of
 * `fetch`, of `Response.redirect`, or of another framework that is mounted.
 */
class ImmutableHeaders extends Headers {
  override append = fail;
  override delete = fail;
  override set = fail;
}

function fail(): never {
  throw new TypeError("Cannot change header: headers are immutable");
}

const { json } = Response;
Response.json = (data, init) => {
  const response = json(data, init);
  return Object.defineProperty(response, "headers", { value: new ImmutableHeaders(response.headers) });
};

const { default: app }: { default: Deno.ServeDefaultExport } = await import(Deno.args[0] ?? "");

export default app;
