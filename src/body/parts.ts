import { isEncoded, UNSUPPORTED_ENCODING } from "../core/input/body.ts";
import type { BodyReader } from "../core/input/body_reader.ts";
import type { InferInput, InferOutput, ValidationIssue } from "../core/input/input.ts";
import type { StringMessage } from "../core/input/possible_schemas.ts";
import { essenceOf } from "../core/responses/media_type.ts";
import { escapeToken } from "../core/schemas/json_pointer.ts";
import { messageOf, readJsonSchema } from "../core/schemas/json_schema.ts";
import { relocate } from "../core/schemas/relocate.ts";
import { hasProperties, isRecord, requireFunction, requireOptions, requireThat } from "../core/values/assert.ts";
import { requireWhole } from "../core/values/whole_number.ts";
import { createMultipartParser } from "./multipart_parser.ts";
import type { FieldResult, FileRule, PartRule } from "./part_rule.ts";
import { readParts } from "./read_parts.ts";

/**
 * Declares a multipart body whose parts arrive one by one: uploads of any size, of which nothing is kept in memory. It is
 * the schema and the reader of the body at once.
 *
 * `c.input.body` is an async iterable of the parts, in the order in which the client sends them. A field has its
 * validated `value`, a file its `fileName`, `contentType` and `stream`. An invalid part has `issues`. Parts that are
 * not declared are skipped, and a name may come several times. After the last part come the issues of required parts
 * that were missing.
 *
 * The codes of issues are:
 *
 * - `file_too_large`, `field_too_large`: a part is longer than its bound. The `stream` of such a file ends at the bound,
 *   and the issue is the next part: remove what you have stored.
 * - `unsupported_media_type`: a file whose media type is not declared.
 * - `invalid_type`: a field where a file is declared, or a file where a field is.
 * - `missing`: a required file that the body does not have. A file without a name and without bytes counts as missing:
 *   browsers send it if no file was chosen. A required field that is missing has the issues of its schema.
 * - `too_many_parts`, `body_too_large`, `invalid_form`, `incomplete_body`: the body as a whole, without a `name`. It is the
 *   last part. The doc comment of {@linkcode form} lists what is an `invalid_form`.
 *
 * A body of another media type fails the validation of the input, with `unsupported_media_type`,
 * `unsupported_content_encoding`, `invalid_form` without a boundary, or `body_too_large` if `content-length` says so.
 *
 * If the handler leaves the loop, throws, or never begins it, the rest is read and discarded before the response is sent:
 * at most `drainBytes`, for at most two seconds. Many clients read no response before they have sent everything. After
 * that, reading ends. Deno and Bun receive what the client still sends, and discard it. `@hono/node-server` closes the
 * connection half a second after the response. A stream that is read later, such as one that the response sends, fails.
 *
 * @typeParam Declared What the body has.
 * @param declared Standard Schemas of the fields, and files, by name.
 * @param options The bounds.
 * @returns The schema and reader, for `request.body`.
 * @throws A `TypeError` if a part is neither a Standard Schema nor a file, or if an option is unknown or wrong.
 *
 * @example An upload
 * ```ts
 * import { denyInvalid, reply, route, setup } from "@fw/core";
 * import { file, parts } from "@fw/core/body";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const upload = parts({
 *   title: z.string().min(1),
 *   photo: file({ contentTypes: ["image/*"], maxBytes: 10_000_000 }),
 * });
 *
 * const app = setup({
 *   validator: standardSchema,
 *   maxBodyBytes: 11_000_000,
 *   handlers: [
 *     route.post("/photos", {
 *       request: { body: upload },
 *       guards: [denyInvalid(() => reply(400))],
 *       resolve: async ({ input }) => {
 *         let size = 0;
 *         for await (const part of input.body) {
 *           if (part.issues) return reply(400, part.issues);
 *           if (part.name === "photo") { for await (const chunk of part.stream) size += chunk.length; }
 *         }
 *         return reply(201, { size });
 *       },
 *     }),
 *   ],
 * });
 *
 * const body = new FormData();
 * body.append("title", "Emma");
 * body.append("photo", new File(["…"], "emma.png", { type: "image/png" }));
 * const response = await app.fetch(new Request("http://localhost/photos", { method: "POST", body }));
 * assertEquals(await response.json(), { size: 3 });
 * ```
 */
