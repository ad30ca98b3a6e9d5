/** After how many seconds without a request a session ends. */
export const IDLE = 4;

/** The limit beside that of the service. */
export const LIMITED = { quota: 50, window: 20 };

/** The limit of `examples/service` for one address. */
export const OF_SERVICE = { quota: 20, window: 60 };
