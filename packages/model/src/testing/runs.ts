/**
 * How often a property is tried: a few times in each run of the suite, and many times when that is asked for
 * (`npm test -- long`). Each run draws new examples, so that few rounds a day are many in a month.
 */
export const runs = (short: number, long: number): number => (process.env.TEST_LONG ? long : short)
