import type { AnyInput, ValidationIssue } from "../core/input/input.ts";

/** What has been received of a body whose parts arrive one by one. */
export interface ReceivedParts {
  /** The values of the fields by name, of several the last one. */
  readonly fields: { readonly [name: string]: unknown };
  /** What is wrong with any of the parts. */
  readonly issues: readonly ValidationIssue[];
}

/**
 * Receives all parts of a body. The bytes of files are discarded.
 *
 * @param body The parts, as the body reader `parts` returns them.
 * @returns The fields, and what is wrong.
 */
export async function receiveParts(body: unknown): Promise<ReceivedParts> {
  const fields: { [name: string]: unknown } = Object.create(null);
  const issues: ValidationIssue[] = [];
  for await (const part of body as AsyncIterable<Part>) {
    if (part.issues !== undefined) issues.push(...part.issues);
    else if ("value" in part) fields[part.name] = part.value;
  }
  return { fields: { ...fields }, issues };
}

/** A part, as far as it matters here. */
interface Part {
  readonly name: string;
  readonly value?: unknown;
  readonly issues?: readonly ValidationIssue[];
}

/**
 * The input of a request as if its parts were validated like any body: with the fields as its body, or invalid.
 *
 * @param input The input, whose parts have not been read.
 * @returns The input. It is the same one if it is invalid.
 */
export async function receiveInput(input: AnyInput): Promise<AnyInput> {
  if (!input.ok) return input;
  const { fields, issues } = await receiveParts(input.body);
  if (issues.length === 0) return { ...input, body: fields };
  return { ok: false, failed: ["body"], issues, received: {} };
}
