/** What the parts of a body must be. Types only. */

/** Which files are accepted. */
export interface FileRule {
  /** The largest file, in bytes. */
  readonly maxBytes: number;
  /** The media types, in lower case: `"image/png"`, or a range such as `"image/*"`. Any type by default. */
  readonly contentTypes?: readonly string[] | undefined;
}

/** What a part must be. */
export type PartRule =
  | { readonly kind: "file"; readonly file: FileRule; readonly isOptional: boolean }
  | { readonly kind: "field"; readonly validate: (value: unknown) => FieldResult | PromiseLike<FieldResult> };

/** The result of the schema of a field. */
export interface FieldResult {
  /** The value, if there are no issues. */
  readonly value?: unknown;
  /** What is wrong. */
  readonly issues?: readonly {
    readonly message: string;
    readonly path?: readonly unknown[];
    readonly code?: unknown;
  }[];
}
