/** The current minute, for counts relative to now: equal for all requests within it. ISO 8601 in UTC, `2026-11-26T12:34:00Z`. */
export const thisMinute = (): string => `${new Date().toISOString().slice(0, 16)}:00Z`

const MINUTE = /\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A00Z/g
const ANY = '{minute}'

/** The path of a call, with a placeholder instead of the minute. */
export const withoutMinute = (path: string): string => path.replace(MINUTE, ANY)

/** The same path with the current minute. */
export const withCurrentMinute = (path: string): string => path.replaceAll(ANY, encodeURIComponent(thisMinute()))
