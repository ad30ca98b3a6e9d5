/** The shape of an OpenAPI 3.1 or 3.2 document, limited to what routes can describe. Types only. */

import type { SecurityRequirement } from "../core/declare/docs.ts";
import type { JsonSchema } from "../core/schemas/json_schema.ts";

/** An OpenAPI document: plain JSON data that belongs to the caller. */
export interface OpenApiDocument {
  /** The version of OpenAPI. */
  openapi: OpenApiVersion;
  /** Title, version and description of the API. */
  info: Info;
  /** The servers of the API. */
  servers?: Server[];
  /** The groups of operations. */
  tags?: Tag[];
  /** Default security requirements. The requirements of an operation replace them. */
  security?: SecurityRequirement[];
  /** The paths with their operations, in the order in which they were declared. */
  paths: { [path: string]: PathItem };
  /** The webhooks that the API sends, by type. */
  webhooks?: { [type: string]: PathItem };
  /** The schemas and the security schemes that operations refer to. */
  components: Components;
}

/** A version of OpenAPI. */
export type OpenApiVersion = "3.1.0" | "3.2.0";

/** Title, version and description of an API. */
export interface Info {
  /** The name of the API. */
  title: string;
  /** The version of the document, not of OpenAPI. */
  version: string;
  /** Short description, as one line of plain text. */
  summary?: string;
  /** Long description, as CommonMark. */
  description?: string;
  /** The url of the terms of service. */
  termsOfService?: string;
  /** The contact for the API. */
  contact?: Contact;
  /** The license of the API. */
  license?: License;
}

/** The contact for an API. */
export interface Contact {
  /** The name of a person or an organisation. */
  name?: string;
  /** The url of the contact. */
  url?: string;
  /** The e-mail address of the contact. */
  email?: string;
}

/** The license of an API. */
export interface License {
  /** The name of the license. */
  name: string;
  /** The SPDX expression of the license. Not together with `url`. */
  identifier?: string;
  /** The url of the license text. Not together with `identifier`. */
  url?: string;
}

/** A server of an API. */
export interface Server {
  /** The base url of the paths, absolute or relative to the url of the document. It may contain `{variables}`. */
  url: string;
  /** Description of the server, as CommonMark. */
  description?: string;
  /** The variables in the url. */
  variables?: { [name: string]: ServerVariable };
}

/** A variable in the url of a server. */
export interface ServerVariable {
  /** The default value. */
  default: string;
  /** The allowed values; any value by default. */
  enum?: string[];
  /** Description of the variable, as CommonMark. */
  description?: string;
}

/** A group of operations. */
export interface Tag {
  /** The name of the group, as in a route's `docs.tags`. */
  name: string;
  /** Description of the group, as CommonMark. */
  description?: string;
}

/** The operations of one path, by method in lowercase letters. */
export type PathItem = { [Method in OperationMethod]?: Operation };

/** The methods that a path describes. */
export type OperationMethod = "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace" | "query";

/** One method of one path. */
export interface Operation {
  /** The groups that list the operation. */
  tags?: string[];
  /** Short description, as one line of plain text. */
  summary?: string;
  /** Long description, as CommonMark. */
  description?: string;
  /** The name in generated clients, unique in the document. */
  operationId: string;
  /** The parameters in path, query, headers and cookies. */
  parameters?: Parameter[];
  /** The request body. */
  requestBody?: RequestBody;
  /** The responses, by status, range of statuses, or `default`. */
  responses: { [status: string]: OperationResponse };
  /** Whether clients should stop using the operation. */
  deprecated?: boolean;
  /** The day from which the operation may be gone. An extension that other tools know, too. */
  "x-sunset"?: string;
  /** Security requirements; any one suffices, and `[]` means public. */
  security?: SecurityRequirement[];
}

/** A parameter of an operation. */
export interface Parameter {
  /** The key in the query, the name of the header or the cookie, or the name in braces in the path. */
  name: string;
  /** The location of the parameter. */
  in: "path" | "query" | "header" | "cookie";
  /** Description of the parameter, as CommonMark. */
  description?: string;
  /** Whether the parameter is required. */
  required?: boolean;
  /** The schema of the value. */
  schema: JsonSchema;
}

/** The body of requests. */
export interface RequestBody {
  /** Description of the body, as CommonMark. */
  description?: string;
  /** Whether requests must have a body. Always `true` for a body schema. */
  required?: boolean;
  /** The schema of the body, by media type. */
  content: Content;
}

/** The schema of a body, by media type. */
export interface Content {
  /** The content with this media type. */
  [mediaType: string]: {
    /** The schema of the content. A stream in OpenAPI 3.2 has `itemSchema` instead. */
    schema?: JsonSchema;
    /** In OpenAPI 3.2, the schema of each item of a stream. */
    itemSchema?: JsonSchema;
    /** How the parts of a form are encoded, by name. */
    encoding?: { [name: string]: Encoding };
    /** Example values by name, in the form in which they are sent. */
    examples?: { [name: string]: Example };
  };
}

/** How a part of a form is encoded. */
export interface Encoding {
  /** The media types, separated by commas. */
  contentType: string;
}

/** An example of a body. */
export interface Example {
  /** The value. */
  value: unknown;
}

/** A response of an operation. */
export interface OperationResponse {
  /** What the response means, as CommonMark. */
  description: string;
  /** The headers, by name. */
  headers?: { [name: string]: Header };
  /** The schema of the body, by media type. */
  content?: Content;
}

/** A header of a response. */
export interface Header {
  /** What the header means, as CommonMark. */
  description?: string;
  /** Whether every such response has the header. */
  required?: boolean;
  /** The schema of the value. */
  schema: JsonSchema;
}

/** The schemas and the security schemes that operations refer to. */
export interface Components {
  /** Schemas, by name. */
  schemas: { [name: string]: JsonSchema };
  /** Security schemes, by name. */
  securitySchemes?: { [name: string]: SecurityScheme };
}

/** An [OpenAPI Security Scheme Object](https://spec.openapis.org/oas/v3.1.0.html#security-scheme-object). */
export interface SecurityScheme {
  /** The type of the scheme. */
  type: "apiKey" | "http" | "mutualTLS" | "oauth2" | "openIdConnect";
  /** Description of the scheme, as CommonMark. */
  description?: string;
  /** Type `http`: the scheme of the `Authorization` header, such as `bearer`. */
  scheme?: string;
  /** Type `http`, scheme `bearer`: the format of the tokens, for documentation. */
  bearerFormat?: string;
  /** Type `apiKey`: the name of the header, query parameter or cookie. */
  name?: string;
  /** Type `apiKey`: the location of the key. */
  in?: "cookie" | "header" | "query";
  /** Type `oauth2`: the flows, by name. */
  flows?: { [flow: string]: object };
  /** Type `openIdConnect`: the url of the discovery document. */
  openIdConnectUrl?: string;
}
