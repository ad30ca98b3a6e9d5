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
  const days = value / 86_400;
  if (days > 7) requireWhole(days, `${name} is in seconds, and more than a week: its days`, most / 86_400);
}
