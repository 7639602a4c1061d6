/**
 * Number of runs of a property test: a few in each run of the suite, many on request (`npm test -- long`). Each run
 * generates new examples, so that few per run become many over time.
 */
export const runs = (short: number, long: number): number => (process.env.TEST_LONG ? long : short)
