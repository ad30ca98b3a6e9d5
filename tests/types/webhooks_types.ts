/** Types of webhooks. If this file compiles, the tests have passed. */
import { denyInvalid, endpoint, reply, route, setup } from "../../mod.ts";
import { decompressed, form, json, optional } from "../../src/body/mod.ts";
import { deliveryStore, eventLog } from "../../src/memory/mod.ts";
import {
  deliver,
  type EventLog,
  oneOf,
  publish,
  publishNow,
  signed,
  standardWebhooks,
  stripe,
  type SynchronousLog,
  type Webhook,
} from "../../src/webhooks/mod.ts";
import { z } from "zod";

type Exact<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
const exact = <_Same extends true>(): void => {};

const schemas = { "order.created": z.object({ id: z.string() }), "order.paid": z.object({ cents: z.int() }) };
type Sent = Webhook<typeof schemas>;
exact<
  Exact<
    Sent,
    | { readonly type: "order.created"; readonly timestamp: string; readonly data: { id: string } }
    | { readonly type: "order.paid"; readonly timestamp: string; readonly data: { cents: number } }
  >
>();

// A body is told apart by its type.
const scheme = standardWebhooks({ secrets: ["whsec_c2VjcmV0"] });
const receive = route.post("/webhooks", {
  request: { body: oneOf(schemas), bodyReader: signed(scheme) },
  guards: [denyInvalid(() => reply(401))],
  resolve: ({ input: { body } }) => {
    if (body.type === "order.paid") exact<Exact<typeof body.data, { cents: number }>>();
    else exact<Exact<typeof body.data, { id: string }>>();
    // @ts-expect-error at `cents`: Property 'cents' does not exist on type '{ cents: number; } | { id: string; }'.
    void body.data.cents;
    return reply(204);
  },
});
setup({ handlers: [receive], validator: { validate: (_, value) => ({ ok: true, value }) } });

// A reader keeps the media types of the one that it hands the bytes to, so a client sends them.
exact<Exact<ReturnType<typeof signed<typeof form>>["contentTypes"], (typeof form)["contentTypes"]>>();
void endpoint.post("/slack", { request: { body: z.object({ text: z.string() }), bodyReader: signed(scheme, form) } });
const compressed = decompressed(json, { maxBodyBytes: 100 });
void endpoint.post("/logs", { request: { body: z.object({ a: z.string() }), bodyReader: signed(scheme, compressed) } });

// An empty body is no value, unless the reader of the content says so.
const maybe = z.object({ text: z.string() }).optional();
void endpoint.post("/ping", { request: { body: maybe, bodyReader: signed(scheme, optional(json)) } });
// @ts-expect-error at `body`: This schema accepts undefined, and the body is required: write bodyReader: signed(scheme,
//   optional(…))
void endpoint.post("/ping", { request: { body: maybe, bodyReader: signed(scheme) } });

// What is published is declared.
const log = eventLog<Sent>({ keep: 10 });
void publish(log, "order.paid", { cents: 5 });
// @ts-expect-error at `"order.gone"`: Argument of type '"order.gone"' is not assignable to parameter of type
//   '"order.created" | "order.paid"'.
void publish(log, "order.gone", { cents: 5 });
// @ts-expect-error at `cents`: Type 'string' is not assignable to type 'number'.
void publish(log, "order.paid", { cents: "5" });
// @ts-expect-error at `id`: Object literal may only specify known properties, and 'id' does not exist in type '{
//   readonly cents: number; }'.
void publish(log, "order.paid", { id: "5" });
// @ts-expect-error at `owner`: The schema has no key "owner": name the keys to send, or add it to the schema
void publish(log, "order.paid", { cents: 5, owner: "ada" });
// No key is sent that the schema lacks, also of a variable or a spread.
const row = { cents: 5, hash: "x" };
// @ts-expect-error at `row`: The schema has no key "hash": name the keys to send, or add it to the schema
void publish(log, "order.paid", row);
// @ts-expect-error at `{ ...row }`: The schema has no key "hash": name the keys to send, or add it to the schema
void publish(log, "order.paid", { ...row });
declare const synchronous: SynchronousLog<Sent>;
// @ts-expect-error at `row`: The schema has no key "hash": name the keys to send, or add it to the schema
void publishNow(synchronous, "order.paid", row);
void publishNow(synchronous, "order.paid", { cents: row.cents });
declare const either: "order.created" | "order.paid";
// The type and the data go together.
// @ts-expect-error at `{ cents: 5 }`: This does not fit what is declared for order.created: write one call for each
void publish(log, either, { cents: 5 });

// What is sent has the types of the log.
declare const signal: AbortSignal;
const common = { log, store: deliveryStore(), signal, missed: () => "oldest" as const, whenStoreFails() {} };
const receiver = { id: "ada", url: "https://ada.example", secret: "whsec_c2VjcmV0" };
void deliver({
  ...common,
  receiver,
  wants: ({ type }) => type === "order.paid",
  after: ({ webhook, response }) => {
    exact<Exact<typeof webhook, Sent>>();
    exact<Exact<typeof response, Response | undefined>>();
    return "skip";
  },
});
// @ts-expect-error at `"later"`: Type '"later"' is not assignable to type '"skip" | "stop" | number | Promise<"skip" |
//   "stop" | number>'.
void deliver({ ...common, receiver, after: () => "later" });
// @ts-expect-error at `receiver`: Property 'secret' is missing in type '{ id: string; url: string; }' but required in
//   type 'Receiver'.
void deliver({ ...common, receiver: { id: "ada", url: "https://ada.example" }, after: () => 1 });
// @ts-expect-error at `{ ...common, receiver }`: Property 'after' is missing in type '{…' but required in type
//   'DeliverOptions<Sent>'.
void deliver({ ...common, receiver });
// @ts-expect-error at `"all"`: Type '"all"' is not assignable to type 'Missed | Promise<Missed>'.
void deliver({ ...common, receiver, after: () => 1, missed: () => "all" });
declare const other: EventLog<{ readonly text: string }>;
// @ts-expect-error at `log`: Type '{ readonly text: string; }' is missing the following properties from type
//   'AnyWebhook': type, timestamp, data
void deliver({ ...common, receiver, after: () => 1, log: other });

// @ts-expect-error at `{}`: Property 'secrets' is missing in type '{}' but required in type 'TimedSecretOptions'.
stripe({});
// @ts-expect-error at `secrets`: Type 'string' is not assignable to type 'readonly string[]'.
stripe({ secrets: "whsec_c2VjcmV0" });
// @ts-expect-error at `"order.paid"`: Type '(value: unknown) => value is string' is not assignable to type '{ readonly
//   "~standard": object; }'.
oneOf({ "order.paid": (value: unknown): value is string => typeof value === "string" });
