import type { Update } from '../../entity.ts'
import { counted, formatDay, formatMoney, formatNumber } from '../../format.ts'
import { type Weekday, weekdayNames } from '../../hours.ts'
import { type Discount, hasValue, kindsByCode, mayBePerOrder, unitOf } from './discount.ts'

/** Fields of a discount, also of an incomplete form. */
export type Described = Update<typeof Discount>
/** Title of a record by entity path and id. */
export type NameOf = (path: string, id: number) => string

const dative: Record<Weekday, string> = {
  monday: 'понедельникам',
  tuesday: 'вторникам',
  wednesday: 'средам',
  thursday: 'четвергам',
  friday: 'пятницам',
  saturday: 'субботам',
  sunday: 'воскресеньям',
}

/** Size of a discount: «10 %», «500 ₽ с заказа», «каждая 3-я в подарок»; '' while it has none. */
export function valueText(one: Described): string {
  const { kind, unit = 'percent', value, tiers, giftEvery, perOrder } = one
  if (!kind) return ''
  if (kind === 'accumulative') return tiersText(tiers ?? [])
  if (kind === 'gift') return giftEvery ? `каждая ${giftEvery + 1}-я в подарок` : ''
  if (!hasValue(kind) || value === null || value === undefined) return ''
  if (kind === 'fixedPrice') return `цена ${moneyText(value)}`
  if (kind === 'bonus') return `до ${formatNumber(value)} % счёта бонусами`
  if (unitOf({ kind, unit }) === 'percent') return `${formatNumber(value)} %`
  return `${moneyText(value)}${mayBePerOrder({ kind, unit }) && perOrder ? ' с заказа' : ''}`
}

const tiersText = (tiers: NonNullable<Described['tiers']>): string =>
  tiers
    .map(({ fromSum, percent }) => `${formatNumber(percent)} %${fromSum ? ` от ${moneyText(fromSum)}` : ''}`)
    .join(', ')

/** Rubles; kopecks only where there are any: «1 000 ₽». */
export const moneyText = (sum: number): string =>
  Number.isInteger(sum) ? `${formatNumber(sum)}\u00a0₽` : formatMoney(sum)

/** Period: «по будням 09:00–12:00, с 01.11.2026 по 30.11.2026»; '' for always. */
export function periodText({ dateFrom, dateTo, weekdays = [], timeFrom, timeTo }: Described): string {
  const hours =
    timeFrom && timeTo ? `${timeFrom}–${timeTo}` : timeFrom ? `с ${timeFrom}` : timeTo ? `до ${timeTo}` : undefined
  const days = [dateFrom && `с ${formatDay(dateFrom)}`, dateTo && `по ${formatDay(dateTo)}`].filter(Boolean).join(' ')
  return [[daysText(weekdays), hours].filter(Boolean).join(' '), days].filter(Boolean).join(', ')
}

function daysText(weekdays: readonly Weekday[]): string {
  const chosen = weekdayNames.filter((day) => weekdays.includes(day))
  const key = chosen.map((day) => weekdayNames.indexOf(day)).join('')
  if (key === '' || key === '0123456') return ''
  if (key === '01234') return 'по будням'
  if (key === '56') return 'по выходным'
  return `по ${andJoined(chosen.map((day) => dative[day]))}`
}

