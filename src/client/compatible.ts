/** What of a client's code a change of its endpoints breaks. Types only. */

import type { CallOf } from "./types.ts";

/**
 * Compares two records of endpoints, by what code that calls a client of the first needs. It is `unknown` if a client
 * of the second takes what that code gives, and gives nothing that it does not know. Otherwise it is a message for each
 * change that breaks such code. A message names the endpoint and what changed.
 *
 * A request may take more, and a response may have more keys. It breaks code if an endpoint is gone, if a request takes
 * less or requires more, or if a response has another status, lacks a key, or has a key with more values. A status or
 * a value that is no longer sent has no message, although TypeScript rejects code that still asks for it. A client of
 * the second record sends other paths and methods by itself, so they may change. What a schema does not say by its
 * type, such as the length of a string, is not compared: `compatible` of `@fw/core/openapi` compares that.
 *
 * @typeParam Before The record that the code was written for, such as the endpoints of a published package.
 * @typeParam After The record of today.
 *
 * @example A test that fails to compile if the endpoints break old clients
 * ```ts
 * import { endpoint } from "@fw/core";
 * import type { Compatible } from "@fw/core/client";
 * import { z } from "zod";
 *
 * const book = z.object({ title: z.string() });
 * const v1 = { showBook: endpoint.get("/books/:id", { responses: { 200: { schema: book } } }) };
 * const longer = book.extend({ pages: z.int() });
 * const v2 = { showBook: endpoint.get("/books/:id", { responses: { 200: { schema: longer } } }) };
 *
 * true satisfies Compatible<typeof v1, typeof v2>; // a new key is harmless
 * // @ts-expect-error at `satisfies`: showBook: 200 body.pages is gone
 * true satisfies Compatible<typeof v2, typeof v1>;
 * ```
 */
export type Compatible<Before, After> = [ClientBreaks<Before, After>] extends [never] ? unknown
  : ClientBreaks<Before, After>;

/** @internal The messages for all endpoints, or `never`. */
export type ClientBreaks<Before, After> = {
  [Name in keyof Before & string]: CallOf<Before[Name]> extends infer Old ? [Old] extends [never] ? never
    : Name extends keyof After
      ? CallOf<After[Name]> extends infer New ? [New] extends [never] ? `${Name}: the endpoint is gone`
        : undefined extends After[Name] ? `${Name}: the endpoint may be absent`
        : `${Name}: ${CallBreaks<Old, New>}`
      : never
    : `${Name}: the endpoint is gone`
    : never;
}[keyof Before & string];

/**
 * The messages for one endpoint, by the functions that call it.
 *
 * @internal
 */
// Arguments and results are compared, not the functions: the message for a missing argument is part of these.
export type CallBreaks<Old, New> = Old extends (options: infer OldOptions) => Promise<infer OldResult>
  ? New extends (options: infer NewOptions) => Promise<infer NewResult>
    ? RequestBreaks<OldOptions, NewOptions> | ResultBreaks<OldResult, NewResult>
  : never
  : never;

/** The messages for what a call takes. */
type RequestBreaks<Old, New> = [Old] extends [New] ? DroppedMethod<Old, New> : OrElse<
  {
    [Part in keyof New & ("params" | "query" | "headers" | "cookies" | "body" | "method")]: TakenBreaks<
      PickOf<NonNullable<Old>, Part>,
      PickOf<NonNullable<New>, Part>,
      "",
      Depth
    >;
  }[keyof New & ("params" | "query" | "headers" | "cookies" | "body" | "method")],
  "the request takes less"
>;

/** The message for an endpoint that had several methods, and has one. The old code names one that may be another. */
type DroppedMethod<Old, New> = "method" extends keyof Old ? "method" extends keyof New ? never
  : "method takes less"
  : never;

/** The messages for what a call returns. */
type ResultBreaks<Old, New> = [New] extends [Old] ? never
  : [Old, New] extends [{ readonly status: infer OldStatus; readonly response: Response }, {
    readonly status: infer NewStatus extends number;
    readonly response: Response;
  }] ? OrElse<
      | `the status ${Exclude<NewStatus, OldStatus>} is new`
      | AnswerBreaks<Old, New, NewStatus & OldStatus>,
      "the response has another contentType"
    >
  : "either the old or the new endpoint declares no responses";

