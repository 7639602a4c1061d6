import type { Channel, ConsentStatus, ConsentType } from './consent.ts'

/** From this age a patient consents to a medical intervention (323-ФЗ ст. 20, 54); under it a representative does. */
export const OWN_CONSENT_AGE = 15
/** The highest that a clinic may ask for: who is of age signs alone. */
export const MAX_CONSENT_AGE = 18

/** A consent as far as it decides; days are `YYYY-MM-DD`. */
export interface ConsentFacts {
  signedAt: string | null
  revokedAt: string | null
  validTo: string | null
}

/** What has become of a consent by the day `today`; the last day counts. The server's SQL says the same. */
export function statusOf({ signedAt, revokedAt, validTo }: ConsentFacts, today: string): ConsentStatus {
  if (revokedAt !== null) return 'revoked'
  if (signedAt === null) return 'draft'
  return validTo !== null && validTo < today ? 'expired' : 'signed'
}

/**
 * Whether somebody else signs for the patient. Of whose age nothing is known signs alone.
 * @param birthday DD.MM.YYYY @param day of the signature, YYYY-MM-DD @param age from which the clinic lets one sign
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

/** A representative of the card, as far as it decides. */
export interface RepresentativeFacts {
  signs: 'yes' | 'no'
  /** YYYY-MM-DD; the last day counts. */
  dateTo: string | null
}

/** Whether this representative may sign on the day. */
export const maySignFor = ({ signs, dateTo }: RepresentativeFacts, day: string): boolean =>
  signs === 'yes' && (dateTo === null || day <= dateTo)

/** Why it cannot be signed so, in Russian; undefined: it can. */
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

/** The last day of a consent signed on `day` for so many months, the day before the same date; null: without an end. */
export function lastDay(day: string, months: number): string | null {
  if (months === 0) return null
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const days = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, days)) - 86_400_000).toISOString().slice(0, 10)
}

/**
 * Whether the patient may be sent advertising this way on the day (38-ФЗ ст. 18): a consent to it is in force that
 * names the channel. Care itself (a visit, a result) asks for none.
 */
export const mayAdvertise = (
  consents: readonly (ConsentFacts & { type: ConsentType; channels: readonly Channel[] })[],
  channel: Channel,
  today: string,
): boolean =>
  consents.some((one) => one.type === 'ads' && one.channels.includes(channel) && statusOf(one, today) === 'signed')

/** The templates that everybody signs and of which the patient has none in force. */
export const missingTemplates = <T extends { id: number; isDefault: boolean }>(
  templates: readonly T[],
  consents: readonly (ConsentFacts & { idTemplate: number })[],
  today: string,
): T[] =>
  templates.filter(
    ({ id, isDefault }) =>
      isDefault && !consents.some((one) => one.idTemplate === id && statusOf(one, today) === 'signed'),
  )
