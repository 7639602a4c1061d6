import { addWorkingMinutes, type WorkingTime } from '../../workingTime.ts'

/** Maximum chats per presence request. */
export const MOST_LOOKED = 200

/** True when open at the moment, else the next opening; all in milliseconds. */
export function opening(at: number, time: WorkingTime): { open: boolean; opensAt: number | null } {
  const next = addWorkingMinutes(at, 0, time)
  return { open: next === at, opensAt: next === at ? null : (next ?? null) }
}

/** Visitor's messages not read by the clinic; never negative. */
export const unreadOf = ({ inCount, readIn }: { inCount: number; readIn: number }): number =>
  Math.max(0, inCount - readIn)

/** Position read after reading up to message `no`: never moves back, nor past the last message. */
export const readTo = ({ inCount, readIn }: { inCount: number; readIn: number }, no: number): number =>
  Math.max(readIn, Math.min(no, inCount))

/** True for a host name: labels of letters, digits and hyphens, in any alphabet. */
export const isHost = (name: string): boolean =>
  /^(?=.{1,253}$)([\p{L}\d]([\p{L}\d-]{0,61}[\p{L}\d])?)(\.[\p{L}\d]([\p{L}\d-]{0,61}[\p{L}\d])?)*$/u.test(name)

const within = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)

/** Site of a host: the most specific domain that equals or contains it. */
export const domainOf = <D extends { name: string }>(domains: readonly D[], host: string): D | undefined =>
  domains
    .filter(({ name }) => within(host.toLowerCase(), name.toLowerCase()))
    .sort((a, b) => b.name.length - a.name.length)[0]

/** Placeholders of a canned reply: `{имя}`. */
export const suggestionPlaces = ['имя', 'дата', 'филиал', 'телефон филиала'] as const
export type SuggestionPlace = (typeof suggestionPlaces)[number]

const PLACE = /\{([^{}\n]{1,40})\}/g

/** Replaces the known placeholders of a canned reply; an unknown one stays and blocks sending. */
export const filledReply = (text: string, known: Partial<Record<string, string>>): string =>
  text.replace(PLACE, (whole, place: string) => (Object.hasOwn(known, place) && known[place]) || whole)

/** The first unfilled placeholder of a canned reply. */
export const openPlace = (text: string): string | undefined =>
  [...text.matchAll(PLACE)].map(([, place = '']) => place).find((place) => suggestionPlaces.includes(place as never))

/** Limit of the robot's answers in a chat; then an operator is called. */
export const ROBOT_TURNS = 5
const ASKS_FOR_PERSON =
  /оператор|человек|администратор|жалоб|претензи|позовите|(^|\D)(103|112)(\D|$)|скорая|скорую|кровотеч|не дыш|теряет сознание/i

/**
 * The robot's answer; undefined: an operator is needed (requested, danger, a complaint, no matching reply, or the limit
 * is reached).
 * @param message the visitor's words; empty: a file without text
 */
export function robotAnswer<S extends { words: string | null; text: string }>(
  message: string,
  turns: number,
  suggestions: readonly S[],
): S | undefined {
  if (turns >= ROBOT_TURNS || ASKS_FOR_PERSON.test(message)) return undefined
  const text = message.toLowerCase()
  return suggestions.find(({ words }) =>
    (words ?? '')
      .toLowerCase()
      .split(',')
      .some((word) => word.trim() !== '' && text.includes(word.trim())),
  )
}
