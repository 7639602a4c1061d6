/** Formulas and scores of KPI (screens.md §6.1). Pure. */
import { type Formula, FormulaError, fieldsOf, type Reckoned, readFormula, reckon } from '../examinations/formula.ts'
import { formerIndicators, type Indicator, indicators } from './indicators.ts'

export const units = { percent: '%', rubles: '₽', count: 'шт', minutes: 'мин' } as const
export const directions = { up: 'Больше', down: 'Меньше' } as const
export type Direction = keyof typeof directions

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
    const unknown = [...fieldsOf(formulaOf(text))].filter(
      (name) => !Object.hasOwn(indicators, name) && !Object.hasOwn(formerIndicators, name),
    )
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
  reckon(formulaOf(formula), (name) => {
    const former = Object.hasOwn(formerIndicators, name) ? formerIndicators[name] : undefined
    return former === undefined ? { value: counts[name as Indicator] ?? 0 } : factOf(former, counts)
  })

/**
 * How a formula grows with the days of a period: 1 as a sum does, 0 as a share or a mean. A plan of the first kind is
 * prorated while its month is running.
 * @param isTotal whether an indicator is a sum or a number of something
 */
export function growthOf(formula: string, isTotal: (name: string) => boolean): number {
  const of = (one: Formula): number => {
    switch (one.is) {
      case 'number':
        return 0
      case 'field': {
        const former = formerIndicators[one.key]
        if (former !== undefined) return growthOf(former, isTotal)
        return isTotal(one.key) ? 1 : 0
      }
      case 'minus':
        return of(one.of)
      case 'call': {
        const args = (
          one.name === 'if' ? one.args.slice(1) : one.name === 'round' ? one.args.slice(0, 1) : one.args
        ).map(of)
        return Math.max(0, ...args) / (one.name === 'sqrt' ? 2 : 1)
      }
      case 'operator': {
        const [left, right] = [of(one.left), of(one.right)]
        if (one.sign === '*') return left + right
        if (one.sign === '/') return left - right
        if (one.sign === '+' || one.sign === '-') return Math.max(left, right)
        return one.sign === '^' ? left : 0
      }
    }
  }
  return of(formulaOf(formula))
}

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
