// npx -y deno@2.9.6 serve --host 127.0.0.1 --allow-env=ISSUER,AUDIENCE,JWKS --allow-net=issuer.example.com examples/recipes/jwt.ts
//
// Requires a bearer token (JWT) of an issuer that publishes its keys (JWKS), and scopes in it.
//
// These variables say which tokens are accepted. `--allow-net` names the host of JWKS:
//
// ISSUER=https://issuer.example.com AUDIENCE=https://api.example.com JWKS=https://issuer.example.com/jwks.json
//
// curl -i -H "authorization: Bearer $TOKEN" http://localhost:8000/books

import process from "node:process";
import { createApp } from "./jwt/app.ts";
import { fetchKeys } from "./jwt/fetch_keys.ts";

const {
  ISSUER: issuer = "https://issuer.example.com",
  AUDIENCE: audience = "https://api.example.com",
  JWKS: jwks = "https://issuer.example.com/jwks.json",
} = process.env;

export default createApp({ issuer, audience, keys: fetchKeys(new URL(jwks)) });