/** Services: «на группу «УЗИ», кроме …»; '' for all. */
export function targetText(one: Described, nameOf: NameOf): string {
  const { category, services = [], groups = [], doctors = [], exceptServices = [], exceptGroups = [] } = one
  const what = [
    groups.length && `${groups.length > 1 ? 'группы' : 'группу'} ${quoted('services-groups', groups, nameOf)}`,
    services.length && quoted('services', services, nameOf),
  ].filter(Boolean)
  const but = [
    exceptGroups.length &&
      `${exceptGroups.length > 1 ? 'групп' : 'группы'} ${quoted('services-groups', exceptGroups, nameOf)}`,
    exceptServices.length && quoted('services', exceptServices, nameOf),
  ].filter(Boolean)
  const all = category ? { services: 'все услуги', products: 'все товары' }[category] : but.length ? 'всё' : ''
  return [
    what.length ? `на ${what.join(' и ')}` : all && `на ${all}`,
    but.length && `кроме ${but.join(' и ')}`,
    doctors.length && `у ${doctors.length > 1 ? 'врачей' : 'врача'} ${named('users', doctors, nameOf)}`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Customers: «для пенсионеров, от 60 лет»; '' for everybody. */
export function audienceText(one: Described, nameOf: NameOf): string {
  const { tags = [], sources = [], companies = [], gender, ageFrom, ageTo, birthdayDays } = one
  const people = [
    one.pensioner && 'пенсионеров',
    one.staff && 'сотрудников клиники',
    gender && { female: 'женщин', male: 'мужчин' }[gender],
    tags.length && `клиентов с меткой ${tags.map((tag) => `«${tag}»`).join(' или ')}`,
    sources.length && `пришедших из ${quoted('customer-sources', sources, nameOf)}`,
  ].filter(Boolean)
  const ages = [typeof ageFrom === 'number' && `от ${ageFrom}`, typeof ageTo === 'number' && `до ${ageTo}`].filter(
    Boolean,
  )
  return [
    people.length && `для ${people.join(', ')}`,
    ages.length && `возраст ${ages.join(' ')} лет`,
    companies.length && `если платит ${named('organizations', companies, nameOf)}`,
    one.onlyFirstVisit && 'на первый визит',
    typeof birthdayDays === 'number' &&
      (birthdayDays === 0 ? 'в день рождения' : `в день рождения и ${counted(birthdayDays, DAYS)} до и после`),
  ]
    .filter(Boolean)
    .join(', ')
}

const DAYS = ['день', 'дня', 'дней'] as const
const TIMES = ['раза', 'раз', 'раз'] as const

function limitText(one: Described): string {
  const { minSum, maxDiscount, totalUses, usesPerCustomer } = one
  return [
    typeof minSum === 'number' && `от суммы ${moneyText(minSum)}`,
    typeof maxDiscount === 'number' && `не больше ${moneyText(maxDiscount)}`,
    totalUses && `не больше ${counted(totalUses, TIMES)}`,
    usesPerCustomer && `одному клиенту не больше ${counted(usesPerCustomer, TIMES)}`,
    one.stackable && 'вместе с другими скидками',
    one.needApproval && 'по согласованию',
  ]
    .filter(Boolean)
    .join(', ')
}

/**
 * A discount in one sentence: «10 % на группу «Диагностика» по будням 09:00–12:00 для пенсионеров, не больше 1 000 ₽».
 * '' while it has no size.
 */
export function sentenceOf(one: Described, nameOf: NameOf): string {
  const value = valueText(one)
  if (!value) return ''
  const byCode = one.kind && kindsByCode.includes(one.kind)
  const shown =
    byCode && { promo: 'по промокоду', card: 'по карте', certificate: 'по сертификату' }[one.kind as 'promo']
  const where = one.filials?.length ? `в ${quoted('filials', one.filials, nameOf)}` : ''
  const main = [value, shown, targetText(one, nameOf), periodText(one), audienceText(one, nameOf), where]
  const text = [main.filter(Boolean).join(' '), limitText(one)].filter(Boolean).join(', ')
  return `${text.charAt(0).toLocaleUpperCase('ru')}${text.slice(1)}`
}

/** Names listed before «и ещё N». */
const SHOWN = 3

function named(path: string, ids: readonly number[], nameOf: NameOf, quote = (name: string) => name): string {
  const named = ids.slice(0, SHOWN).map((id) => quote(nameOf(path, id)))
  return ids.length > SHOWN ? `${named.join(', ')} и ещё ${ids.length - SHOWN}` : andJoined(named)
}

const quoted = (path: string, ids: readonly number[], nameOf: NameOf): string =>
  named(path, ids, nameOf, (name) => `«${name}»`)

const andJoined = (words: readonly string[]): string =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} и ${words.at(-1)}` : (words[0] ?? '')
