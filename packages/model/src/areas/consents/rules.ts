import type { Channel, ConsentStatus, ConsentType } from './consent.ts'

/** Age from which a patient consents to a medical intervention (323-ФЗ ст. 20, 54); below it a representative does. */
export const OWN_CONSENT_AGE = 15
/** The highest age that a clinic may set: an adult always signs alone. */
export const MAX_CONSENT_AGE = 18

/** Facts that determine the status of a consent; days are `YYYY-MM-DD`. */
export interface ConsentFacts {
  signedAt: string | null
  revokedAt: string | null
  validTo: string | null
}

/** Status of a consent on the day `today`; the last day counts. The server's SQL must stay equal to this. */
export function statusOf({ signedAt, revokedAt, validTo }: ConsentFacts, today: string): ConsentStatus {
  if (revokedAt !== null) return 'revoked'
  if (signedAt === null) return 'draft'
  return validTo !== null && validTo < today ? 'expired' : 'signed'
}

/**
 * True when a representative has to sign. A patient of unknown age signs alone.
 * @param birthday DD.MM.YYYY @param day of the signature, YYYY-MM-DD @param age from which the clinic lets a patient
 * sign
 */
export function needsRepresentative(
  birthday: string | null | undefined,
  day: string,
  age: number = OWN_CONSENT_AGE,
): boolean {
  const [date, month, year] = (birthday ?? '').split('.')
  if (!date || !month || !year) return false
  return `${Number(year) + age}-${month}-${date}` > day
}

/** Facts that determine whether a representative may sign. */
export interface RepresentativeFacts {
  signs: 'yes' | 'no'
  /** YYYY-MM-DD; the last day counts. */
  dateTo: string | null
}

/** True when this representative may sign on the day. */
export const maySignFor = ({ signs, dateTo }: RepresentativeFacts, day: string): boolean =>
  signs === 'yes' && (dateTo === null || day <= dateTo)

/** Error of a signature, in Russian; undefined: it is allowed. */
export function signRefusal(
  birthday: string | null | undefined,
  representative: RepresentativeFacts | null,
  day: string,
  age: number = OWN_CONSENT_AGE,
): string | undefined {
  if (!representative)
    return needsRepresentative(birthday, day, age)
      ? `Клиенту нет ${age} лет: подписывает представитель, выберите его`
      : undefined
  if (representative.signs !== 'yes')
    return 'Этот представитель не подписывает за клиента: отметьте это во вкладке «Представители»'
  return maySignFor(representative, day) ? undefined : 'Полномочия этого представителя истекли'
}

/** Last day of a consent signed on `day` for this many months: the day before the same date; null: open-ended. */
export function lastDay(day: string, months: number): string | null {
  if (months === 0) return null
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const days = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, days)) - 86_400_000).toISOString().slice(0, 10)
}

/**
 * True when the patient may get advertising by this channel on the day (38-ФЗ ст. 18): needs a consent in force that
 * names the channel. Messages about care (a visit, a result) need none.
 */
export const mayAdvertise = (
  consents: readonly (ConsentFacts & { type: ConsentType; channels: readonly Channel[] })[],
  channel: Channel,
  today: string,
): boolean =>
  consents.some((one) => one.type === 'ads' && one.channels.includes(channel) && statusOf(one, today) === 'signed')

/** Templates required of everybody for which the patient has no consent in force. */
export const missingTemplates = <T extends { id: number; isDefault: boolean }>(
  templates: readonly T[],
  consents: readonly (ConsentFacts & { idTemplate: number })[],
  today: string,
): T[] =>
  templates.filter(
    ({ id, isDefault }) =>
      isDefault && !consents.some((one) => one.idTemplate === id && statusOf(one, today) === 'signed'),
  )
