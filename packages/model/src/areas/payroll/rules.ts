/** Rules of a pay scheme (screens.md §13): types, fields and validation. Pure. */

export const ruleTypes = {
  salary: 'Оклад',
  hourly: 'Почасовая',
  shift: 'За смену',
  percent: '% от своих услуг',
  fixed: 'Сумма за услугу',
  referral: '% от услуг по направлению',
  assistant: '% ассистента',
  bookings: 'За запись, по которой пришли',
  goods: '% от проданных товаров',
  filialPlan: 'За план филиала',
  progressive: 'Прогрессивная',
  kpi: 'KPI',
  guarantee: 'Гарантированный минимум',
} as const
export type RuleType = keyof typeof ruleTypes

/** Bases of a percentage. */
export const bases = { list: 'Прайс', discounted: 'Со скидкой', paid: 'Оплачено' } as const
export type Base = keyof typeof bases

/** When a service counts: in the month it was provided, or once it is provided and paid. */
export const accruals = { done: 'Когда оказана', paid: 'Когда оплачена' } as const
export type Accrual = keyof typeof accruals

/** What the norms, tiers and guarantees of a scheme count over. */
export const payOver = { person: 'По сотруднику во всех филиалах', filial: 'По каждому филиалу отдельно' } as const
export type PayOver = keyof typeof payOver

export const salaryNorms = { hours: 'По часам', days: 'По дням', none: 'Полностью' } as const
export const progressiveModes = {
  whole: 'Ставка ступени на всю сумму',
  excess: 'Каждая ступень со своего превышения',
} as const

export interface PayTier {
  /** Rubles of the base from which the rate applies. */
  from: number
  /** Percent. */
  rate: number
}

/** A rule of a scheme. Its type selects the fields (`ruleFields`). */
export interface PayRule {
  /** Unique within the scheme; lines refer to it. */
  code: string
  type: RuleType
  /** The clinic's name instead of the type's. */
  name?: string
  /** Rubles: per month, hour, shift, service or booking; a fund, a guarantee. */
  sum?: number
  /** Percent. */
  rate?: number
  base?: Base
  /** Subtracts costs of materials and laboratory from the base. */
  lessCosts?: boolean
  /** Prefers the performer's percentage from the catalogue. */
  ownRate?: boolean
  /** Services and groups; both empty: all. */
  services?: number[]
  groups?: number[]
  norm?: keyof typeof salaryNorms
  /** Hours or days of a full month; empty: by the production calendar. */
  normOf?: number
  /** Multipliers of the rate for hours from 22 to 6, and for days off of the calendar. */
  nightFactor?: number
  holidayFactor?: number
  tiers?: PayTier[]
  mode?: keyof typeof progressiveModes
  /** Revenue that the branch must reach in the month, rubles. */
  plan?: number
}

type RuleField = Exclude<keyof PayRule, 'code' | 'type' | 'name'>

/** Fields of each type: required ones in `must`, optional ones in `may`. */
export const ruleFields: Readonly<Record<RuleType, { must: readonly RuleField[]; may: readonly RuleField[] }>> = {
  salary: { must: ['sum'], may: ['norm', 'normOf'] },
  hourly: { must: ['sum'], may: ['nightFactor', 'holidayFactor'] },
  shift: { must: ['sum'], may: ['holidayFactor'] },
  percent: { must: ['rate', 'base'], may: ['lessCosts', 'ownRate', 'groups', 'services'] },
  fixed: { must: ['sum'], may: ['groups', 'services'] },
  referral: { must: ['rate', 'base'], may: ['lessCosts', 'groups', 'services'] },
  assistant: { must: ['rate', 'base'], may: ['lessCosts', 'groups', 'services'] },
  bookings: { must: ['sum'], may: [] },
  goods: { must: ['rate', 'base'], may: [] },
  filialPlan: { must: ['plan', 'sum'], may: [] },
  progressive: { must: ['tiers', 'mode', 'base'], may: ['lessCosts', 'groups', 'services'] },
  kpi: { must: ['sum'], may: [] },
  guarantee: { must: ['sum'], may: [] },
}

export const ruleFieldLabels: Readonly<Record<RuleField, string>> = {
  sum: 'Сумма, ₽',
  rate: 'Процент',
  base: 'От чего',
  lessCosts: 'Минус материалы и лаборатория',
  ownRate: 'Своя доля исполнителя из каталога важнее',
  services: 'Услуги',
  groups: 'Группы услуг',
  norm: 'Как делится месяц',
  normOf: 'Норма месяца',
  nightFactor: 'Ночью, ×',
  holidayFactor: 'В выходные и праздники, ×',
  tiers: 'Ступени',
  mode: 'Как считать ступени',
  plan: 'План филиала, ₽',
}

export const MAX_RULES = 30
export const MAX_TIERS = 10
const MAX_CHOSEN = 200
const MAX_SUM = 100_000_000

/** Error of a scheme's rules; undefined: valid. */
export function wrongRules(rules: PayRule[]): string | undefined {
  if (!Array.isArray(rules)) return 'Нужен список правил'
  if (rules.length > MAX_RULES) return `Не больше ${MAX_RULES} правил`
  const codes = new Set<string>()
  for (const [at, rule] of rules.entries()) {
    const wrong = wrongRule(rule)
    if (wrong) return `Правило ${at + 1}: ${wrong}`
    if (codes.has(rule.code)) return `Правило ${at + 1}: такое уже есть`
    codes.add(rule.code)
  }
  return undefined
}

const isNumber = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max
const hasCents = (value: unknown): boolean =>
  typeof value !== 'number' || Math.abs(value * 100 - Math.round(value * 100)) < 1e-6

