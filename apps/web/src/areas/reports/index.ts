/** Public parts of the reports area. */
export { CountingRun, countingEvery } from './BackgroundRun.tsx'
export { Change } from './Change.tsx'
