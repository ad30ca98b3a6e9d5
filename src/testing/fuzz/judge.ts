import { type DeletedThing, noteDeleted } from "./deleted.ts";
import type { Exchange } from "./exchange.ts";
import { findForeign } from "./foreign.ts";
import { keepValues } from "./keep_values.ts";
import { type FaultKind, KINDS } from "./kinds/kinds.ts";
import { readBefore } from "./kinds/resets_what_is_left_out.ts";
import { throws } from "./kinds/throws.ts";
import { undeclared } from "./kinds/undeclared.ts";
import { kindOf } from "./names.ts";
import type { Operation } from "./operations.ts";
import type { Past } from "./past.ts";
import type { Call } from "./plan/call.ts";
import { prepare } from "./prepare.ts";
import { isSuccess, type Result, type Run } from "./run.ts";
import { noteSaves } from "./saves.ts";
import { noteShown, type VersionShown } from "./shown.ts";

/** A fault, without the requests that show it. */
export interface Finding {
  /** The kind. */
  readonly kind: FaultKind;
  /** The endpoint. */
  readonly operation: Operation;
  /** What is wrong, in words. */
  readonly what: string;
  /** What of the rule is broken. */
  readonly details: readonly string[];
  /** The response that shows it. */
  readonly result: Result;
  /** Findings with the same key are one fault. */
  readonly key: string;
  /** What the response says, if it may be a rule of the business. */
  readonly doubt: string | undefined;
}

/** Judges the responses of one run. */
export interface Judge {
  /** Sends a call, and lists what is wrong with its response. */
  judge(call: Call): Promise<readonly Finding[]>;
  /** Closes what is open. */
  end(): void;
}

/** What does not change from run to run. */
export interface Rules {
  /** All operations. */
  readonly operations: readonly Operation[];
  /** What the responses of each have been, over all runs. */
  readonly pasts: ReadonlyMap<Operation, Past>;
  /** The names of the endpoints that all actors may use with everything, and of the actors who may use all of them so. */
  readonly shared: ReadonlySet<string>;
}

/**
 * Creates the judge of a run: it sends requests, asks each kind of fault about the responses, and keeps what later
 * requests take of them.
 *
 * @param run The run.
 * @param rules The operations, and what is shared.
 * @param isCounted Whether the responses are counted: not those that only shorten a report.
 * @returns The judge.
 */
export function createJudge(run: Run, { operations, pasts, shared }: Rules, isCounted: boolean): Judge {
  const deleted = new Map<string, DeletedThing>();
  const shown = new Map<string, VersionShown>();
  const isForAll = ({ security, names }: Operation) => security === "none" || names.some((name) => shared.has(name));
  const publicKinds = new Set(
    operations.filter((one) => one.method === "GET" && isForAll(one)).map(({ segments }) => kindOf(segments)),
  );
  const isPublic = (kind = "") => publicKinds.has(kind);
  /** The request whose stream is open. */
  let watched: Exchange | undefined;
  const end = () => {
    watched = undefined;
    run.hangUp();
  };
  return {
    end,
    async judge(call) {
      const { operation, actor, staysOpen } = call;
      if (call.chain !== watched?.call.chain) end();
      const past = pasts.get(operation) as Past;
      const prepared = await prepare(call, run.pool, run.actors);
      const isOwn = run.actors.size > 0 && actor !== undefined && !shared.has(actor) && !isForAll(operation);
      const foreign = isOwn ? await findForeign(prepared, operations, run, isPublic) : undefined;
      const before = await readBefore(prepared, operations, run);
      const result = await run.send(prepared, staysOpen);
      if (isCounted) past.add(prepared, result);
      const isOk = isSuccess(result.status);
      const sent = { call, operation, actor, prepared, result, isOk };
      const exchange = {
        ...sent,
        isOwn,
        foreign,
        before,
        isPublic,
        isForAll,
        operations,
        deleted,
        shown,
        isCounted,
        pasts,
        past,
        run,
      };
      const findings = await findingsOf(exchange, KINDS);
      if (isCounted) noteSaves(past.saves, exchange);
      keepValues(exchange, operations, actor === undefined || shared.has(actor) ? undefined : actor);
      if (isOk && !operation.isSafe) noteDeleted(deleted, prepared, result, run.pool);
      noteShown(shown, prepared, result);
      if (staysOpen) watched = exchange;
      const broken = watched === undefined || watched === exchange ? undefined : await run.listen();
      if (watched === undefined || broken === undefined) return findings;
      const later = { ...watched, result: { ...watched.result, ...broken } };
      end();
      return [...findings, ...await findingsOf(later, KINDS_OF_ITEMS)];
    },
  };
}

/** What a stream may show after its first items. */
const KINDS_OF_ITEMS: readonly (typeof KINDS)[number][] = [throws, undeclared];

async function findingsOf(exchange: Exchange, kinds: readonly (typeof KINDS)[number][]): Promise<readonly Finding[]> {
  const { operation } = exchange;
  const findings: Finding[] = [];
  for (const kind of kinds) {
    const found = kind.shownBy === "response" ? await kind.judge(exchange) : undefined;
    if (found === undefined) continue;
    const { what, key = kind.kind, details = [], doubt } = found;
    findings.push({
      kind: kind.kind,
      operation,
      what,
      details,
      result: exchange.result,
      key: `${operation.name} ${key}`,
      doubt,
    });
  }
  return findings;
}
