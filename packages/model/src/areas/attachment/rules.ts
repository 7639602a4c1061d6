/** Attachment rules and the terms for an answer. Pure, shared by client and server; days are `YYYY-MM-DD`. */
import type { FieldError } from '../../check.ts'
import { enpPerson, schemes } from '../../identifiers.ts'
import { addWorkingDays, type WorkingCalendar, type WorkingTime, workingMinutesBetween } from '../../workingTime.ts'
import { dayIn, momentIn, plusDays } from '../../zone.ts'
import { yearsOn } from '../customers/age.ts'
import type { areaKinds, houseSides } from './area.ts'

export const careTypes = {
  therapy: 'Терапия',
  pediatrics: 'Педиатрия',
  gynecology: 'Гинекология',
  dentistry: 'Стоматология',
} as const
export type CareType = keyof typeof careTypes
export type AreaKind = keyof typeof areaKinds

/** Kinds of areas that serve a care type; a family doctor covers the therapist's and the pediatrician's. */
export const kindsOf: Readonly<Record<CareType, readonly AreaKind[]>> = {
  therapy: ['therapy', 'family'],
  pediatrics: ['pediatrics', 'family'],
  gynecology: ['gynecology'],
  dentistry: ['dentistry'],
}

export const sources = { gosuslugi: 'Госуслуги', site: 'Сайт', app: 'Приложение', desk: 'Регистратура' } as const
export const bases = { registration: 'По регистрации', residence: 'По месту проживания', choice: 'По выбору' } as const

export const applicationStatuses = {
  new: 'Новое',
  check: 'На проверке',
  needInfo: 'Запрос сведений',
  approved: 'Одобрено',
  sent: 'Отправлено в ТФОМС',
  attached: 'Прикреплён',
  refused: 'Отказ',
  withdrawn: 'Отозвано',
} as const
export type ApplicationStatus = keyof typeof applicationStatuses

export type ApplicationStep = 'check' | 'ask' | 'answer' | 'approve' | 'send' | 'attach' | 'refuse' | 'withdraw'
/** Transitions: allowed source states, the target state, and the error otherwise (screens.md §7). */
export const applicationSteps: Readonly<
  Record<ApplicationStep, { from: readonly ApplicationStatus[]; to: ApplicationStatus; else: string }>
> = {
  check: { from: ['new'], to: 'check', else: 'На проверку берут новое заявление' },
  ask: { from: ['check'], to: 'needInfo', else: 'Сведения запрашивают по заявлению на проверке' },
  answer: { from: ['needInfo'], to: 'check', else: 'Ответа по этому заявлению не ждут' },
  approve: { from: ['check'], to: 'approved', else: 'Одобряют заявление на проверке' },
  send: { from: ['approved'], to: 'sent', else: 'В ТФОМС отправляют одобренное заявление' },
  attach: {
    from: ['approved', 'sent'],
    to: 'attached',
    else: 'Прикрепляют по одобренному или отправленному заявлению',
  },
  refuse: { from: ['check', 'sent'], to: 'refused', else: 'Отказывают по заявлению на проверке или отправленному' },
  withdraw: {
    from: ['new', 'check', 'needInfo', 'approved'],
    to: 'withdrawn',
    else: 'Отозвать можно, пока заявление не отправлено в ТФОМС',
  },
}

/** True while the clinic has still to answer. */
export const isWaiting = (status: ApplicationStatus): boolean => ['new', 'check', 'needInfo'].includes(status)

/** Working minutes before the deadline from which an application is red. */
export const RED_MINUTES = 240

/**
 * The deadline of an answer: the end of the last working day of the term.
 * @param at moment of filing @param days working days from the clinic's settings
 * @param time hours of the branch; a day without hours lasts to midnight
 */
export function dueAt(
  at: string,
  days: number,
  calendar: WorkingCalendar,
  time: WorkingTime,
): { dueOn: string; dueAt: string } {
  const dueOn = addWorkingDays(dayIn(time.timeZone, Date.parse(at)), days, calendar)
  const end = time.hoursOn(dueOn)?.end ?? '24:00'
  return {
    dueOn,
    dueAt: end === '24:00' ? momentIn(time.timeZone, plusDays(dueOn, 1), '00:00') : momentIn(time.timeZone, dueOn, end),
  }
}

/** The moment from which fewer than `RED_MINUTES` working minutes are left until the deadline. @param from moment of filing, ISO */
export function redAt(due: string, from: string, time: WorkingTime): string {
  const end = Date.parse(due)
  const isRed = (at: number) => workingMinutesBetween(at, end, time) < RED_MINUTES
  let [calm, red] = [Date.parse(from), end]
  if (isRed(calm)) return from
  while (red - calm > 1_000) {
    const middle = Math.floor((calm + red) / 2)
    if (isRed(middle)) red = middle
    else calm = middle
  }
  return new Date(red).toISOString()
}

