const MAX_CALLS = 8
/** What a person has typed is not kept in the browser, and a moment in time is never asked for again. */
const PASSING = /like\]=|\d{4}-\d\d-\d\dT/

/** Which calls of an opening are worth asking at once the next time. */
export const lastingCalls = (calls: Iterable<string>): string[] =>
  [...calls].filter((path) => !PASSING.test(path)).slice(0, MAX_CALLS)
