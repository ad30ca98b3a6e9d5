/** What of a client's code a change of its endpoints breaks. Types only. */

import type { AnswersAt } from "../core/declare/typed_endpoint.ts";
import type { TextValue } from "../core/input/text_parts.ts";
import type { JsonOf } from "../core/responses/json_of.ts";
import type { Answer } from "../core/responses/reply_type.ts";
import type { ReceivedEvent } from "../core/responses/responses.ts";
import type { CallOf } from "./types.ts";

/**
 * Compares two records of endpoints. It is `unknown` if code that calls a client of the first record also works with a
 * client of the second one. Otherwise, it is a message for each change that breaks such code. A message names the
 * endpoint and what changed.
 *
 * A request may accept more, and a response may have more keys. A change breaks code if an endpoint is gone, if a
 * request accepts less or requires more, or if a response has another status, media type or event, lacks a key, or has
 * a key with more values. A change also breaks code if the server of a socket accepts less of what clients send, or
 * sends other data under the same name. Values that are no longer sent have no message, although TypeScript rejects
 * code that still reads them. A client of the second record sends other paths and methods by itself, so they may
 * change. Rules that the type of a schema does not express, such as the length of a string, are not compared:
 * `compatible` of `@fw/core/compatible` compares that.
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
// The union of the messages is made here. TypeScript prints the name of a type that makes one, in place of the union.
export type Compatible<Before, After> = [ClientBreaks<Before, After>[keyof Before & string]] extends [never] ? unknown
  : ClientBreaks<Before, After>[keyof Before & string];

/** @internal The messages for each endpoint, or `never`. */
export type ClientBreaks<Before, After> = {
  [Name in keyof Before & string]: CallOf<Before[Name]> extends infer Old ? [Old] extends [never] ? never
    : Name extends keyof After
      ? CallOf<After[Name]> extends infer New ? [New] extends [never] ? `${Name}: the endpoint is gone`
        : undefined extends After[Name] ? `${Name}: the endpoint may be absent`
        : `${Name}: ${CallBreaks<Old, New> | SocketBreaks<SocketOf<Before[Name]>, SocketOf<After[Name]>>}`
      : never
    : `${Name}: the endpoint is gone`
    : never;
};

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

/** What goes over the socket of an endpoint, as `socket` of `@fw/core/sockets` declares it; `never` without one. */
type SocketOf<E> = AnswersAt<E> extends infer Answers
  ? Answers extends Answer<101, infer Body extends AnySocket, unknown> ? Body : never
  : never;

interface AnySocket {
  readonly "~stream": "socket";
  /** What clients send, by name. */
  readonly sent: unknown;
  /** What the server sends, by name. */
  readonly server: unknown;
}

/**
 * @internal The messages for a socket. Clients skip messages that they do not know, so the server may send others.
 */
export type SocketBreaks<Old extends AnySocket, New extends AnySocket> = [Old] extends [never] ? never
  : [New] extends [never] ? "the socket is gone"
  :
    | {
      [Name in keyof Old["sent"] & string]: Name extends keyof New["sent"]
        ? TakenBreaks<Old["sent"][Name], New["sent"][Name], `101 client ${Name}`, Depth>
        : `101 client ${Name} is gone`;
    }[keyof Old["sent"] & string]
    | {
      [Name in keyof Old["server"] & keyof New["server"] & string]: SentBreaks<
        JsonOf<Old["server"][Name]>,
        JsonOf<New["server"][Name]>,
        `101 server ${Name}`,
        Depth
      >;
    }[keyof Old["server"] & keyof New["server"] & string];

/** The messages for what a call takes. */
type RequestBreaks<Old, New> = [Old] extends [New] ? DroppedMethod<Old, New> : OrElse<
  {
    [Part in keyof NonNullable<New> & ("params" | "query" | "headers" | "cookies" | "body" | "method")]: TakenBreaks<
      PickOf<NonNullable<Old>, Part>,
      PickOf<NonNullable<New>, Part>,
      "",
      Depth
    >;
  }[keyof NonNullable<New> & ("params" | "query" | "headers" | "cookies" | "body" | "method")],
  "the request takes less"
