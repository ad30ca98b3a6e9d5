/**
 * Rejects an option that is not a whole number within bounds.
 *
 * @param value The value of the option.
 * @param name The option as messages name it: `Option quota of limit`.
 * @param most The greatest number that is allowed.
 * @param least The least number that is allowed.
 * @throws A `TypeError` if the option is rejected. The message has the value, and says if it is a string, as the value
 * of an environment variable is.
 */
export function requireWhole(value: number, name: string, most: number, least = 1): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    const received = typeof value === "string" ? `${value}, a string` : String(value);
    throw new TypeError(`${name} must be a whole number from ${least} to ${most}: received ${received}`);
  }
}

/**
 * Rejects an option that is not a whole number of seconds within bounds. More than a week must be whole days: half an
 * hour in milliseconds, 1,800,000, would be 20 days and 20 hours.
 *
 * @param value The value of the option.
 * @param name The option as messages name it: `Option idle of createSessions`.
 * @param most The greatest number that is allowed.
 * @throws A `TypeError` if the option is rejected.
 */
export function requireSeconds(value: number, name: string, most: number): void {
  requireWhole(value, name, most);
  if (value <= 7 * 86_400 || value % 86_400 === 0) return;
  const hint = value % 1000 === 0 ? `. If these are milliseconds, write ${value / 1000}` : "";
  throw new TypeError(
    `${name} must be seconds, and beyond a week whole days (a multiple of 86400): received ${value}${hint}`,
  );
}
