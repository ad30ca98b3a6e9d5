import { textOf, wellFormed } from "./text_of.ts";

/** What the body of a form consists of, in order. */
export type Fields = readonly (readonly [name: string, value: unknown])[];

/** A form that is sent in an unusual way. */
export class OddForm {
  /** The fields and files by name. */
  readonly value: unknown;
  /** What is unusual. */
  readonly way: OddWay;
  /** Chooses names. */
  readonly seed: number;
  /**
   * @param value The fields and files by name.
   * @param way What is unusual.
   * @param seed Chooses names: a whole number.
   */
  constructor(value: unknown, way: OddWay, seed: number) {
    this.value = value;
    this.way = way;
    this.seed = seed;
  }
}

/** What is unusual of a form. */
export type OddWay = "cut off" | "out of order" | "twice" | "hostile names";

/** All ways. */
export const ODD_WAYS: readonly OddWay[] = ["cut off", "out of order", "twice", "hostile names"];

/**
 * The fields of a form: several of one name for a list, none for what is absent.
 *
 * @param value The fields and files by name.
 * @returns The fields.
 */
export function fieldsOf(value: unknown): Fields {
  return Object.entries(Object(value)).flatMap(([name, value]) =>
    [value].flat().filter((one) => one !== undefined && one !== null).map((one) => [name, one] as const)
  );
}

/** The content type of {@linkcode writeMultipart}. */
export const MULTIPART = "multipart/form-data; boundary=b";

/**
 * Writes a form.
 *
 * @param value The fields and files by name, or an {@linkcode OddForm}.
 * @returns The text of the body.
 */
export async function writeMultipart(value: unknown): Promise<string> {
  if (!(value instanceof OddForm)) return await writeFields(fieldsOf(value));
  const fields = fieldsOf(value.value);
  switch (value.way) {
    case "cut off":
      return (await writeFields(fields)).slice(0, -8);
    case "out of order":
      return await writeFields(fields.toReversed());
    case "twice":
      return await writeFields(fields.flatMap((field) => [field, field]));
    case "hostile names": {
      const renamed = fields.map(([name, one], index) =>
        [name, one instanceof File ? rename(one, value.seed + index) : one] as const
      );
      return await writeFields([...HOSTILE_NAMES.map((name) => [name, "x"] as const), ...renamed]);
    }
  }
}

async function writeFields(fields: Fields): Promise<string> {
  let text = "";
  for (const [name, value] of fields) {
    const isFile = value instanceof File;
    const file = isFile ? `; filename="${quoted(value.name)}"\r\nContent-Type: ${value.type}` : "";
    text += `--b\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}\r\n\r\n`;
    text += `${wellFormed(isFile ? await value.text() : textOf(value))}\r\n`;
  }
  return `${text}--b--\r\n`;
}

/** A name as browsers write it. */
function quoted(name: string): string {
  return wellFormed(name).replace(/["\r\n]/g, encodeURIComponent);
}

function rename(file: File, seed: number): File {
  const name = HOSTILE_FILE_NAMES[seed % HOSTILE_FILE_NAMES.length];
  return new File([file], `${name}`, { type: file.type });
}

/** Names of fields that nobody declares. */
const HOSTILE_NAMES = ["__proto__", "constructor", "a[b][__proto__]", ""];

/** Names of files that lead out of a directory, or that a file system does not have. */
const HOSTILE_FILE_NAMES = [
  "../../etc/passwd",
  "/etc/passwd",
  "..\\a.exe",
  "a\0.png",
  "",
  "..",
  ".htaccess",
  "con.txt",
  'a"b\r\nc: d.png',
  "%2e%2e%2fa",
  /* @__PURE__ */ "x".repeat(300),
  "\u202egnp.exe",
];