>;

/** The message for an endpoint that had several methods, and has one. The old code names one that may be another. */
type DroppedMethod<Old, New> = "method" extends keyof Old ? "method" extends keyof New ? never
  : "there is one method, where there were several"
  : never;

/** The messages for what a call returns. */
type ResultBreaks<Old, New> = [New] extends [Old] ? never
  : [Old, New] extends [ReceivedAnswer<infer OldStatus>, ReceivedAnswer<infer NewStatus extends number>]
    ? OrElse<StatusBreaks<Exclude<NewStatus, OldStatus>> | AnswerBreaks<Old, New, NewStatus & OldStatus>, UnknownType>
  : [New] extends [ReceivedAnswer<number>] ? "responses are declared, where there were none"
  : "responses are no longer declared";

/** The answer of an endpoint that declares responses. A plain `Response` has a status, too. */
interface ReceivedAnswer<out Status> {
  readonly status: Status & number;
  readonly response: Response;
}

/** The message for answers whose `contentType` had literal types. */
type UnknownType = "the contentType may be any string";

/** The messages for statuses that are new: one for a range, and one for the default, which are unions of all of theirs. */
type StatusBreaks<Status extends number, All = `${Status}`> = Status extends number
  ? `${Status}` extends `${infer First}${number}`
    ? `${First}99` extends All
      ? `${2 | 3 | 4 | 5}99` extends All ? "the default response is new" : `the range ${First}XX is new`
    : `the status ${Status} is new`
  : never
  : never;

/** The messages for the statuses that both endpoints have. */
type AnswerBreaks<Old, New, Status> = Status extends number
  ? TypeBreaks<Extract<Old, { readonly status: Status }>, Extract<New, { readonly status: Status }>, Status>
  : never;

/** The messages for a status, which may have several media types. The old ones are compared with the same new ones. */
type TypeBreaks<Old, New, Status extends number> = [New] extends [Old] ? never
  : IsUnion<Old> | IsUnion<New> extends false ? PartBreaks<Old, New, `${Status} `>
  : New extends Old ? never
  : New extends { readonly contentType: infer Type extends string }
    ? [Extract<Old, { readonly contentType: Type }>] extends [never]
      // What is declared without a list has no media type here: most are JSON.
      ? [Type, IsUnion<Old>] extends ["application/json", false] ? PartBreaks<Old, New, `${Status} `>
      : `the media type ${Type} of ${Status} is new`
    : PartBreaks<Extract<Old, { readonly contentType: Type }>, New, `${Status} ${Type} `>
  : `${Status} is declared with one media type, where there were several`;

/** The messages for the body and the headers of an answer. If they have none, it is the media type that differs. */
type PartBreaks<Old, New, Path extends string> = [New] extends [Old] ? never
  : OrElse<SentBreaks<PickOf<Old, AnswerParts>, PickOf<New, AnswerParts>, Path, Depth>, TypeOf<New, Path>>;

/** The parts of an answer whose differences have messages of their own. */
type AnswerParts = "body" | "headers";

/** The message for another media type. */
type TypeOf<New, Path extends string> = New extends { readonly contentType: infer Type extends string }
  ? string extends Type ? UnknownType
  : `the media type ${Type} of ${Trimmed<Path>} is new`
  : UnknownType;

/** A path without the space at its end. */
type Trimmed<Path extends string> = Path extends `${infer Start} ` ? Start : Path;