/** The messages for the statuses that both endpoints have. */
type AnswerBreaks<Old, New, Status> = Status extends number
  ? [Old, New] extends [unknown, unknown]
    ? Extract<Old, { readonly status: Status }> extends infer OldAnswer
      ? Extract<New, { readonly status: Status }> extends infer NewAnswer ? [NewAnswer] extends [OldAnswer] ? never
        : SentBreaks<PickOf<OldAnswer, AnswerParts>, PickOf<NewAnswer, AnswerParts>, `${Status} `, Depth>
      : never
    : never
  : never
  : never;

/** The parts of a result whose differences have messages. If they have none, it is the `contentType` that differs. */
type AnswerParts = "body" | "headers";

/** The messages for a value that a client sends: the new type must accept what the old one does. */
type TakenBreaks<Old, New, Path extends string, Left> = [Old] extends [New] ? never
  : Left extends [unknown, ...infer Less]
    ? [Old, New] extends [readonly (infer OldItem)[], readonly (infer NewItem)[]]
      ? TakenBreaks<OldItem, NewItem, `${Path}[]`, Less>
    : [Old, New] extends [Keyed, Keyed] ? OrElse<
        {
          [Key in keyof New & string]: [PickOf<Old, Key>] extends [PickOf<New, Key>] ? never
            : Key extends keyof Old
              ? IsOptional<Old, Key> extends true
                ? IsOptional<New, Key> extends true ? TakenBreaks<Old[Key], New[Key], Join<Path, Key>, Less>
                : `${Join<Path, Key>} is required`
              : TakenBreaks<Old[Key], New[Key], Join<Path, Key>, Less>
            : IsOptional<New, Key> extends true ? never
            : `${Join<Path, Key>} is required`;
        }[keyof New & string],
        `${Path} takes less`
      >
    : `${Path} takes less`
  : `${Path} takes less`;

/** The messages for a value that a client receives: the old type must accept what the new one does. */
type SentBreaks<Old, New, Path extends string, Left> = [New] extends [Old] ? never
  : Left extends [unknown, ...infer Less]
    ? [Old, New] extends [readonly (infer OldItem)[], readonly (infer NewItem)[]]
      ? SentBreaks<OldItem, NewItem, `${Path}[]`, Less>
    : [Old, New] extends [Keyed, Keyed] ? OrElse<
        {
          [Key in keyof Old & string]: [PickOf<New, Key>] extends [PickOf<Old, Key>] ? never
            : Key extends keyof New
              ? [MayBeAbsent<New, Key>] extends [MayBeAbsent<Old, Key> | false]
                ? SentBreaks<Old[Key], New[Key], Join<Path, Key>, Less>
              : `${Join<Path, Key>} may be absent`
            : IsOptional<Old, Key> extends true ? never
            : `${Join<Path, Key>} is gone`;
        }[keyof Old & string],
        `${Path} is another`
      >
    : `${Path} has more values`
  : `${Path} is another`;

/** @internal How deep messages go. A schema may refer to itself. */
export type Depth = [1, 2, 3, 4, 5, 6];

/** An object with keys, not a list. */
type Keyed = object & { readonly length?: never };

/** One key of an object, with its optionality; `{}` without the key. */
type PickOf<T, Key> = Pick<T, Key & keyof T>;

/** Whether a key is optional. */
type IsOptional<T, Key extends keyof T> = Record<never, never> extends Pick<T, Key> ? true : false;

/** Whether a key is optional, or may be `undefined`, as a header that is not required. */
type MayBeAbsent<T, Key extends keyof T> = undefined extends T[Key] ? true : IsOptional<T, Key>;

/** The path of a key below a path. */
type Join<Path extends string, Key extends string> = Path extends "" | `${string} ` ? `${Path}${Key}`
  : `${Path}.${Key}`;

/** The messages, or a general one if there are none. */
type OrElse<Messages, Otherwise> = [Messages] extends [never] ? Otherwise : Messages;
