/** The packages that the benchmark compares us with, at the versions that it was last read against. */

export { zValidator } from "npm:@hono/zod-validator@0.9.1";
export { createContextKey, createRouter, type Middleware } from "npm:@remix-run/fetch-router@0.20.1";
export { type Context as ElysiaContext, Elysia, t } from "npm:elysia@1.4.30";
export { default as findMyWay } from "npm:find-my-way@9.10.1";
// As for Deno on every runtime: for Node.js h3 has a lazy response of its own, which only its own server can send.
export { bodyLimit as limitBodyOfH3, getQuery, H3, type H3Event, readValidatedBody } from "npm:h3@2.0.8";
export { type Context as HonoContext, type Env, Hono, type Next } from "npm:hono@4.13.19";
export { bodyLimit as limitBodyOfHono } from "npm:hono@4.13.19/body-limit";
export type { Router as HonoRouter } from "npm:hono@4.13.19/router";
export { RegExpRouter } from "npm:hono@4.13.19/router/reg-exp-router";
export { SmartRouter } from "npm:hono@4.13.19/router/smart-router";
export { TrieRouter } from "npm:hono@4.13.19/router/trie-router";
export { type IRequest, IttyRouter, json, Router as RouterOfItty } from "npm:itty-router@6.0.0";
export { Memoirist } from "npm:memoirist@1.2.2";
export { addRoute, createRouter as createRouterOfRou3, findRoute } from "npm:rou3@1.0.0";
export { z } from "npm:zod@4.6.7";
