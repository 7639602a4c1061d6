/** Pools of connections and their sizes. */

/** Connections per server process and the least that a pool works with, and the statement timeout in milliseconds. */
export const LANES = {
  main: { size: 12, least: 3, timeout: 30_000 },
  reads: { size: 16, least: 3, timeout: 10_000 },
  costly: { size: 2, least: 1, timeout: 10_000 },
  kept: { size: 4, least: 1, timeout: 5_000 },
  health: { size: 1, least: 1, timeout: 5_000 },
  /** Replaces the four above for clients that are not signed in (strangers.ts); more than run at once (admitRequests.ts). */
  strangers: { size: 8, least: 2, timeout: 10_000 },
  events: { size: 3, least: 1, timeout: 10_000 },
  filters: { size: 3, least: 1, timeout: 500 },
}
export type LaneName = keyof typeof LANES
const total = (of: 'size' | 'least') => Object.values(LANES).reduce((sum, lane) => sum + lane[of], 0)
/** Connections of a process outside the pools: the job queue's, LISTEN, exports and files loaded by COPY. */
const OUTSIDE = 8
/** The smallest `DB_CONNECTIONS`. */
export const LEAST_CONNECTIONS = total('least') + OUTSIDE

/** Connections that a process may open, with those outside the pools. @param budget `DB_CONNECTIONS` */
export const connectionsOf = (budget: number | undefined): number =>
  OUTSIDE + Object.values(laneSizes(budget)).reduce((sum, size) => sum + size, 0)

/**
 * Sizes of the pools: at a budget their usual ones in proportion, none below its least. Their sum keeps the budget.
 * @param budget `DB_CONNECTIONS`, at least LEAST_CONNECTIONS; undefined: the usual sizes
 */
export function laneSizes(budget: number | undefined): Record<LaneName, number> {
  const names = Object.keys(LANES) as LaneName[]
  const spare = Math.max(0, (budget ?? total('size') + OUTSIDE) - LEAST_CONNECTIONS)
  const share = Math.min(1, spare / (total('size') - total('least')))
  const sizeOf = ({ size, least }: (typeof LANES)[LaneName]) => least + Math.floor((size - least) * share)
  return Object.fromEntries(names.map((name) => [name, sizeOf(LANES[name])])) as Record<LaneName, number>
}