function wrongRule(rule: PayRule): string | undefined {
  if (typeof rule !== 'object' || rule === null || !Object.hasOwn(ruleTypes, rule.type)) return 'выберите вид'
  if (typeof rule.code !== 'string' || !/^[\w-]{1,40}$/.test(rule.code)) return 'нет кода'
  if (rule.name !== undefined && (typeof rule.name !== 'string' || rule.name.length > 120))
    return 'название не длиннее 120 знаков'
  const { must, may } = ruleFields[rule.type]
  for (const field of must) {
    const value = rule[field]
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0))
      return `заполните «${ruleFieldLabels[field]}»`
  }
  for (const field of [...must, ...may]) {
    const value = rule[field]
    if (value === undefined || value === null) continue
    const wrong = wrongValue(field, value)
    if (wrong) return `«${ruleFieldLabels[field]}»: ${wrong}`
  }
  return undefined
}

function wrongValue(field: RuleField, value: unknown): string | undefined {
  switch (field) {
    case 'sum':
    case 'plan':
      return isNumber(value, 0, MAX_SUM) && hasCents(value) ? undefined : 'нужна сумма с копейками'
    case 'rate':
      return isNumber(value, 0, 100) && hasCents(value) ? undefined : 'от 0 до 100, не больше двух знаков'
    case 'nightFactor':
    case 'holidayFactor':
      return isNumber(value, 1, 10) && hasCents(value) ? undefined : 'от 1 до 10'
    case 'normOf':
      return isNumber(value, 0.5, 744) && hasCents(value) ? undefined : 'нужно число часов или дней'
    case 'base':
      return Object.hasOwn(bases, String(value)) ? undefined : 'выберите'
    case 'norm':
      return Object.hasOwn(salaryNorms, String(value)) ? undefined : 'выберите'
    case 'mode':
      return Object.hasOwn(progressiveModes, String(value)) ? undefined : 'выберите'
    case 'lessCosts':
    case 'ownRate':
      return typeof value === 'boolean' ? undefined : 'да или нет'
    case 'services':
    case 'groups':
      return Array.isArray(value) &&
        value.length <= MAX_CHOSEN &&
        value.every((one) => Number.isSafeInteger(one) && one > 0)
        ? undefined
        : `не больше ${MAX_CHOSEN}`
    case 'tiers':
      return wrongTiers(value as PayTier[])
  }
}

function wrongTiers(tiers: PayTier[]): string | undefined {
  if (!Array.isArray(tiers) || tiers.length > MAX_TIERS) return `не больше ${MAX_TIERS} ступеней`
  let before = -1
  for (const { from, rate } of tiers) {
    if (!isNumber(from, 0, MAX_SUM) || !hasCents(from)) return 'у ступени нужна сумма, с которой она действует'
    if (!isNumber(rate, 0, 100) || !hasCents(rate)) return 'у ступени нужен процент от 0 до 100'
    if (from <= before) return 'ступени идут по возрастанию'
    before = from
  }
  return tiers[0]?.from === 0 ? undefined : 'первая ступень начинается с нуля'
}

/** A rule in one line: «30 % от «Оплачено» минус материалы». */
export function ruleText(rule: PayRule): string {
  const money = (sum = 0) => `${sum.toLocaleString('ru-RU', { maximumFractionDigits: 2 })} ₽`
  const percent = (rate = 0) => `${rate.toLocaleString('ru-RU', { maximumFractionDigits: 2 })} %`
  const of = rule.base ? ` от «${bases[rule.base]}»${rule.lessCosts ? ' минус материалы и лаборатория' : ''}` : ''
  const only = rule.groups?.length || rule.services?.length ? ', выбранные услуги' : ''
  switch (rule.type) {
    case 'salary':
      return `${money(rule.sum)} в месяц${rule.norm === 'none' ? '' : rule.norm === 'days' ? ', по отработанным дням' : ', по отработанным часам'}`
    case 'hourly':
      return `${money(rule.sum)} в час${rule.nightFactor ? `, ночью × ${rule.nightFactor}` : ''}${rule.holidayFactor ? `, в выходные × ${rule.holidayFactor}` : ''}`
    case 'shift':
      return `${money(rule.sum)} за смену${rule.holidayFactor ? `, в выходные × ${rule.holidayFactor}` : ''}`
    case 'percent':
    case 'referral':
    case 'assistant':
    case 'goods':
      return `${percent(rule.rate)}${of}${only}`
    case 'fixed':
      return `${money(rule.sum)} за услугу${only}`
    case 'bookings':
      return `${money(rule.sum)} за каждую`
    case 'filialPlan':
      return `${money(rule.sum)}, если филиал оказал услуг на ${money(rule.plan)}`
    case 'progressive':
      return `${(rule.tiers ?? []).map(({ from, rate }) => `${percent(rate)} с ${money(from)}`).join(', ')}${of}`
    case 'kpi':
      return `фонд ${money(rule.sum)} × балл KPI`
    case 'guarantee':
      return `не меньше ${money(rule.sum)}`
  }
}

export const ruleName = ({ name, type }: PayRule): string => name?.trim() || ruleTypes[type]

/** Columns of the sheet, by type of line. */
export const sheetColumns = {
  salary: 'Оклад и смены',
  percent: '% и услуги',
  kpi: 'KPI и план',
  bonus: 'Премии',
  deduction: 'Удержания',
} as const
export type SheetColumn = keyof typeof sheetColumns

export const columnOf: Readonly<Record<RuleType, SheetColumn>> = {
  salary: 'salary',
  hourly: 'salary',
  shift: 'salary',
  guarantee: 'salary',
  percent: 'percent',
  fixed: 'percent',
  referral: 'percent',
  assistant: 'percent',
  goods: 'percent',
  bookings: 'percent',
  progressive: 'percent',
  kpi: 'kpi',
  filialPlan: 'kpi',
}
