/**
 * Selection of the checks in a run. Of the scenarios a seventh, others each day, and some every day. Of the pages a quarter, in
 * one scheme at one width, another one each time; of the declared states an eighth, and of the pages of other roles a
 * quarter, others each day, so that sixteen days cover all. Of the controls on what is opened a fortieth is pressed, another one each
 * time. `npm test -- long` checks all at once.
 */
import { hash, isTurnOf } from '@ordinator/model/testing/turns'

export type Look = `${'wide' | 'narrow'} ${'light' | 'dark'}`
export const looks = ['wide light', 'wide dark', 'narrow dark', 'narrow light'] as const satisfies readonly Look[]
/** Each scheme and each width once. */
export const fewLooks: readonly Look[] = ['wide light', 'narrow dark']

/** Days that cover all pages once. */
export const PAGE_DAYS = 4
/** Days that cover all declared states, and those that cover all pages of the other roles. */
export const STATE_DAYS = 8
export const ROLE_DAYS = 4

/** Turns of a page or state that press each of its controls once. */
export const PRESS_TURNS = 40

/** Whether a control is pressed in the turn of its page, which comes once in so many days. */
export const isPressed = (key: string, kind: string, day: number, days: number): boolean =>
  isTurnOf(`${key} ${kind}`, Math.floor(day / days), PRESS_TURNS)

/** Days that cover all scenarios. */
export const SCENARIO_DAYS = 7
/** Files of scenarios that every run performs: the main work of a clinic. */
export const EVERY_DAY: ReadonlySet<string> = new Set(
  ['look', 'signIn', 'shell', 'menu', 'palette', 'customers', 'money'].map((name) => `${name}.e2e.ts`),
)

/** Files of scenarios, of these, that belong to another day. */
export const scenariosOfAnotherDay = (files: readonly string[], day: number): string[] =>
  files.filter((file) => !EVERY_DAY.has(file) && !isTurnOf(file, day, SCENARIO_DAYS))

/** One variant of a page, another one each time it has its turn: sixteen days show all. */
export const oneLook = (page: string, day: number): readonly Look[] => [
  looks[(hash(page) + Math.floor(day / PAGE_DAYS)) % looks.length] as Look,
]
