// npx -y deno@2.9.6 serve --host 127.0.0.1 --allow-env=ISSUER,AUDIENCE,JWKS --allow-net=issuer.example.com examples/recipes/jwt.ts
//
// Requires a bearer token (JWT) of an issuer that publishes its keys (JWKS), and scopes in it.
//
// These variables say which tokens are accepted. `--allow-net` names the host of JWKS:
//
// ISSUER=https://issuer.example.com AUDIENCE=https://api.example.com JWKS=https://issuer.example.com/jwks.json
//
// curl -i -H "authorization: Bearer $TOKEN" http://localhost:8000/books

import { type App, beforeBody, reply, route, setup } from "@fw/core";
import process from "node:process";
import { z } from "zod";
import { fetchKeys } from "./jwt/fetch_keys.ts";
import { authenticatedBy, requireScope, type Trust } from "./jwt/jwt.ts";

export function createApp(trust: Trust): App {
  // Before the body is read: a stranger cannot make the server receive one.
  const api = route.with({
    responses: {
      401: { description: "No valid token" },
      503: { description: "The keys of the issuer are not available" },
    },
    guards: [beforeBody(authenticatedBy(trust))],
  });
  const writeBooks = beforeBody(requireScope("books:write"));
  return setup({
    handlers: [
      api.get("/books", {
        responses: { 200: { schema: z.object({ readBy: z.string() }) } },
        resolve: (c) => reply(200, { readBy: c.locals.userId }),
      }),
      api.post("/books", {
        responses: {
          201: { schema: z.object({ createdBy: z.string() }) },
          403: { description: "The scope is missing" },
        },
        guards: [writeBooks],
        resolve: (c) => reply(201, { createdBy: c.locals.userId }),
      }),
    ],
  });
}

const {
  ISSUER: issuer = "https://issuer.example.com",
  AUDIENCE: audience = "https://api.example.com",
  JWKS: jwks = "https://issuer.example.com/jwks.json",
} = process.env;

export default createApp({ issuer, audience, keys: fetchKeys(new URL(jwks)) });
