/** Milliseconds after which a job passes on to the next one, so that one lost in a crash is restarted soon. */
export const SLICE_MS = 60_000
/** Seconds without progress after which a worker counts as lost. */
export const LOST_AFTER = 180
