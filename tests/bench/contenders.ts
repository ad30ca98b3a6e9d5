import type { Contender } from "./contender.ts";
import { bare, bareWithHost } from "./contenders/bare.ts";
import { elysia } from "./contenders/elysia.ts";
import { fetchRouter } from "./contenders/fetch_router.ts";
import { h3 } from "./contenders/h3.ts";
import { handWritten } from "./contenders/hand_written.ts";
import { hono, honoRegExp } from "./contenders/hono.ts";
import { ittyRouter } from "./contenders/itty_router.ts";
import { ours } from "./contenders/ours.ts";

/** The frameworks that we compare ours with. */
export const PEERS: readonly Contender[] = [hono, honoRegExp, h3, elysia, ittyRouter, fetchRouter];

/** Everybody: the floor, what the `Host` check costs, what one writes without a framework, ours, the peers. */
export const CONTENDERS: readonly Contender[] = [bare, bareWithHost, handWritten, ours, ...PEERS];
