/** How a patient signs in, and whose data a relative may see. Pure, on both sides. */
import type { relationKinds } from '../customers/customer.ts'

export const CODE_DIGITS = 6
export const CODE_MINUTES = 5
export const CODE_TRIES = 5
/** Codes to one phone within a day; whoever asks for more is answered the same, and gets none. */
export const CODES_A_DAY = 5
export const LINK_HOURS = 24

/** How patients sign in. */
export const signInWays = { code: 'Кодом из СМС', link: 'По личной ссылке от клиники' } as const
export type SignInWay = keyof typeof signInWays

/** What patients may do by themselves, besides looking. */
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

/** From this age on a person decides alone, and a parent's word is no longer enough. */
const ADULT = 18

export interface Representation {
  relation: keyof typeof relationKinds
  signs: 'yes' | 'no'
  /** `YYYY-MM-DD`, counts; null: for good. */
  dateTo: string | null
  /** Of who is represented, `YYYY-MM-DD`. */
  birthday: string | null
}

/**
 * Whether who represents somebody sees that person's data on this day: who signs for them, within the term of the
 * document; parents until their child is of age.
 */
export function mayRepresent({ relation, signs, dateTo, birthday }: Representation, today: string): boolean {
  if (signs !== 'yes' || (dateTo !== null && dateTo < today)) return false
  if (relation === 'guardian' || relation === 'trustee' || relation === 'proxy') return true
  if (relation !== 'mother' && relation !== 'father') return false
  return birthday !== null && birthday > yearsBefore(today, ADULT)
}

const yearsBefore = (day: string, years: number): string =>
  `${String(Number(day.slice(0, 4)) - years).padStart(4, '0')}${day.slice(4)}`