export function parts<const Declared extends DeclaredParts>(
  declared: Declared & PossibleParts<Declared>,
  options: PartsOptions = {},
): PartsBody<Declared> {
  requireThat(isRecord(declared), "Parts of parts", "an object of schemas and files by name", declared);
  requireOptions(options, "parts", [], ["maxParts", "maxFieldBytes", "drainBytes"]);
  const { maxParts = 1_000, maxFieldBytes = 65_536, drainBytes = 1_048_576 } = options;
  requireWhole(maxParts, "Option maxParts of parts", 1_000_000);
  requireWhole(maxFieldBytes, "Option maxFieldBytes of parts", 1_073_741_824);
  requireWhole(drainBytes, "Option drainBytes of parts", 1_073_741_824, 0);
  const rules = new Map(Object.entries(declared).map(([name, part]) => [name, ruleOf(name, part)]));
  const contentTypes = ["multipart/form-data"] as const;
  const reader: BodyReader = {
    contentTypes,
    format: "parts",
    encoding: encodingOf(rules),
    // deno-lint-ignore require-await -- the parts are read later
    async read(request, maxBytes) {
      const contentType = request.headers.get("content-type") ?? "";
      if (essenceOf(contentType) !== contentTypes[0]) {
        return { issue: { message: "Unsupported media type", code: "unsupported_media_type" } };
      }
      if (isEncoded(request.headers)) return { issue: UNSUPPORTED_ENCODING };
      const parser = createMultipartParser(contentType);
      if (parser === undefined) return { issue: { message: "Invalid form", code: "invalid_form" } };
      // Servers enforce it, so nothing is read of a body that is known to be too large.
      if (Number(request.headers.get("content-length") ?? 0) > maxBytes) {
        return { issue: { message: "Body too large", code: "body_too_large" } };
      }
      const { body: value, end } = readParts(request, parser, rules, { maxBytes, maxParts, maxFieldBytes, drainBytes });
      return { value, end };
    },
  };
  return {
    ...reader,
    contentTypes,
    format: "parts",
    "~reader": reader,
    "~standard": {
      version: 1,
      vendor: "@fw/core",
      validate: (value) => ({ value: value as AsyncIterable<PartOf<Declared>> }),
      jsonSchema: {
        input: () => describe(declared, rules),
        output() {
          throw new TypeError("Parts that arrive one by one have no JSON Schema");
        },
      },
    },
  };
}

/** The bounds of {@linkcode parts}. */
export interface PartsOptions {
  /** The largest number of parts, also of those that are not declared: from 1 to 1,000,000; 1,000 by default. */
  readonly maxParts?: number | undefined;
  /** The largest field, in bytes: from 1 to 1,073,741,824; 65,536 by default. */
  readonly maxFieldBytes?: number | undefined;
  /**
   * How many bytes are read and discarded if the handler does not read all parts, so that the client gets the response:
   * from 0 to 1,073,741,824; 1,048,576 by default.
   */
  readonly drainBytes?: number | undefined;
}

/** The declared parts of a body by name: schemas of fields, and files. */
export interface DeclaredParts {
  /** A Standard Schema of a field, which is text, or a file. */
  readonly [name: string]: { readonly "~standard": object } | DeclaredFile;
}

/**
 * A second type that declared parts must have. A field arrives as a text. For a schema that accepts no text, the type is
 * a message.
 *
 * @typeParam Declared What the body has.
 */
export type PossibleParts<Declared> = {
  readonly [Name in keyof Declared]: Declared[Name] extends DeclaredFile ? unknown
    : PossibleField<Name, InferInput<Declared[Name]>>;
};

/** @internal `unknown` if a text can be one of the accepted values, or if there are none; else the message. */
type PossibleField<Name, Value> = unknown extends Value ? unknown
  : [Exclude<Value, undefined>] extends [never] ? unknown
  : true extends (Value extends string ? true : string extends Value ? true : false) ? unknown
  : [Exclude<Value, undefined>] extends [readonly unknown[]]
    ? `"${Name & string}" of the form arrives as one part for each value: write the schema of one value`
  : [Exclude<Value, undefined>] extends [Blob] ? `"${Name & string}" of the form is a file: write file({ maxBytes })`
  : StringMessage<"form", Name>;

/**
 * Declares a file of {@linkcode parts} that a body may lack.
 *
 * @param rule Which files are accepted.
 * @returns The file.
 * @throws A `TypeError` if an option is missing, unknown or wrong.
 *
 * @example An image of at most 10 MB
 * ```ts
 * import { file } from "@fw/core/body";
 *
 * const photo = file({ contentTypes: ["image/png", "image/jpeg"], maxBytes: 10_000_000, optional: true });
 * ```
 */
export function file(rule: FileRule & { readonly optional: true }): DeclaredFile<true>;
/**
 * Declares a file of {@linkcode parts} that a body must have.
 *
 * @param rule Which files are accepted.
 * @returns The file.
 * @throws A `TypeError` if an option is missing, unknown or wrong.
 */
