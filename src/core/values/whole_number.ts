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
  requireNumber(
    Number.isInteger(value) && value >= least && value <= most,
    value,
    () => `${name} must be a whole number from ${least} to ${most}`,
  );
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
  requireNumber(
    value <= 7 * DAY || value % DAY === 0,
    value,
    () => `${name} must be seconds, not milliseconds. More than a week must be whole days, such as 30 * ${DAY}`,
  );
}

const DAY = 86_400;

function requireNumber(holds: boolean, value: number, describe: () => string): void {
  if (holds) return;
  throw new TypeError(`${describe()}: received ${typeof value === "string" ? `${value}, a string` : String(value)}`);
}
