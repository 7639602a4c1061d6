import { asOfThisMinute, withoutMinute } from './minute.ts'

const MAX_CALLS = 24
/** What a person has typed is not kept in the browser; a moment in time is never asked for again, unless a day begins at it. */
const PASSING = /like\]=|\d{4}-\d\d-\d\dT(?!\d\d(?::|%3A)00(?::|%3A)00(?:\.0+)?Z)/
const OF_A_DAY = /\d{4}-\d\d-\d\d/

/** Which calls of an opening are worth asking at once the next time; what is asked as of now is so again. */
export const lastingCalls = (calls: Iterable<string>): string[] =>
  [...calls]
    .map(withoutMinute)
    .filter((path) => !PASSING.test(path))
    .slice(0, MAX_CALLS)

/** What of them is asked again. @param sameDay they were asked today */
export const callsAgain = (calls: readonly string[], sameDay: boolean): string[] =>
  calls.filter((path) => sameDay || !OF_A_DAY.test(path)).map(asOfThisMinute)
