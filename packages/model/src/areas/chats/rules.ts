import { addWorkingMinutes, type WorkingTime } from '../../workingTime.ts'

/** Chats of which it is asked at once who looks at them. */
export const MOST_LOOKED = 200

/** Whether it is open at the moment, and else when it opens; all in milliseconds. */
export function opening(at: number, time: WorkingTime): { open: boolean; opensAt: number | null } {
  const next = addWorkingMinutes(at, 0, time)
  return { open: next === at, opensAt: next === at ? null : (next ?? null) }
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
