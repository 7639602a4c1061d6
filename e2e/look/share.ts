/**
 * Selection of the checks in a run. Of the scenarios a third, others each day, and some every day. Every page is checked in
 * each run, in one scheme at one width, another one each day; of the declared states a sixth, and of the pages of other
 * roles a third, others each day, so that six days cover all. `npm test -- long` checks all at once.
 */
export type Look = `${'wide' | 'narrow'} ${'light' | 'dark'}`
export const looks = ['wide light', 'wide dark', 'narrow dark', 'narrow light'] as const satisfies readonly Look[]
/** Each scheme and each width once. */
export const fewLooks: readonly Look[] = ['wide light', 'narrow dark']

const DAY_MS = 24 * 60 * 60_000
/** Days that cover all declared states, and those that cover all pages of the other roles. */
export const STATE_DAYS = 6
export const ROLE_DAYS = 3

/** Days that cover all scenarios. */
export const SCENARIO_DAYS = 3
/** Files of scenarios that every run performs: what a clinic lives by. */
export const EVERY_DAY: ReadonlySet<string> = new Set(
  [
    'look',
    'signIn',
    'shell',
    'firstWeek',
    'jobs',
    'jobsBack',
    'customers',
    'money',
    'laboratory',
    'moving',
    'numbers',
  ].map((name) => `${name}.e2e.ts`),
)

/** The seed of the selection: `LOOK_SEED`, default: the day. */
export const seed = (): number => Number(process.env.LOOK_SEED ?? Math.floor(Date.now() / DAY_MS))

/** Whether the run checks this one of many that take turns over so many days. */
export const isTurnOf = (name: string, day: number, days: number): boolean => (hash(name) + day) % days === 0

/** Files of scenarios, of these, that belong to another day. */
export const scenariosOfAnotherDay = (files: readonly string[], day: number): string[] =>
  files.filter((file) => !EVERY_DAY.has(file) && !isTurnOf(file, day, SCENARIO_DAYS))

/** One variant of a page, another one each day: four days show all. */
export const oneLook = (page: string, day: number): readonly Look[] => [
  looks[(hash(page) + day) % looks.length] as Look,
]

function hash(text: string): number {
  let sum = 0
  for (const char of text) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003
  return sum
}
