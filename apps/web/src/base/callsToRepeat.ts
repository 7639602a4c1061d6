import { withCurrentMinute, withoutMinute } from './minute.ts'

const MAX_CALLS = 24
/** Typed text is not stored in the browser; a moment is not requested again, unless it is the start of a day. */
const PASSING = /like\]=|\d{4}-\d\d-\d\dT(?!\d\d(?::|%3A)00(?::|%3A)00(?:\.0+)?Z)/
const OF_A_DAY = /\d{4}-\d\d-\d\d/

/** Which calls of a page load to repeat early next time; those relative to now are updated to now. */
export const callsToRemember = (calls: Iterable<string>): string[] =>
  [...calls]
    .map(withoutMinute)
    .filter((path) => !PASSING.test(path))
    .slice(0, MAX_CALLS)

/** The calls to repeat. @param sameDay they were made today */
export const callsToRepeat = (calls: readonly string[], sameDay: boolean): string[] =>
  calls.filter((path) => sameDay || !OF_A_DAY.test(path)).map(withCurrentMinute)
