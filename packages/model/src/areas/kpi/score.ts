/** Formulas and scores of KPI (screens.md §6.1). Pure. */
import { type Formula, FormulaError, fieldsOf, type Reckoned, readFormula, reckon } from '../examinations/formula.ts'

export const units = { percent: '%', rubles: '₽', count: 'шт', minutes: 'мин' } as const
export const directions = { up: 'Больше', down: 'Меньше' } as const
export type Direction = keyof typeof directions

/**
 * Indicators available in formulas, counted from events of the month; with their meaning, for the help under the field.
 */
export const indicators = {
  обращения: 'Обращения месяца: звонки и чаты, без «не по делу»',
  первичные: 'Из них первые обращения человека',
  с_записью: 'Первые обращения, за которыми в течение 7 дней была запись',
  записи: 'Записи на дни месяца, без перенесённых на другой месяц; отметки — какими были через неделю после месяца',
  визиты: 'Завершённые визиты',
  оплаченные: 'Завершённые визиты, за услуги которых что-то оплачено',
  неявки: 'Записи, по которым не пришли',
  первые_визиты: 'Визиты пациентов, которые раньше не приходили',
  вернулись: 'Пациенты первых визитов, у которых был второй в течение 90 дней',
  входящие: 'Входящие звонки, с пропущенными',
  пропущенные: 'Пропущенные звонки дольше 5 секунд, без отвеченных повторов за 10 минут',
  перезвонили: 'Пропущенные, по которым перезвонили',
  перезвонили_15: 'Из них за 15 минут',
  перезвон_мин: 'Медиана времени до перезвона, минуты',
  ответили_20: 'Звонки, отвеченные за 20 секунд',
  ответили: 'Отвеченные звонки',
  брошенные_20: 'Звонки, не дождавшиеся ответа дольше 20 секунд',
  ожидание_с: 'Среднее ожидание ответа, секунды',
  разговор_с: 'Средний разговор, секунды',
  обработка_с: 'Средняя обработка после отвеченного звонка, секунды; с разговором это AHT',
  минуты_записи: 'Занятые минуты врача в сменах',
  минуты_смен: 'Минуты смен',
  выручка: 'Начислено за услуги по дням начисления, с исправлениями, ₽; столько же, сколько в прибыли и убытках',
  оплачено: 'Оплачено за услуги визитов за месяц и неделю после него, ₽',
  оплачено_когортой: 'Всё, что пациенты первых визитов месяца оплатили за услуги по сегодня, ₽',
  оценки: 'Оценки пациентов после визитов',
  сторонники: 'Из них 9 и 10',
  критики: 'Из них от 0 до 6',
  реклама: 'Расходы на рекламу, ₽; у сотрудника не считаются',
  записал: 'Записи, которые сделал сотрудник',
  записал_пришли: 'Из них завершённые',
} as const
export type Indicator = keyof typeof indicators

export const MAX_SHARE = 1.2

const read = new Map<string, Formula>()
/** A parsed formula, cached. @throws FormulaError */
export function formulaOf(text: string): Formula {
  const known = read.get(text)
  if (known) return known
  const formula = readFormula(text)
  if (read.size > 500) read.clear()
  read.set(text, formula)
  return formula
}

export function wrongFormula(text: string): string | undefined {
  if (text.trim() === '') return undefined
  try {
    const unknown = [...fieldsOf(formulaOf(text))].filter((name) => !Object.hasOwn(indicators, name))
    return unknown.length
      ? `Нет такого счётчика: ${unknown.map((name) => `«${name}»`).join(', ')}. Есть: ${Object.keys(indicators).join(', ')}`
      : undefined
  } catch (error) {
    if (error instanceof FormulaError) return error.message
    throw error
  }
}

export type Counts = Partial<Record<Indicator, number>>

/** Value of a formula; absent on a division by zero. */
export const factOf = (formula: string, counts: Counts): Reckoned =>
  reckon(formulaOf(formula), (name) => ({ value: counts[name as Indicator] ?? 0 }))

/** Fulfilment of a plan, from 0; 1 is 100 %. For «down», plan divided by fact. null: undefined. */
export function fulfilment(fact: number | null, plan: number, direction: Direction): number | null {
  if (fact === null) return null
  if (direction === 'up') return plan > 0 ? Math.max(0, fact / plan) : null
  if (fact <= 0) return MAX_SHARE
  return Math.max(0, plan / fact)
}

export interface Scored {
  fulfilment: number | null
  weight: number
}

/** Σ weight · min(fulfilment, 1.2) / Σ weight; 1 is 100 %. Parts without a value are left out. null: no plans. */
export function scoreOf(parts: readonly Scored[]): number | null {
  let sum = 0
  let weights = 0
  for (const { fulfilment: part, weight } of parts) {
    if (part === null || weight <= 0) continue
    sum += weight * Math.min(part, MAX_SHARE)
    weights += weight
  }
  return weights > 0 ? Math.round((sum / weights) * 10_000) / 10_000 : null
}

export type Light = 'green' | 'yellow' | 'red' | 'none'

/** @param green and red percent of the plan */
export function lightOf(part: number | null, { green, red }: { green: number; red: number }): Light {
  if (part === null) return 'none'
  const percent = part * 100
  return percent >= green ? 'green' : percent < red ? 'red' : 'yellow'
}
