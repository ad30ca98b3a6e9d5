/** The shape of an OpenAPI 3.1 document, as far as routes can tell it. Types only. */

import type { SecurityRequirement } from "./docs.ts";
import type { JsonSchema } from "./openapi_schema.ts";

/** An OpenAPI 3.1 document, as plain data: JSON can hold all of it, and it belongs to the caller. */
export interface OpenApiDocument {
  /** The version of OpenAPI. */
  openapi: "3.1.0";
  /** What the API is. */
  info: Info;
  /** Where it is served. */
  servers?: Server[];
  /** What the groups of operations are. */
  tags?: Tag[];
  /** What it takes to be let in where an operation says nothing else. */
  security?: SecurityRequirement[];
  /** The paths with their operations, in the order in which they were declared. */
  paths: { [path: string]: PathItem };
  /** What operations refer to. */
  components: Components;
}

/** What an API is. */
export interface Info {
  /** Its name. */
  title: string;
  /** The version of its description, not that of OpenAPI. */
  version: string;
  /** What it is for, in one short line of plain text. */
  summary?: string;
  /** What it is for, as CommonMark. */
  description?: string;
  /** The url of its terms of service. */
  termsOfService?: string;
  /** Whom to ask. */
  contact?: Contact;
  /** Under which license it may be used. */
  license?: License;
}

/** Whom to ask about an API. */
export interface Contact {
  /** The name of a person or an organisation. */
  name?: string;
  /** A url of theirs. */
  url?: string;
  /** An e-mail address of theirs. */
  email?: string;
}

/** The license of an API. */
export interface License {
  /** Its name. */
  name: string;
  /** Its SPDX expression. Not beside `url`. */
  identifier?: string;
  /** The url of its text. Not beside `identifier`. */
  url?: string;
}

/** Where an API is served. */
export interface Server {
  /** What stands before its paths; relative to where the document is, unless absolute. It may hold `{variables}`. */
  url: string;
  /** What it is, as CommonMark. */
  description?: string;
  /** The values of the variables in its url. */
  variables?: { [name: string]: ServerVariable };
}

/** A variable in the url of a server. */
export interface ServerVariable {
  /** Its value unless another is chosen. */
  default: string;
  /** The values to choose from; any at all unless given. */
  enum?: string[];
  /** What it is, as CommonMark. */
  description?: string;
}

/** A group of operations. */
export interface Tag {
  /** Its name, as routes give it in `docs.tags`. */
  name: string;
  /** What it is, as CommonMark. */
  description?: string;
}

/** The operations of one path, by method in small letters. */
export type PathItem = { [Method in OperationMethod]?: Operation };

/** The methods that OpenAPI 3.1 knows. */
export type OperationMethod = "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";

/** What one method does at one path. */
export interface Operation {
  /** The groups that it is in. */
  tags?: string[];
  /** What it does, in one short line of plain text. */
  summary?: string;
  /** What it does, as CommonMark. */
  description?: string;
  /** Its name in generated clients. No other operation has it. */
  operationId: string;
  /** Its path and query parameters. */
  parameters?: Parameter[];
  /** Its body. */
  requestBody?: RequestBody;
  /** Its responses, by status, range of statuses, or `default`. */
  responses: { [status: string]: OperationResponse };
  /** Whether clients should stop using it. */
  deprecated?: boolean;
  /** What it takes to be let in. */
  security?: SecurityRequirement[];
}

/** A parameter of an operation. */
export interface Parameter {
  /** Its name: in a query as it stands there, in a path as the path has it in braces. */
  name: string;
  /** Where it stands. */
  in: "path" | "query";
  /** What it is, as CommonMark. */
  description?: string;
  /** Whether it has to be there. */
  required?: boolean;
  /** What it may be. */
  schema: JsonSchema;
}

/** The body of requests. */
export interface RequestBody {
  /** What it is, as CommonMark. */
  description?: string;
  /** Whether requests must have one: always where it is JSON, since an empty body is not. */
  required?: boolean;
  /** What it may be, by media type. */
  content: Content;
}

/** What a body may be, by media type. */
export interface Content {
  /** What it may be. */
  [mediaType: string]: {
    /** What it may be. */
    schema: JsonSchema;
  };
}

/** A response of an operation. */
export interface OperationResponse {
  /** What it means, as CommonMark. */
  description: string;
  /** What its body may be, by media type. */
  content?: Content;
}

/** What operations refer to. */
export interface Components {
  /** Schemas, by name. */
  schemas: { [name: string]: JsonSchema };
  /** Ways to be let in, by name. */
  securitySchemes?: { [name: string]: SecurityScheme };
}

/** A way to be let in: an [OpenAPI Security Scheme Object](https://spec.openapis.org/oas/v3.1.0.html#security-scheme-object). */
export interface SecurityScheme {
  /** Its kind. */
  type: "apiKey" | "http" | "mutualTLS" | "oauth2" | "openIdConnect";
  /** What it is, as CommonMark. */
  description?: string;
  /** Of kind `http`: the scheme of the `Authorization` header, such as `bearer`. */
  scheme?: string;
  /** Of kind `http`, scheme `bearer`: what tokens look like, for people to read. */
  bearerFormat?: string;
  /** Of kind `apiKey`: the name of the header, query parameter or cookie. */
  name?: string;
  /** Of kind `apiKey`: where it stands. */
  in?: "cookie" | "header" | "query";
  /** Of kind `oauth2`: its flows, by name. */
  flows?: { [flow: string]: object };
  /** Of kind `openIdConnect`: the url of its discovery document. */
  openIdConnectUrl?: string;
}
