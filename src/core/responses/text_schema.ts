/**
 * Whether data of an event is sent as it is: `text()` of `@fw/core/events` has made its schema. Clients, documents and
 * mocks ask.
 *
 * @param schema The schema.
 */
export function isText(schema: unknown): boolean {
  return Object(schema)["~text"] === true;
}