export function file(rule: FileRule & { readonly optional?: false | undefined }): DeclaredFile<false>;
export function file(rule: FileRule & { readonly optional?: boolean | undefined }): DeclaredFile {
  requireOptions(rule, "file", ["maxBytes"], ["contentTypes", "optional"]);
  const { maxBytes, contentTypes, optional = false } = rule;
  requireWhole(maxBytes, "Option maxBytes of file", Number.MAX_SAFE_INTEGER);
  if (contentTypes !== undefined) {
    const areTypes = Array.isArray(contentTypes) && contentTypes.length > 0 && contentTypes.every(isMediaType);
    const expected = 'a list of media types in lower case, such as ["image/*"]';
    requireThat(areTypes, "Option contentTypes of file", expected, contentTypes);
  }
  requireThat(typeof optional === "boolean", "Option optional of file", "a boolean", optional);
  return { "~file": { maxBytes, contentTypes }, optional };
}

/**
 * A file of {@linkcode parts}, as {@linkcode file} declares it.
 *
 * @typeParam Optional Whether the body may lack the file.
 */
export interface DeclaredFile<out Optional extends boolean = boolean> {
  /** Which files are accepted. */
  readonly "~file": FileRule;
  /** Whether the body may lack the file. */
  readonly optional: Optional;
}

/**
 * A part of a body, as it arrives: told apart by `name` and by `issues`.
 *
 * @typeParam Declared What the body has.
 */
export type PartOf<Declared> =
  | {
    [Name in keyof Declared & string]: Declared[Name] extends DeclaredFile ? ReceivedFile<Name>
      : ReceivedField<Name, InferOutput<Declared[Name]>>;
  }[keyof Declared & string]
  | InvalidPart<(keyof Declared & string) | undefined>;

/**
 * A file, as it arrives.
 *
 * @typeParam Name The name of the part.
 */
export interface ReceivedFile<out Name extends string> {
  /** The name of the part. */
  readonly name: Name;
  /** The name of the file, as the client wrote it: any text, which is never a path of yours. */
  readonly fileName: string;
  /** The media type with its parameters, as the client wrote it. */
  readonly contentType: string;
  /**
   * The bytes, which are read from the client as you read them: chunks that are `Uint8Array<ArrayBuffer>`. Bytes that
   * you have not read when you request the next part, or when the handler returns, are discarded.
   */
  readonly stream: ReadableStream<ReturnType<Uint8Array["slice"]>>; // not generic in TypeScript 5.4
  /** Absent: the file has none so far. */
  readonly issues?: undefined;
}

/**
 * A field, as it arrives.
 *
 * @typeParam Name The name of the part.
 * @typeParam Value The value.
 */
export interface ReceivedField<out Name extends string, out Value> {
  /** The name of the part. */
  readonly name: Name;
  /** The value that the schema returns for the text. */
  readonly value: Value;
  /** Absent: the field is valid. */
  readonly issues?: undefined;
}

/**
 * What does not fit.
 *
 * @typeParam Name The name of the part; `undefined` if the body as a whole does not fit.
 */
export interface InvalidPart<out Name extends string | undefined> {
  /** The name of the part; `undefined` if the body as a whole does not fit. */
  readonly name: Name;
  /** What is wrong. Their `path` begins with the name of the part. */
  readonly issues: readonly ValidationIssue[];
}

/**
 * A schema and a reader of bodies that arrive part by part.
 *
 * @typeParam Declared What the body has.
 */
export interface PartsBody<Declared extends DeclaredParts> extends BodyReader {
  /** The media types. */
  readonly contentTypes: readonly ["multipart/form-data"];
  /** Bodies are forms, whose parts are received one by one. */
  readonly format: "parts";
  /** Makes it the reader of a request whose body it is. */
  readonly "~reader": BodyReader;
  /** As in a Standard Schema, and in a Standard JSON Schema. */
  readonly "~standard": {
    /** As in a Standard Schema. */
    readonly version: 1;
    /** As in a Standard Schema. */
    readonly vendor: string;
    /** As in a Standard Schema. */
    readonly types?: {
      /** What a client sends. */
      readonly input: SentParts<Declared>;
      /** What a handler receives. */
      readonly output: AsyncIterable<PartOf<Declared>>;
    };
    /** As in a Standard Schema. */
    validate(value: unknown): { readonly value: AsyncIterable<PartOf<Declared>> };
    /** As in a Standard JSON Schema. */
    readonly jsonSchema: {
      /** Describes the form. */
      input(): object;
      /** Throws: what a handler receives has no JSON Schema. */
      output(): object;
    };
  };
}

/**
 * The fields and files that a client sends, by name.
 *
 * @typeParam Declared What the body has.
 */
export type SentParts<Declared> =
  & {
    readonly [Name in keyof Declared as MayLack<Declared[Name]> extends true ? never : Name]: SentPart<Declared[Name]>;
  }
  & {
    readonly [Name in keyof Declared as MayLack<Declared[Name]> extends true ? Name : never]?:
      | SentPart<Declared[Name]>
      | undefined;
  };

