/**
 * Analytes that are reckoned of others, by the formulas of examinations (`examinations/formula.ts`), which read codes in
 * small letters. Pure.
 */
import { type Formula, FormulaError, fieldsOf, readFormula, reckon } from '../examinations/formula.ts'
import { measured, withDecimals } from './values.ts'

/**
 * What is wrong with a formula, in Russian; undefined: it can be read and names only what is known.
 * @param known asked by a code in small letters
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
 * The value of a derived analyte; undefined while one of what it is made of is missing or is no plain number.
 * @param textOf the text of an analyte by its code in small letters
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
