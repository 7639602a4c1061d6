import { formatDay, formatMoney } from '../../format.ts'
import { weekdayOf } from '../../hours.ts'
import { kopecks, type LinePrice, lineKopecks } from '../../money.ts'
import { kindsByCode, stateOf } from './discount.ts'
import type { Basket, BasketLine, CodeFacts, CustomerFacts, Rule } from './facts.ts'

/** Refusal of a discount of other branches; not shown at this one. */
export const OTHER_BRANCH = 'Не в этом филиале'

/** Tag of a customer's card for pensioners; set by an employee after seeing the document. */
export const PENSIONER = 'пенсионер'

/** Why a discount does not apply to the whole basket, in Russian; undefined: it may apply. */
export function orderRefusal(rule: Rule, basket: Basket, code: CodeFacts | undefined): string | undefined {
  return (
    whenRefusal(rule, basket) ??
    whomRefusal(rule, basket) ??
    codeRefusal(rule, basket, code) ??
    usesRefusal(rule, basket)
  )
}

function whenRefusal(rule: Rule, { date, time, idFilial }: Basket): string | undefined {
  if (rule.filials.length && !(idFilial && rule.filials.includes(idFilial))) return OTHER_BRANCH
  const state = stateOf(rule, date)
  if (state === 'off') return 'Выключена'
  if (state === 'expired') return `Истекла ${formatDay(rule.dateTo)}`
  if (state === 'exhausted') return 'Исчерпана: применений больше нет'
  if (state === 'planned') return `Начнётся ${formatDay(rule.dateFrom)}`
  if (rule.weekdays.length && !rule.weekdays.includes(weekdayOf(date))) return 'Не в этот день недели'
  if (rule.timeFrom && time < rule.timeFrom) return `Только с ${rule.timeFrom}`
  if (rule.timeTo && time >= rule.timeTo) return `Только до ${rule.timeTo}`
  return undefined
}

function whomRefusal(rule: Rule, { customer, date, idCompany }: Basket): string | undefined {
  if (rule.companies.length && !(idCompany && rule.companies.includes(idCompany))) return 'Не для этого плательщика'
  const asks =
    rule.tags.length > 0 ||
    rule.sources.length > 0 ||
    rule.gender !== null ||
    rule.ageFrom !== null ||
    rule.ageTo !== null ||
    rule.onlyFirstVisit ||
    rule.birthdayDays !== null ||
    rule.pensioner ||
    rule.staff ||
    rule.usesPerCustomer !== null ||
    rule.kind === 'accumulative'
  if (!asks) return undefined
  return customer ? customerRefusal(rule, customer, date) : 'Клиент не выбран'
}

/** Conditions of a rule on the customer. */
export type Audience = Pick<
  Rule,
  'tags' | 'pensioner' | 'staff' | 'sources' | 'gender' | 'onlyFirstVisit' | 'ageFrom' | 'ageTo' | 'birthdayDays'
>

/** Why a rule does not apply to this customer, in Russian; undefined: it applies. */
export function customerRefusal(rule: Audience, customer: CustomerFacts, date: string): string | undefined {
  const has = (tag: string) => customer.tags.some((one) => one.toLocaleLowerCase('ru') === tag.toLocaleLowerCase('ru'))
  if (rule.tags.length && !rule.tags.some(has)) return 'У клиента нет нужной метки'
  if (rule.pensioner && !has(PENSIONER)) return 'У клиента нет метки «Пенсионер»'
  if (rule.staff && !customer.isStaff) return 'Клиент не сотрудник клиники'
  if (rule.sources.length && !customer.sources.some((one) => rule.sources.includes(one)))
    return 'Клиент из другого источника'
  if (rule.gender !== null && customer.gender !== rule.gender)
    return rule.gender === 'female' ? 'Только женщинам' : 'Только мужчинам'
  if (rule.onlyFirstVisit && !customer.isFirstVisit) return 'Не первый визит'
  if (rule.ageFrom !== null || rule.ageTo !== null || rule.birthdayDays !== null) {
    const born = dayOf(customer.birthday)
    if (!born) return 'Дата рождения не указана'
    const age = ageOn(born, date)
    if (rule.ageFrom !== null && age < rule.ageFrom) return `Младше ${rule.ageFrom} лет`
    if (rule.ageTo !== null && age > rule.ageTo) return `Старше ${rule.ageTo} лет`
    if (rule.birthdayDays !== null && daysToBirthday(born, date) > rule.birthdayDays) return 'День рождения не рядом'
  }
  return undefined
}

function codeRefusal(rule: Rule, { customer, date }: Basket, code: CodeFacts | undefined): string | undefined {
  if (!kindsByCode.includes(rule.kind)) return undefined
  if (code?.idDiscount !== rule.id) return 'Нужен код'
  if (code.expires !== null && code.expires < date) return `Код истёк ${formatDay(code.expires)}`
  if (code.limit !== null && code.uses >= code.limit) return 'Код уже использован'
  if (code.idCustomer !== null && code.idCustomer !== customer?.id) return 'Код другого клиента'
  return undefined
}

function usesRefusal(rule: Rule, basket: Basket): string | undefined {
  if (rule.usesPerCustomer !== null && rule.customerUses >= rule.usesPerCustomer)
    return 'Клиент уже получил её столько раз, сколько можно'
  if (rule.minSum === null) return undefined
  const sum = basket.lines.reduce((all, line) => all + (lineRefusal(rule, line) ? 0n : sumOf(line)), 0n)
  return sum < kopecks(rule.minSum) ? `Сумма меньше ${formatMoney(rule.minSum)}` : undefined
}

/** Kopecks of a line before discounts. */
export const sumOf = (line: LinePrice): bigint => lineKopecks(line)

/** Conditions of a rule on the line. */
export type Target = Pick<Rule, 'category' | 'services' | 'groups' | 'exceptServices' | 'exceptGroups' | 'doctors'>

/** Why a rule does not apply to a line, in Russian; undefined: it may apply. */
export function lineRefusal(rule: Target, line: BasketLine): string | undefined {
  if (rule.category !== null && (rule.category === 'products') !== line.isProduct)
    return rule.category === 'products' ? 'Только на товары' : 'Только на услуги'
  const inGroup = (groups: readonly number[]) => line.groups.some((group) => groups.includes(group))
  if (rule.exceptServices.includes(line.idService) || inGroup(rule.exceptGroups)) return 'Услуга исключена'
  if ((rule.services.length || rule.groups.length) && !rule.services.includes(line.idService) && !inGroup(rule.groups))
    return 'Не на эту услугу'
  if (rule.doctors.length && !(line.idDoctor && rule.doctors.includes(line.idDoctor))) return 'Не у этого врача'
  return undefined
}

interface Day {
  year: number
  month: number
  day: number
}

function dayOf(birthday: string | null): Day | undefined {
  const [, day, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(birthday ?? '') ?? []
  return day ? { day: Number(day), month: Number(month), year: Number(year) } : undefined
}

/** Full years; in a common year an age from 29 February grows on 1 March. */
function ageOn(born: Day, date: string): number {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  return year - born.year - (month < born.month || (month === born.month && day < born.day) ? 1 : 0)
}

const DAY_MS = 86_400_000

/** Days to the nearest birthday, past or future, also across the turn of the year. */
function daysToBirthday({ month, day }: Day, date: string): number {
  const asked = Date.parse(date)
  const year = Number(date.slice(0, 4))
  return Math.min(...[year - 1, year, year + 1].map((one) => Math.abs(asked - Date.UTC(one, month - 1, day)) / DAY_MS))
}
