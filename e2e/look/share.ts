/**
 * Which looks a run takes. Every page is looked at in each run; of the states that pages declare, a third, another one
 * each day, so that three days see all. `npm test -- long` sees all at once.
 */
export type Look = `${'wide' | 'narrow'} ${'light' | 'dark'}`
export const looks = ['wide light', 'wide dark', 'narrow dark', 'narrow light'] as const satisfies readonly Look[]
/** Each scheme and each width once. */
export const fewLooks: readonly Look[] = ['wide light', 'narrow dark']

const DAY_MS = 24 * 60 * 60_000
const DAYS = 3

/** The number that chooses: `LOOK_SEED`, absent: the day. */
export const seed = (): number => Number(process.env.LOOK_SEED ?? Math.floor(Date.now() / DAY_MS))

/** Whether the run looks at this declared state. */
export const isTurnOf = (state: string, day: number): boolean => (hash(state) + day) % DAYS === 0

/** Of a page as a role that is not the walker's: one look, another one each day. */
export const oneLook = (page: string, day: number): readonly Look[] => [
  fewLooks[(hash(page) + day) % fewLooks.length] as Look,
]

/** All four looks of a page itself in the whole walk, else each scheme and each width once. */
export const pageLooks = (whole: boolean): readonly Look[] => (whole ? looks : fewLooks)

function hash(text: string): number {
  let sum = 0
  for (const char of text) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003
  return sum
}