/**
 * A file that a client sends as a stream. It is not kept in memory.
 *
 * @example A file of a disk
 * ```ts
 * import { endpoint } from "@fw/core";
 * import { file, parts } from "@fw/core/body";
 * import { createClient } from "@fw/core/client";
 *
 * const photo = file({ contentTypes: ["image/*"], maxBytes: 10_000_000 });
 * const api = { add: endpoint.post("/photos", { request: { body: parts({ photo }) }, responses: { 201: {} } }) };
 * const client = createClient(api, { baseUrl: "https://api.example.com" });
 *
 * async function send(path: string) {
 *   const opened = await Deno.open(path); // on Node.js: `open` of node:fs/promises, and its `readableWebStream`
 *   const { size } = await opened.stat();
 *   return await client.add({ body: { photo: { stream: opened.readable, size, name: "photo.png", type: "image/png" } } });
 * }
 * ```
 */
export interface StreamedFile {
  /** The bytes. It is read while the request is sent, once. */
  readonly stream: ReadableStream<Uint8Array>;
  /** How many bytes it has. The call fails if it has more or fewer. */
  readonly size: number;
  /** Absent. A stream alone is not a file, since its size is not known. */
  readonly getReader?: undefined;
  /** The name of the file; `"blob"` by default. */
  readonly name?: string | undefined;
  /** The media type; `"application/octet-stream"` by default. */
  readonly type?: string | undefined;
}

/**
 * A `Blob` or a `File`. Without `stream`, so that the compiler says of a {@linkcode StreamedFile} without `size` what it
 * lacks, and not that its stream is no function.
 */
export type SentFile = Omit<Blob, "stream">;

/**
 * The value that a client sends for a part. Files of one name are an array, or the `FileList` of an `<input>`. The type
 * of an array would take the place of what the compiler says of a stream without `size`.
 */
export type SentPart<Part> = Part extends DeclaredFile ? SentFile | StreamedFile | ArrayLike<SentFile | StreamedFile>
  : Part extends { readonly "~standard": { readonly types?: { readonly input: infer Value } | undefined } } ? Value
  : unknown;

/** Whether a body may lack a part. */
export type MayLack<Part> = Part extends DeclaredFile<infer Optional> ? Optional
  // What a schema that converts accepts is not known. What it returns tells.
  : unknown extends SentPart<Part> ? undefined extends InferOutput<Part> ? true : false
  : undefined extends SentPart<Part> ? true
  : false;

function ruleOf(name: string, part: unknown): PartRule {
  const { "~file": file, "~standard": standard, optional }: Partial<Record<string, unknown>> = hasProperties(part)
    ? part
    : {};
  if (isRecord(file)) return { kind: "file", file: file as FileRule, isOptional: optional === true };
  const expected = "a Standard Schema, or file({ maxBytes })";
  requireThat(hasProperties(standard), `Part ${JSON.stringify(name)} of parts`, expected, part);
  const validate = requireFunction(`"~standard".validate of part ${JSON.stringify(name)} of parts`, standard.validate);
  return { kind: "field", validate: (value) => validate.call(standard, value) as FieldResult };
}

/** The media types of files, for documents. */
function encodingOf(
  rules: ReadonlyMap<string, PartRule>,
): { readonly [name: string]: { readonly contentType: string } } {
  return Object.fromEntries(
    Array.from(rules).flatMap(([name, rule]) => {
      const types = rule.kind === "file" ? rule.file.contentTypes : undefined;
      return types ? [[name, { contentType: types.join(", ") }]] : [];
    }),
  );
}

function isMediaType(type: unknown): boolean {
  return typeof type === "string" && /^(\*\/\*|[\w!#$&^.+-]+\/([\w!#$&^.+-]+|\*))$/.test(type) &&
    type === type.toLowerCase();
}

/** The JSON Schema of the form. */
function describe(declared: DeclaredParts, rules: ReadonlyMap<string, PartRule>): object {
  // Not a record, in which `__proto__` would be no key.
  const properties = new Map<string, unknown>();
  const required: string[] = [];
  for (const [name, rule] of rules) {
    if (rule.kind === "file") {
      // OpenAPI counts the bytes of binary data by this keyword.
      properties.set(name, { type: "string", format: "binary", maxLength: rule.file.maxBytes });
      if (!rule.isOptional) required.push(name);
      continue;
    }
    try {
      const schema = readJsonSchema(declared[name], "input", undefined);
      properties.set(name, relocate(schema, `/properties/${escapeToken(name)}`));
    } catch (error) {
      throw new TypeError(`part ${JSON.stringify(name)}: ${messageOf(error)}`, { cause: error });
    }
    // A schema that waits for something is taken to require a value.
    const result = rule.validate(undefined);
    if (!("value" in result) || result.issues !== undefined) required.push(name);
  }
  return { type: "object", properties: Object.fromEntries(properties), required };
}
