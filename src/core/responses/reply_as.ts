import { send } from "./reply.ts";
import type { BodyAs, InitAs, OwnAnswerWith } from "./reply_arguments.ts";
import type { AnyAnswer, InferredInit, Reply, ReplyInit } from "./reply_type.ts";

/**
 * Makes a {@linkcode reply} for one media type. Use it where many routes or guards send the same one.
 *
 * @typeParam Type The media type.
 * @param contentType The media type. For a media type of JSON, bodies are sent as JSON. For any other, they are
 * strings.
 * @returns A function that takes a status, a body and, optionally, headers.
 *
 * @example Problem details from a guard and a handler
 * ```ts
 * import { allow, type Context, deny, replyAs, route, setup } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const problem = replyAs("application/problem+json");
 * const aProblem = { schema: z.object({ title: z.string() }), contentType: "application/problem+json" } as const;
 *
 * const signedIn = (c: Context) =>
 *   c.request.headers.has("authorization") ? allow() : deny(problem(401, { title: "Sign in" }));
 *
 * const showBook = route.get("/books/:id", {
 *   responses: { 200: { schema: z.string() }, 401: aProblem, 404: aProblem },
 *   guards: [signedIn],
 *   resolve: () => problem(404, { title: "No such book" }),
 * });
 *
 * const app = setup({ handlers: [showBook] });
 * const response = await app.fetch(new Request("http://localhost/books/7"));
 * assertEquals(response.headers.get("content-type"), "application/problem+json");
 * ```
 */
export function replyAs<const Type extends string>(contentType: Type): ReplyAs<Type> {
  const replyWithType = (status: number, body: unknown, init?: ReplyAsInit): Response =>
    send(status, body, { ...init, contentType });
  return replyWithType as ReplyAs<Type>;
}

/**
 * A {@linkcode reply} for one media type.
 *
 * @typeParam Type The media type.
 */
export interface ReplyAs<Type extends string> {
  /**
   * Makes a response of this media type.
   *
   * @param status The status, from 200 to 599.
   * @param body The value to send.
   * @returns The response.
   */
  <
    const Status extends Answers["status"],
    const Body,
    Answers extends AnyAnswer = OwnAnswerWith<Status, Body, unknown, Type>,
  >(
    status: Status,
    body: BodyAs<Answers, Status, Body, Type, Record<never, never>, OwnAnswerWith<Status, Body, unknown, Type>>,
  ): Reply<Answers>;
  /**
   * Makes a response of this media type, with headers.
   *
   * @param status The status, from 200 to 599.
   * @param body The value to send.
   * @param init The headers and the status text.
   * @returns The response.
   */
  <
    const Status extends Answers["status"],
    const Body,
    const Init extends Omit<InferredInit, "contentType">,
    Answers extends AnyAnswer = OwnAnswerWith<Status, Body, Init, Type>,
  >(
    status: Status,
    body: BodyAs<Answers, Status, Body, Type, never, OwnAnswerWith<Status, Body, Init, Type>>,
    init: InitAs<Answers, Status, Init, Type, OwnAnswerWith<Status, Body, Init, Type>>,
  ): Reply<Answers>;
}

/** The third argument of a {@linkcode ReplyAs}: headers and status text. */
export type ReplyAsInit = Omit<ReplyInit, "contentType">;
