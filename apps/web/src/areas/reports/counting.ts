import { part } from '#kit/chunk.ts'

/** In place of figures that the background counts: see CountingRun.tsx. Few pages ever show it. */
export const CountingRun = part(() => import('./CountingRun.tsx'))

/** How often a page asks for figures that the background counts, in milliseconds; false: it does not. */
export const countingEvery = ({ state }: { state: { data: unknown } }) =>
  (state.data as { run?: number } | undefined)?.run === undefined ? false : 3_000
