import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { signaturesAccess } from './access.ts'

export const certificateKinds = {
  qualified: 'УКЭП',
  unqualified: 'УНЭП',
  test: 'Тестовая подпись',
} as const
export type CertificateKind = keyof typeof certificateKinds

/** Purposes of a certificate. */
export const certificatePurposes = {
  doctor: 'Врач',
  organization: 'Организация',
  commission: 'Врачебная комиссия',
} as const
export type CertificatePurpose = keyof typeof certificatePurposes

/** Days before expiry of the first and the last warning. */
export const WARN_DAYS = [30, 7] as const

export const certificateStates = {
  valid: 'Действует',
  soon: 'Скоро закончится',
  ended: 'Закончился',
  early: 'Ещё не действует',
} as const
export type CertificateState = keyof typeof certificateStates

const DAY_MS = 86_400_000

/** @param now milliseconds */
export function certificateState(
  { dateFrom, dateTo }: { dateFrom: string; dateTo: string },
  now: number,
): CertificateState {
  if (Date.parse(dateTo) <= now) return 'ended'
  if (Date.parse(dateFrom) > now) return 'early'
  return Date.parse(dateTo) - now <= WARN_DAYS[0] * DAY_MS ? 'soon' : 'valid'
}

/** Whole days left; negative after expiry. @param now milliseconds */
export const daysLeft = (dateTo: string, now: number): number => Math.floor((Date.parse(dateTo) - now) / DAY_MS)

/** The due warning for the days left; 0: none. */
export const warningOf = (days: number): number => [...WARN_DAYS].reverse().find((most) => days <= most) ?? 0

/** True for a certificate's SHA-1 as КриптоПро writes it: 40 upper-case hexadecimal digits. */
export const isThumbprint = (value: string): boolean => /^[\dA-F]{40}$/.test(value)

/** Bytes of a file for a manual signature check. */
export const MAX_CHECKED = 1_000_000

/**
 * A certificate of an employee or of the clinic. Parsed from the certificate file; its private key stays with its
 * owner.
 */
export const SignatureCertificate = entity('signatures/certificates', {
  label: ['Сертификат подписи', 'сертификата подписи', 'сертификатов подписи'],
  gender: 'm',
  registry: {
    columns: ['owner', 'purpose', 'kind', 'idUser', 'issuer', 'dateTo', 'active'],
    form: ['purpose', 'idUser', 'active'],
    empty: {
      title: 'Сертификатов пока нет',
      text: 'Добавьте сертификаты врачей и клиники: найдите их на этом компьютере.',
    },
  },
  fields: {
    owner: text({ label: 'Владелец', required: true, readonly: true, max: 300, search: true }),
    organization: text({ label: 'Организация', readonly: true, max: 300, search: true }),
    snils: text({ label: 'СНИЛС', readonly: true, max: 11 }),
    ogrn: text({ label: 'ОГРН', readonly: true, max: 15 }),
    inn: text({ label: 'ИНН', readonly: true, max: 12 }),
    issuer: text({ label: 'Удостоверяющий центр', required: true, readonly: true, max: 300, search: true }),
    serial: text({ label: 'Серийный номер', required: true, readonly: true, max: 64 }),
    thumbprint: text({ label: 'Отпечаток', required: true, readonly: true, max: 40, search: true }),
    kind: choice(certificateKinds, { label: 'Вид подписи', required: true, readonly: true }),
    dateFrom: dateTime({ label: 'Действует с', required: true, readonly: true }),
    dateTo: dateTime({ label: 'Действует по', required: true, readonly: true }),
    purpose: choice(certificatePurposes, { label: 'Назначение', required: true, default: 'doctor' }),
    idUser: ref('users', {
      label: 'Сотрудник',
      help: 'Чья это подпись; у подписи организации — кто ею подписывает',
      as: 'user',
      onDelete: 'set null',
    }),
    active: boolean({ label: 'Используется', default: true }),
    /** Days of the last warning sent: 30, 7; 0: none. */
    warned: integer({ label: 'Предупреждение за, дней', readonly: true, default: 0 }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  many: { powers: many('signatures/powers', 'idCertificate') },
  access: { view: signaturesAccess, update: 'manageSignatures', delete: 'manageSignatures' },
  unique: [['thumbprint']],
  title: 'owner',
  sort: 'dateTo,id',
  soft: true,
})

/**
 * МЧД: machine-readable power of attorney of an employee who signs for the clinic with a personal certificate. СФР and
 * the tax office require its number.
 */
export const PowerOfAttorney = entity('signatures/powers', {
  label: ['МЧД', 'МЧД', 'МЧД'],
  gender: 'f',
  registry: {
    columns: ['number', 'idCertificate', 'dateFrom', 'dateTo', 'powers'],
    form: ['number', 'dateFrom', 'dateTo', 'powers'],
    empty: { title: 'Доверенностей пока нет', text: 'Внесите номер машиночитаемой доверенности и сроки.' },
  },
  fields: {
    idCertificate: ref('signatures/certificates', {
      label: 'Сертификат',
      as: 'certificate',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    number: text({
      label: 'Номер',
      help: 'Единый регистрационный номер из реестра МЧД',
      required: true,
      max: 36,
      search: true,
      rule: (value) =>
        /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(value)
          ? undefined
          : 'Номер МЧД — 36 знаков: пять групп через дефис',
    }),
    dateFrom: date({ label: 'Действует с', required: true }),
    dateTo: date({ label: 'По', required: true }),
    powers: text({ label: 'Полномочия', max: 1000, multiline: true }),
    warned: integer({ label: 'Предупреждение за, дней', readonly: true, default: 0 }),
    dateCreate: dateTime({ label: 'Внесена', auto: 'created' }),
  },
  access: {
    view: signaturesAccess,
    create: 'manageSignatures',
    update: 'manageSignatures',
    delete: 'manageSignatures',
  },
  within: 'idCertificate',
  unique: [['idCertificate', 'number']],
  title: 'number',
  sort: '-dateTo,id',
  soft: true,
})

/** Result of a signature check. `unknown`: the server has no means to check it. */
export const signatureStates = {
  valid: 'Верна',
  invalid: 'Неверна',
  unknown: 'Не проверено',
} as const
export type SignatureState = keyof typeof signatureStates