export type Urgency = 'late' | 'red' | 'calm'
export const urgencyOf = (due: string, now: number, time: WorkingTime): Urgency => {
  const at = Date.parse(due)
  if (at <= now) return 'late'
  return workingMinutesBetween(now, at, time) < RED_MINUTES ? 'red' : 'calm'
}

/** Words for the kind of street: «ул. Ленина», «улица Ленина» and «Ленина» are equal. */
const KINDS =
  /(^|[\s,.])(улица|ул|проспект|просп|пр-кт|пр-т|пр|переулок|пер|бульвар|б-р|бул|площадь|пл|шоссе|ш|набережная|наб|проезд|пр-д|тупик|туп|линия|аллея|мкр|микрорайон|квартал|кв-л)\.?(?=[\s,.]|$)/giu

/** A street normalized for comparison: its words in order, without the kind of street. */
export const streetKey = (street: string): string =>
  street
    .toLocaleLowerCase('ru')
    .replaceAll('ё', 'е')
    .replace(KINDS, '$1 ')
    .replace(/[^\p{L}\p{N}-]+/gu, ' ')
    .trim()

/** House number as used in areas: «57к2» and «57/1» are 57; undefined: none is given. */
export const houseNumber = (house: string): number | undefined => {
  const found = /\d+/.exec(house)
  return found ? Number(found[0]) : undefined
}

export interface AreaStreet {
  street: string
  houseFrom: number | null
  houseTo: number | null
  side: keyof typeof houseSides
}

/** True when a house number belongs to a row of an area. */
export function coversHouse(row: AreaStreet, street: string, house: string): boolean {
  if (streetKey(row.street) !== streetKey(street)) return false
  const number = houseNumber(house)
  if (number === undefined) return row.houseFrom === null && row.houseTo === null && row.side === 'all'
  if (row.side === 'odd' && number % 2 === 0) return false
  if (row.side === 'even' && number % 2 === 1) return false
  return number >= (row.houseFrom ?? 1) && number <= (row.houseTo ?? Number.MAX_SAFE_INTEGER)
}

export interface AreaFacts {
  id: number
  kind: AreaKind
  idUser: number | null
  streets: readonly AreaStreet[]
  attached: number
  norm: number
}

/** The areas of a care type that serve an address, those with the most room first. */
export const areasOf = <A extends AreaFacts>(areas: readonly A[], care: CareType, street: string, house: string): A[] =>
  areas
    .filter((area) => kindsOf[care].includes(area.kind) && area.streets.some((row) => coversHouse(row, street, house)))
    .toSorted((a, b) => a.attached / a.norm - b.attached / b.norm || a.id - b.id)

/** Load of an area: attached / norm. */
export const loadOf = ({ attached, norm }: Pick<AreaFacts, 'attached' | 'norm'>): number =>
  norm > 0 ? attached / norm : 0

/** Age from which a therapist is responsible. */
const ADULT = 18

export interface Applicant {
  surname: string
  name: string | null
  middleName: string | null
  /** DD.MM.YYYY, as stored in cards. */
  birthday: string | null
  gender: 'none' | 'female' | 'male'
  citizenship: string | null
  snils: string | null
  enp: string | null
  documentType: string
  documentNumber: string | null
  phone: string | null
  email: string | null
  registration: string | null
  street: string | null
  house: string | null
  representative: string | null
  careType: CareType
  basis: keyof typeof bases
  isMoved: boolean
  currentMo: string | null
}

/** Facts beyond the application itself. */
export interface ApplicationAround {
  /** Today in the clinic's time zone. */
  today: string
  /** Missing required fields and kinds of files, in words. */
  missing: readonly string[]
  /** Another open application of the same person. */
  duplicate: { number: string | null } | null
  /** Day of the last attachment by choice, here or as declared by the applicant; null: none within a year. */
  lastChange: string | null
  area: { name: string; kind: AreaKind; attached: number; norm: number; isTheirs: boolean } | null
}

export const checkLevels = { ok: 'Верно', warning: 'Проверьте', error: 'Ошибка' } as const
export interface Check {
  key: 'snils' | 'enp' | 'required' | 'age' | 'year' | 'duplicate' | 'area' | 'load'
  level: keyof typeof checkLevels
  words: string
}

/** All checks before a decision, passed ones included. */
export function checksOf(one: Applicant, around: ApplicationAround): Check[] {
  return [
    snilsCheck(one),
    enpCheck(one),
    around.missing.length
      ? { key: 'required', level: 'error', words: `Не хватает: ${around.missing.join(', ')}` }
      : { key: 'required', level: 'ok', words: 'Всё, что просит клиника, есть' },
    ageCheck(one, around),
    yearCheck(one, around),
    around.duplicate
      ? { key: 'duplicate', level: 'error', words: `Уже есть нерешённое заявление № ${around.duplicate.number ?? '—'}` }
      : { key: 'duplicate', level: 'ok', words: 'Других нерешённых заявлений нет' },
    ...areaChecks(one, around),
  ]
}

