/** Public parts of the reports area. */
export { Change } from './Change.tsx'
export { CountingRun, countingEvery } from './counting.ts'
