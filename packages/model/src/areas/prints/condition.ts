/**
 * Conditions of a template: `Пол = "Женский" И НЕ Телефон`, `Сумма > 1000 ИЛИ Скидка`. Word operators are in capitals,
 * as names contain the same words.
 */
import { type Path, readPath } from './path.ts'

export type Operand = { path: Path } | { text: string }
export type Comparison = '=' | '≠' | '>' | '<' | '≥' | '≤'
export interface Test {
  not: boolean
  left: Operand
  /** Absent: tests for a value. */
  by?: { how: Comparison; right: Operand }
}
/** Alternatives (OR) of tests that must all hold (AND). */
export type Condition = Test[][]

const TOKEN = /"[^"]*"|«[^»]*»|“[^”]*”|>=|<=|!=|<>|[=<>≠≥≤]|[^\s"«“=<>≠≥≤!]+|[!"«“]/gu
const comparisons: Record<string, Comparison> = {
  '=': '=',
  '≠': '≠',
  '!=': '≠',
  '<>': '≠',
  '>': '>',
  '<': '<',
  '≥': '≥',
  '>=': '≥',
  '≤': '≤',
  '<=': '≤',
}
const MAX_TESTS = 20

/** @returns the error in Russian */
export function readCondition(condition: string): Condition | string {
  const any: Test[][] = [[]]
  let not = false
  let words: string[] = []
  let left: Operand | undefined
  let how: Comparison | undefined
  let wrong: string | undefined
  const take = (): Operand | undefined => {
    const text = words.join(' ')
    words = []
    if (text === '') return undefined
    const literal = /^["«“](.*)["»”]$/u.exec(text)?.[1]
    if (literal !== undefined) return { text: literal }
    return /^[+-]?\d+(?:[.,]\d+)?$|^\d\d\.\d\d\.\d{4}$/.test(text) ? { text } : { path: readPath(text) }
  }
  const close = () => {
    const last = take()
    if (how && left && last) any.at(-1)?.push({ not, left, by: { how, right: last } })
    else if (!how && last) any.at(-1)?.push({ not, left: last })
    else wrong ??= 'в условии чего-то не хватает'
    left = undefined
    how = undefined
    not = false
  }
  for (const [token] of condition.matchAll(TOKEN)) {
    if (token === 'И') close()
    else if (token === 'ИЛИ') {
      close()
      any.push([])
    } else if (token === 'НЕ' && words.length === 0 && !how) not = !not
    else if (comparisons[token]) {
      if (how) wrong ??= 'два сравнения подряд: соедините их словом И'
      left = take()
      how = comparisons[token]
    } else words.push(token)
  }
  close()
  if (any.flat().length > MAX_TESTS) wrong ??= `больше ${MAX_TESTS} условий сразу`
  return wrong ?? any
}
