/**
 * Analytes computed from others, by the formulas of examinations (`examinations/formula.ts`) with lower-case codes.
 * Pure.
 */
import { type Formula, FormulaError, fieldsOf, readFormula, reckon } from '../examinations/formula.ts'
import { measured, withDecimals } from './values.ts'

/**
 * Error of a formula, in Russian; undefined: valid, with known codes only.
 * @param known takes a lower-case code
 */
export function formulaError(text: string, known: (code: string) => boolean): string | undefined {
  try {
    const strange = [...fieldsOf(readFormula(text))].find((code) => !known(code))
    return strange === undefined ? undefined : `В формуле нет такого показателя: ${strange}`
  } catch (error) {
    if (error instanceof FormulaError) return error.message
    throw error
  }
}

const read = new Map<string, Formula>()

/**
 * Value of a derived analyte; undefined while an operand is missing or not a plain number.
 * @param textOf text of an analyte by its lower-case code
 */
export function derive(
  text: string,
  decimals: number,
  textOf: (code: string) => string | undefined,
): string | undefined {
  let formula = read.get(text)
  if (!formula) {
    formula = readFormula(text)
    read.set(text, formula)
  }
  const { value } = reckon(formula, (code) => {
    const found = measured(textOf(code) ?? '')
    return found && !found.bound ? { value: found.number } : undefined
  })
  return value === undefined || !Number.isFinite(value) ? undefined : withDecimals(value, decimals)
}

/** Lower-case codes of the analytes that a formula takes. */
export const sourcesOf = (text: string): ReadonlySet<string> => fieldsOf(readFormula(text))
