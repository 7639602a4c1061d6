/**
 * Selection of the checks in a run. Every page is checked in each run; of the declared states a quarter, another one each
 * day, so that four days cover all. `npm test -- long` checks all at once.
 */
export type Look = `${'wide' | 'narrow'} ${'light' | 'dark'}`
export const looks = ['wide light', 'wide dark', 'narrow dark', 'narrow light'] as const satisfies readonly Look[]
/** Each scheme and each width once. */
export const fewLooks: readonly Look[] = ['wide light', 'narrow dark']

const DAY_MS = 24 * 60 * 60_000
const DAYS = 4

/** The seed of the selection: `LOOK_SEED`, default: the day. */
export const seed = (): number => Number(process.env.LOOK_SEED ?? Math.floor(Date.now() / DAY_MS))

/** Whether the run checks this declared state. */
export const isTurnOf = (state: string, day: number): boolean => (hash(state) + day) % DAYS === 0

/** Variants of a page for a role other than the main one: one, another one each day. */
export const oneLook = (page: string, day: number): readonly Look[] => [
  fewLooks[(hash(page) + day) % fewLooks.length] as Look,
]

/** All four variants of a page in a full run, else each scheme and each width once. */
export const pageLooks = (whole: boolean): readonly Look[] => (whole ? looks : fewLooks)

function hash(text: string): number {
  let sum = 0
  for (const char of text) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003
  return sum
}
