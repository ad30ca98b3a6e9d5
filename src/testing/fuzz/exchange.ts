import type { Deleted } from "./deleted.ts";
import type { Foreign } from "./foreign.ts";
import type { Operation } from "./operations.ts";
import type { Past } from "./past.ts";
import type { Call } from "./plan/call.ts";
import type { Prepared } from "./prepare.ts";
import type { Result, Run } from "./run.ts";
import type { ShownByGet } from "./shown.ts";

/** A request, its response, and what is known when it is judged. */
export interface Exchange {
  /** The call that was planned. */
  readonly call: Call;
  /** The endpoint. */
  readonly operation: Operation;
  /** Who sent it; `undefined` for nobody. */
  readonly actor: string | undefined;
  /** The request. */
  readonly prepared: Prepared;
  /** The response. */
  readonly result: Result;
  /** Whether the status is one from 200 to 299, or 101. */
  readonly isOk: boolean;
  /** Whether actors have things of their own here: several are given, and neither `shared` nor the documentation says else. */
  readonly isOwn: boolean;
  /** A thing of another actor that the request names. */
  readonly foreign: Foreign | undefined;
  /** What the thing was before a PATCH that changes nothing, and the request that has read it. */
  readonly before: { readonly reader: Prepared; readonly result: Result } | undefined;
  /** Whether everybody may read things of this kind, at another endpoint. */
  readonly isPublic: (kind: string | undefined) => boolean;
  /** Whether all actors may use an endpoint with everything: by `shared`, or by its documentation. */
  readonly isForAll: (operation: Operation) => boolean;
  /** All operations. */
  readonly operations: readonly Operation[];
  /** What has been deleted in this run. */
  readonly deleted: Deleted;
  /** Whether the response is counted: not if the request only shortens a report. */
  readonly isCounted: boolean;
  /** What the latest response to each GET of this run was. */
  readonly shown: ShownByGet;
  /** What earlier responses of each endpoint have been, in all runs. */
  readonly pasts: ReadonlyMap<Operation, Past>;
  /** What those of this endpoint have been. */
  readonly past: Past;
  /** The run. */
  readonly run: Run;
}
