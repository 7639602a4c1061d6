/**
 * Checks that take turns over days, so that a run stays short and a few days perform all. `npm test -- long` performs all at
 * once.
 */
const DAY_MS = 24 * 60 * 60_000

/** The day that selects: `LOOK_SEED`, default: today's number since 1970 (UTC). */
export const seed = (): number => Number(process.env.LOOK_SEED ?? Math.floor(Date.now() / DAY_MS))

/** Whether the day performs this one of many that take turns over so many days. */
export const isTurnOf = (name: string, day: number, days: number): boolean => (hash(name) + day) % days === 0

/** A stable number of a name, for selections by day. */
export function hash(text: string): number {
  let sum = 0
  for (const char of text) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003
  return sum
}

/** Days that perform all suites of `SUITES`. */
export const SUITE_DAYS = 3

/**
 * Suites of the server that take turns, one group a day, each about as long: they start and kill whole servers, or go over
 * every entity or call, and took a fifth of a run. What every file tests of its own area runs every day, as do the kills of
 * payments.
 */
export const SUITES: readonly (readonly string[])[] = [
  [
    'areas/laboratory/killed',
    'areas/upkeep/backups',
    'jobsAtRest',
    'platform/postgres/postgres',
    'platform/startErrors',
    'records/contract',
    'records/sanitize',
    'upgrade',
  ],
  [
    'areas/files/rights',
    'areas/portal/crashes',
    'areas/customers/sealedEverywhere',
    'areas/tasks/sight',
    'areas/visits/crashes',
    'calls',
    'commands/backup',
    'processes',
    'records/contractSecond',
    'roles',
  ],
  [
    'areas/filials/branchesEverywhere',
    'areas/moving/moving',
    'areas/moving/moving.property',
    'areas/moving/movingAgain',
    'areas/tasks/rightsOfWriting',
    'areas/tasks/rightsTable',
    'areas/warehouse/killed',
    'platform/replica',
    'records/absent',
    'records/contractThird',
    'slowStart',
    'stops',
  ],
].map((group) => group.map((name) => `apps/server/src/${name}.test.ts`))

/** Suites that belong to another day. */
export const suitesOfAnotherDay = (day: number): readonly string[] =>
  SUITES.filter((_, turn) => (turn + day) % SUITE_DAYS !== 0).flat()
