import { type Holiday, hoursOn, type WorkingHours } from '../../hours.ts'
import { dayIn, momentIn } from '../../zone.ts'

/** Days looked through for working hours: a branch that is shut for longer has none. */
const MAX_DAYS = 62
const DAY_MS = 86_400_000

/** When a branch works, by its own clock. Without a week it always does. */
export interface Working {
  week: WorkingHours | null
  days?: readonly Holiday[]
  timeZone: string
}

/** The working spans from a moment on, as milliseconds: each from the later of its opening and that moment. */
function* spansFrom(from: number, { week, days, timeZone }: Working): Generator<[number, number]> {
  if (!week) return yield [from, Number.POSITIVE_INFINITY]
  const first = Date.parse(`${dayIn(timeZone, from)}T00:00:00Z`)
  for (let at = 0; at < MAX_DAYS; at++) {
    const day = new Date(first + at * DAY_MS).toISOString().slice(0, 10)
    const hours = hoursOn(week, day, days)
    if (!hours) continue
    const start = Date.parse(momentIn(timeZone, day, hours.start))
    const next = new Date(first + (at + 1) * DAY_MS).toISOString().slice(0, 10)
    const end = Date.parse(
      hours.end === '24:00' ? momentIn(timeZone, next, '00:00') : momentIn(timeZone, day, hours.end),
    )
    if (end > from) yield [Math.max(start, from), end]
  }
}

/** The moment at which so many working minutes have passed; null: the branch does not open for so long. */
export function addWorking(from: number, minutes: number, working: Working): number | null {
  let left = minutes * 60_000
  for (const [start, end] of spansFrom(from, working)) {
    if (start + left <= end) return start + left
    left -= end - start
  }
  return null
}

/** Whole working seconds between two moments. */
export function workingSeconds(from: number, to: number, working: Working): number {
  let sum = 0
  for (const [start, end] of spansFrom(from, working)) {
    if (start >= to) break
    sum += Math.min(end, to) - start
  }
  return Math.round(sum / 1000)
}

/** Whether it is open at the moment, and else when it opens. */
export function opening(at: number, working: Working): { open: boolean; opensAt: number | null } {
  for (const [start] of spansFrom(at, working)) return { open: start === at, opensAt: start === at ? null : start }
  return { open: false, opensAt: null }
}

/** What the visitor has written and nobody of us has seen: never below zero. */
export const unreadOf = ({ inCount, readIn }: { inCount: number; readIn: number }): number =>
  Math.max(0, inCount - readIn)

/** How far we have read after reading up to number `no`: it only grows, and not past what there is. */
export const readTo = ({ inCount, readIn }: { inCount: number; readIn: number }, no: number): number =>
  Math.max(readIn, Math.min(no, inCount))

/** A name of a host as in an address: labels of letters, digits and hyphens, of any alphabet. */
export const isHost = (name: string): boolean =>
  /^(?=.{1,253}$)([\p{L}\d]([\p{L}\d-]{0,61}[\p{L}\d])?)(\.[\p{L}\d]([\p{L}\d-]{0,61}[\p{L}\d])?)*$/u.test(name)

const within = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)

/** The site that a host belongs to: of those whose domain it is or lies within, the one named most exactly. */
export const domainOf = <D extends { name: string }>(domains: readonly D[], host: string): D | undefined =>
  domains
    .filter(({ name }) => within(host.toLowerCase(), name.toLowerCase()))
    .sort((a, b) => b.name.length - a.name.length)[0]

/** What a canned reply may leave to the chat: `{имя}`. */
export const suggestionPlaces = ['имя', 'дата', 'филиал', 'телефон филиала'] as const
export type SuggestionPlace = (typeof suggestionPlaces)[number]

const PLACE = /\{([^{}\n]{1,40})\}/g

/** A canned reply with what is known in its places; what is not stays, and keeps it from being sent. */
export const filledReply = (text: string, known: Partial<Record<string, string>>): string =>
  text.replace(PLACE, (whole, place: string) => (Object.hasOwn(known, place) && known[place]) || whole)

/** A place of a canned reply that is still to be filled in. */
export const openPlace = (text: string): string | undefined =>
  [...text.matchAll(PLACE)].map(([, place = '']) => place).find((place) => suggestionPlaces.includes(place as never))

/** Answers of the robot in a chat; after so many a person is asked for. */
export const ROBOT_TURNS = 5
const ASKS_FOR_PERSON =
  /оператор|человек|администратор|жалоб|претензи|позовите|(^|\D)(103|112)(\D|$)|скорая|скорую|кровотеч|не дыш|теряет сознание/i

/**
 * What the robot answers; undefined: a person has to (asked for one, danger, a complaint, nothing that it knows, or it
 * has said enough).
 * @param said the visitor's words; empty: a file without words
 */
export function robotAnswer<S extends { words: string | null; text: string }>(
  said: string,
  turns: number,
  suggestions: readonly S[],
): S | undefined {
  if (turns >= ROBOT_TURNS || ASKS_FOR_PERSON.test(said)) return undefined
  const text = said.toLowerCase()
  return suggestions.find(({ words }) =>
    (words ?? '')
      .toLowerCase()
      .split(',')
      .some((word) => word.trim() !== '' && text.includes(word.trim())),
  )
}
