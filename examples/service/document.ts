import { openapi, type OpenApiDocument } from "@fw/core/openapi";
import * as api from "./api.ts";

/** Describes the endpoints. The app serves it, and `openapi.json` is what it was when clients were last considered. */
export const document: OpenApiDocument = openapi({
  info: { title: "Pictures", version: "1.0.0" },
  endpoints: api,
  securitySchemes: { session: { type: "apiKey", in: "cookie", name: "__Host-session" } },
});
