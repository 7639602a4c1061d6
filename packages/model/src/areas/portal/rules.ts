/** Sign-in of patients, and access of relatives. Pure, shared by client and server. */
import type { relationKinds } from '../customers/customer.ts'

export const CODE_DIGITS = 6
export const CODE_MINUTES = 5
export const CODE_TRIES = 5
/** Codes per phone and day; further requests get the same response but no code. */
export const CODES_A_DAY = 5
export const LINK_HOURS = 24

/** Ways to sign in. */
export const signInWays = { code: 'Кодом из СМС', link: 'По личной ссылке от клиники' } as const
export type SignInWay = keyof typeof signInWays

/** Self-service actions of patients, besides viewing. */
export const portalActions = {
  confirm: 'Подтверждать визит',
  cancel: 'Отменять визит',
  chat: 'Писать в клинику',
  doctor: 'Спрашивать врача платно',
  book: 'Записываться онлайн',
  move: 'Переносить визит',
  pay: 'Платить онлайн',
  papers: 'Читать осмотры, планы и согласия',
  sign: 'Согласовать планы и подписывать согласия кодом',
} as const
export type PortalAction = keyof typeof portalActions

/** Age of majority: a parent's access ends. */
const ADULT = 18

export interface Representation {
  relation: keyof typeof relationKinds
  signs: 'yes' | 'no'
  /** `YYYY-MM-DD`, inclusive; null: open-ended. */
  dateTo: string | null
  /** Birthday of the represented person, `YYYY-MM-DD`. */
  birthday: string | null
}

/**
 * True when the representative may see the person's data on this day: with the right to sign, within the document's
 * term; parents until their child is of age.
 */
export function mayRepresent({ relation, signs, dateTo, birthday }: Representation, today: string): boolean {
  if (signs !== 'yes' || (dateTo !== null && dateTo < today)) return false
  if (relation === 'guardian' || relation === 'trustee' || relation === 'proxy') return true
  if (relation !== 'mother' && relation !== 'father') return false
  return birthday !== null && birthday > yearsBefore(today, ADULT)
}

const yearsBefore = (day: string, years: number): string =>
  `${String(Number(day.slice(0, 4)) - years).padStart(4, '0')}${day.slice(4)}`