/** The messages for a value that a client sends: the new type must accept what the old one does. */
type TakenBreaks<Old, New, Path extends string, Left, All = Old> = [Old] extends [New] ? never
  : Left extends [unknown, ...infer Less] ? unknown extends Old ? `${Path} takes less`
    : DropsTexts<Old, New> extends true ? `${Path} does not take every text`
    : IsFile<All> extends true
      ? [Extract<New, AnyFile>] extends [never] ? `${Path} takes a field, and no file` : `${Path} takes less`
    : IsFile<New> extends true ? `${Path} takes a file, and no field`
    : Old extends New ? never
    : Old extends readonly (infer OldItem)[]
      ? [Extract<New, readonly unknown[]>] extends [never] ? `${Path} does not take a list`
      : OrElse<TakenBreaks<OldItem, ItemOf<New>, `${Path}[]`, Less>, `${Path} takes less`>
    : Old extends Keyed ? TakenObject<MatchOf<Exclude<New, FormData>, Old, All>, Old, Path, Less>
    : `${Path} does not take ${NameOf<Old>}`
  : `${Path} takes less`;

/** Whether the old type accepts every text, and the new one does not. */
type DropsTexts<Old, New> = [TextValue] extends [New] ? false : [TextValue] extends [Old] ? true : false;

/** The messages for an object that a client sends, which is compared with the one of the same literals. */
type TakenObject<New, Old, Path extends string, Left> = [New] extends [never] ? `${Path} does not take ${NameOf<Old>}`
  : IsUnion<New> extends true ? `${Path} takes less`
  : OrElse<
    {
      [Key in keyof New & string]: [PickOf<Old, Key>] extends [PickOf<New, Key>] ? never
        : Key extends keyof Old
          ? IsOptional<Old, Key> extends true
            ? IsOptional<New, Key> extends true ? TakenBreaks<Old[Key], New[Key], Join<Path, Key>, Left>
            : `${Join<Path, Key>} is required`
          : TakenBreaks<Old[Key], New[Key], Join<Path, Key>, Left>
        : IsOptional<New, Key> extends true ? never
        : `${Join<Path, Key>} is required`;
    }[keyof New & string],
    `${Path} takes less`
  >;

/** The messages for a value that a client receives: the old type must accept what the new one does. */
type SentBreaks<Old, New, Path extends string, Left, All = New> = [New] extends [Old] ? never
  : Left extends [unknown, ...infer Less] ? unknown extends New ? `${Path} may be anything`
    : New extends Old ? never
    : New extends readonly (infer NewItem)[]
      ? [Extract<Old, readonly unknown[]>] extends [never] ? `${Path} may be a list`
      : OrElse<SentBreaks<ItemOf<Old>, NewItem, `${Path}[]`, Less>, `${Path} has another type`>
    : New extends AsyncIterable<infer NewItem>
      ? Old extends AsyncIterable<infer OldItem>
        ? OrElse<StreamBreaks<OldItem, NewItem, Path, Less>, `${Path} is a stream of other items`>
      : `${Path} is a stream`
    : [Old] extends [AsyncIterable<unknown>] ? `${Path} is no longer a stream`
    : New extends Keyed ? SentObject<MatchOf<Exclude<Old, AsyncIterable<unknown>>, New, All>, New, Path, Less>
    : `${Path} may be ${NameOf<New>}`
  : `${Path} has another type`;

/** The messages for an object that a client receives, which is compared with the one of the same literals. */
type SentObject<Old, New, Path extends string, Left> = [Old] extends [never] ? `${Path} may be ${NameOf<New>}`
  : IsUnion<Old> extends true ? `${Path} may be another object`
  : OrElse<
    {
      [Key in keyof Old & string]: [PickOf<New, Key>] extends [PickOf<Old, Key>] ? never
        : Key extends keyof New
          ? [MayBeAbsent<New, Key>] extends [MayBeAbsent<Old, Key> | false]
            ? SentBreaks<Old[Key], New[Key], Join<Path, Key>, Left>
          : `${Join<Path, Key>} may be absent`
        : IsOptional<Old, Key> extends true ? never
        : `${Join<Path, Key>} is gone`;
    }[keyof Old & string],
    `${Path} has another type`
  >;

