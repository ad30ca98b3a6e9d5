import { assert, assertEquals } from "@std/assert";

/** The body of a 400 and of a 413, as the examples send it. */
interface Invalid {
  readonly error: unknown;
  readonly issues: readonly {
    readonly part: string;
    readonly path: readonly string[];
    readonly message: string;
    readonly code?: string;
  }[];
}

/** Asserts a 400 with issues of exactly these places, each named by part and path: `body.name`. */
export async function assertInvalid(response: Response, ...places: readonly string[]): Promise<void> {
  const { error, issues, ...rest }: Invalid = await response.json();
  assertEquals([response.status, typeof error, rest], [400, "string", {}]);
  assertEquals([...new Set(issues.map(({ part, path }) => [part, ...path].join(".")))], places);
  for (const { message } of issues) assert(message !== "");
}

/** Asserts a 413 with the issue of a body that is too large. */
export async function assertTooLarge(response: Response): Promise<void> {
  const { error, issues }: Invalid = await response.json();
  assertEquals([response.status, typeof error], [413, "string"]);
  assertEquals(issues.map(({ part, code }) => [part, code]), [["body", "body_too_large"]]);
}
