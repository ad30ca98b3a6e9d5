import type { MaybePromise } from "../../../core/values/maybe_promise.ts";
import type { Exchange } from "../exchange.ts";
import type { Operation } from "../operations.ts";
import type { Past } from "../past.ts";
import type { Prepared } from "../prepare.ts";
import type { Result } from "../run.ts";

/** What every kind of fault has. */
interface Described<Name extends string> {
  /** The name, as reports and the option `skip` have it. */
  readonly kind: Name;
  /** The rule that is broken, in a sentence. The manual lists the kinds with it. */
  readonly meaning: string;
}

/** A kind of fault that one response shows. */
export interface KindOfResponse<Name extends string = string> extends Described<Name> {
  readonly shownBy: "response";
  /**
   * Judges a response.
   *
   * @param exchange The request, its response, and what is known of the run.
   * @returns The fault, if there is one.
   */
  judge(exchange: Exchange): MaybePromise<Found | undefined>;
}

/** A kind of fault that all responses of an endpoint show together. */
export interface KindOfEndpoint<Name extends string = string> extends Described<Name> {
  readonly shownBy: "endpoint";
  /**
   * Judges an endpoint after all requests.
   *
   * @param operation The endpoint.
   * @param past What its responses have been.
   * @param hasActors Whether actors are given.
   * @returns The fault with a request that shows it, if there is one.
   */
  judge(operation: Operation, past: Past, hasActors: boolean): FoundAtEnd | undefined;
}

/** A fault, in words. */
export interface Found {
  /** What is wrong. */
  readonly what: string;
  /** What tells it from other faults of its kind at the same endpoint, if there can be several. */
  readonly key?: string;
  /**
   * What the response says, if it may be a rule of the business: then it is a fault only if it remains one whatever else
   * is there.
   */
  readonly doubt?: string;
  /** What of the rule is broken, such as the issues of a schema. */
  readonly details?: readonly string[];
}

/** A fault that all responses show, with one of them. */
export interface FoundAtEnd extends Found {
  /** The request. */
  readonly request: Prepared;
  /** The response. */
  readonly result: Result;
}