/** The messages for the events of a stream, by name, or for its lines. */
type StreamBreaks<Old, New, Path extends string, Left> = [Old] extends [AnyEvent]
  ? New extends ReceivedEvent<infer Name extends string, infer Data>
    ? Extract<Old, ReceivedEvent<Name, unknown>> extends infer Same
      ? [Same] extends [never] ? `${StatusOf<Path>}event ${Name} is new`
      : Same extends ReceivedEvent<Name, infer OldData>
        ? SentBreaks<OldData, Data, `${StatusOf<Path>}event ${Name}`, Left>
      : never
    : never
  : never
  : [New] extends [AnyEvent] ? never
  : SentBreaks<Old, New, `${StatusOf<Path>}line`, Left>;

/** An event of any name. */
type AnyEvent = ReceivedEvent<string, unknown>;

/** What stands before `body` in a path. */
type StatusOf<Path extends string> = Path extends `${infer Start}body` ? Start : `${Path} `;

/**
 * The objects among types that an object is compared with. If there are several on either side, they are those whose
 * literals it has: `kind: "book"`.
 */
type MatchOf<Types, One, All> = Extract<Types, Keyed> extends infer Objects
  ? IsUnion<Objects> | IsUnion<Extract<All, Keyed>> extends false ? Objects
  : Objects extends unknown ? One extends Pick<Objects, LiteralKeys<Objects>> ? Objects : never
  : never
  : never;

/** The keys whose values are literals. */
type LiteralKeys<T> = { [Key in keyof T]-?: IsLiteral<T[Key]> extends true ? Key : never }[keyof T];

type IsLiteral<T> = IsUnion<T> extends true ? false
  : [T] extends [string] ? string extends T ? false : true
  : [T] extends [number] ? number extends T ? false : true
  : [T] extends [boolean] ? boolean extends T ? false : true
  : false;

type IsUnion<T, All = T> = [T] extends [never] ? false : T extends unknown ? [All] extends [T] ? false : true : never;

/** The items of the lists among types. */
type ItemOf<Types> = Extract<Types, readonly unknown[]>[number];

/** A `Blob`, or `SentFile` of `@fw/core/body`. */
type AnyFile = Omit<Blob, "stream">;

/** Whether a part of a form is a file. A field of a form may be a text or a file. */
type IsFile<T> = [Extract<T, AnyFile>] extends [never] ? false
  : [Extract<T, string | number | bigint | boolean>] extends [never] ? true
  : false;

/** How a message names a value. */
type NameOf<T> = T extends string ? string extends T ? "a string" : `"${T}"`
  : T extends number ? number extends T ? "a number" : `${T}`
  : T extends boolean | null | undefined ? `${T}`
  : T extends bigint ? "a bigint"
  : T extends AnyFile ? "a file"
  : T extends object
    ? [LiteralKeys<T>] extends [never] ? "an object" : `an object with ${LiteralsOf<T, LiteralKeys<T>>}`
  : "another value";

/** The literals of an object, as code: one, or the union of all. */
type LiteralsOf<T, Keys> = Keys extends keyof T & string ? `${Keys}: ${NameOf<T[Keys]>}` : never;

/** @internal How deep messages go. A schema may refer to itself. */
export type Depth = [1, 2, 3, 4, 5, 6];

/** An object with keys, not a list. */
type Keyed = object & { readonly length?: never };

/** One key of an object, with its optionality; `{}` without the key. */
type PickOf<T, Key> = Pick<T, Key & keyof T>;

/** Whether a key is optional. */
type IsOptional<T, Key extends keyof T> = Record<never, never> extends Pick<T, Key> ? true : false;

/** Whether a key is optional, or may be `undefined`, as a header that is not required. */
type MayBeAbsent<T, Key extends keyof T> = unknown extends T[Key] ? IsOptional<T, Key>
  : undefined extends T[Key] ? true
  : IsOptional<T, Key>;

/** The path of a key below a path. */
type Join<Path extends string, Key extends string> = Path extends "" | `${string} ` ? `${Path}${Key}`
  : `${Path}.${Key}`;

/** The messages, or a general one if there are none. */
type OrElse<Messages, Otherwise> = [Messages] extends [never] ? Otherwise : Messages;