function snilsCheck({ snils }: Applicant): Check {
  if (!snils) return { key: 'snils', level: 'warning', words: 'СНИЛС не указан' }
  const read = schemes.snils.read(snils)
  return read.ok
    ? { key: 'snils', level: 'ok', words: 'СНИЛС: контрольное число сходится' }
    : { key: 'snils', level: 'error', words: read.message }
}

function enpCheck({ enp, birthday, gender }: Applicant): Check {
  if (!enp) return { key: 'enp', level: 'warning', words: 'Полис ОМС не указан' }
  const read = schemes.enp.read(enp)
  if (!read.ok) return { key: 'enp', level: 'error', words: read.message }
  const encoded = enpPerson(read.value)
  if (encoded && birthday && encoded.birthday !== birthday)
    return { key: 'enp', level: 'warning', words: 'Дата рождения не та, что в номере полиса' }
  if (encoded && gender !== 'none' && encoded.gender !== gender)
    return { key: 'enp', level: 'warning', words: 'Пол не тот, что в номере полиса' }
  return { key: 'enp', level: 'ok', words: 'Полис ОМС: контрольное число сходится' }
}

function ageCheck(
  { birthday, careType, gender, representative }: Applicant,
  { today, area }: ApplicationAround,
): Check {
  const years = birthday ? yearsOn(birthday, today) : undefined
  if (years === undefined) return { key: 'age', level: 'error', words: 'Дата рождения не указана' }
  const words = (level: Check['level'], text: string): Check => ({ key: 'age', level, words: text })
  if (years < ADULT && (careType === 'therapy' || area?.kind === 'therapy'))
    return words('error', `Возраст ${years}: детей прикрепляют к педиатру или врачу общей практики`)
  if (years >= ADULT && (careType === 'pediatrics' || area?.kind === 'pediatrics'))
    return words('error', `Возраст ${years}: взрослых прикрепляют к терапевту или врачу общей практики`)
  if (careType === 'gynecology' && gender === 'male') return words('error', 'Гинекология: пол мужской')
  if (years < ADULT && !representative) return words('warning', 'Заявление ребёнка подаёт представитель: он не указан')
  return words('ok', 'Возраст подходит участку')
}

function yearCheck({ basis, isMoved }: Applicant, { lastChange, today }: ApplicationAround): Check {
  if (basis !== 'choice' || lastChange === null || plusYear(lastChange) <= today)
    return { key: 'year', level: 'ok', words: 'Выбирал клинику больше года назад или впервые' }
  return isMoved
    ? { key: 'year', level: 'ok', words: 'Года не прошло, но заявитель переехал' }
    : { key: 'year', level: 'error', words: 'Клинику выбирают не чаще раза в год, кроме переезда' }
}

const plusYear = (day: string): string => {
  const [year, rest] = [Number(day.slice(0, 4)) + 1, day.slice(4)]
  return rest === '-02-29' ? `${year}-03-01` : `${year}${rest}`
}

function areaChecks({ basis }: Applicant, { area }: ApplicationAround): Check[] {
  if (!area) return [{ key: 'area', level: 'error', words: 'Участок не выбран' }]
  const { name, attached, norm, isTheirs } = area
  const isFull = attached >= norm
  return [
    isTheirs
      ? { key: 'area', level: 'ok', words: `Адрес относится к участку «${name}»` }
      : {
          key: 'area',
          level: basis === 'choice' && !isFull ? 'warning' : basis === 'choice' ? 'error' : 'warning',
          words: `Адрес не относится к участку «${name}»${isFull ? ', и норма участка заполнена' : ''}`,
        },
    {
      key: 'load',
      level: isFull ? (isTheirs ? 'warning' : 'error') : 'ok',
      words: `Участок: ${attached} из ${norm}`,
    },
  ]
}

/** A difference between an application and the card, by the card's field. */
export interface Difference {
  field: string
  label: string
  application: string | null
  card: string | null
}

/** Compares values ignoring case, ё and spaces. */
export const sameWords = (a: string | null, b: string | null): boolean => {
  const plain = (text: string | null) =>
    (text ?? '')
      .toLocaleLowerCase('ru')
      .replaceAll('ё', 'е')
      .replace(/[\s.,-]+/g, '')
  return plain(a) === plain(b)
}

/** Errors in the application's own data, by field. */
export function applicationErrors(one: { birthday?: string | null }, today: string): FieldError[] {
  return one.birthday && yearsOn(one.birthday, today) === undefined
    ? [{ field: 'birthday', message: 'Дата рождения в будущем' }]
    : []
}
