/** How many bytes a client must send or read within `MAX_STALL`. */
export const STALL_BYTES = 64 * 1024;

/**
 * How long a client may take for them, in milliseconds. This requires about 1 KiB per second. What a slower client
 * holds, such as an open file, is given back.
 */
export const MAX_STALL = 60_000;
