/** Public parts of the calls area. */

export { type CallRow, callWords, useCallLinks } from './callLinks.ts'
export { useCallCounts } from './useCallCounts.ts'
export { useDial } from './useDial.ts'
