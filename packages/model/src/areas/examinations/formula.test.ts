import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FormulaError, fieldsOf, readFormula, reckon, rounded } from './formula.ts'

const given = { вес: 80, рост: 180, ноль: 0, минус: -4 } as Record<string, number>
const numberOf = (key: string) => (Object.hasOwn(given, key) ? { value: given[key] as number } : undefined)
const worthOf = (text: string) => reckon(readFormula(text), numberOf)

describe('a formula', () => {
  it.each([
    ['вес / (рост / 100) ^ 2', 24.691_358],
    ['2 + 3 × 4 − 1', 13],
    ['10 - 4 - 3', 3],
    ['100 : 4 ÷ 5', 5],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['1,5 * 2', 3],
    ['округл(вес / 3; 1)', 26.7],
    ['мин(вес; рост; 3) + max(1; 2)', 5],
    ['сумма(1; 2; 3)', 6],
    ['модуль(минус) + корень(16)', 8],
    ['если(вес > 70; 1; 0) + если(вес = 80; 10; 0) + если(вес ≤ 79; 100; 0)', 11],
    ['если(ноль = 0; 5; 1 / ноль)', 5],
  ])('%s is %d', (text, wanted) => {
    expect(worthOf(text).value).toBeCloseTo(wanted, 5)
  })

  it('is empty with a word where it cannot be reckoned, and silent where a field is only not filled in', () => {
    expect(worthOf('1 / ноль')).toEqual({ why: 'Деление на ноль' })
    expect(worthOf('ноль ^ -1')).toEqual({ why: 'Деление на ноль' })
    expect(worthOf('корень(минус)')).toEqual({ why: 'Корень из отрицательного числа' })
    expect(worthOf('10 ^ 400')).toEqual({ why: 'Не считается с этими числами' })
    expect(worthOf('вес + талия')).toEqual({})
  })

  it.each([
    ['', 'обрывается'],
    ['1 +', 'обрывается'],
    ['(1', 'Не хватает «)»'],
    ['1 2', 'Лишнее «2»'],
    ['мин(1, 2)', 'Запятая стоит только внутри числа'],
    ['если(1; 2)', 'берёт 3 значений'],
    ['синус(1)', 'Нет такой функции'],
    ['вес & рост', 'Непонятный знак «&»'],
    ['(((('.repeat(20), 'Слишком много скобок'],
    ['-'.repeat(200), 'Слишком много скобок'],
    ['1'.repeat(501), 'длиннее'],
  ])('%s is refused in words', (text, words) => {
    expect(() => readFormula(text)).toThrow(FormulaError)
    expect(() => readFormula(text)).toThrow(words)
  })

  it.each(['constructor', '__proto__', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'])(
    '%s is a name like any other: it reaches no object of the program',
    (name) => {
      expect(worthOf(name)).toEqual({})
      expect(worthOf(`${name} + 1`)).toEqual({})
      expect(() => readFormula(`${name}(1)`)).toThrow('Нет такой функции')
      for (const text of [`вес.${name}`, `вес[${name}]`, `"${name}"`, `вес = > ${name}`, `\`\${${name}}\``])
        expect(() => readFormula(text), text).toThrow(FormulaError)
    },
  )

  it('costs no more than its length, whatever it repeats', () => {
    const longest = [
      `1${'-1'.repeat(249)}`,
      `2${'^2'.repeat(40)}`,
      `сумма(${Array(60).fill('вес').join(';')})`,
      `${'если(1;'.repeat(40)}1${';0)'.repeat(40)}`,
    ]
    let asked = 0
    const counting = (key: string) => {
      asked++
      return numberOf(key)
    }
    for (const text of longest) reckon(readFormula(text), counting)
    expect(asked).toBe(60)
  })

  it('names the fields that it asks for', () => {
    expect([...fieldsOf(readFormula('если(вес > 1; рост; Вес)'))]).toEqual(['вес', 'рост'])
  })

  it('rounds as people do', () => {
    expect(rounded(1.005, 2)).toBe(1.01)
    expect(rounded(-2.5, 0)).toBe(-3)
    expect(rounded(0.000_000_04, 2)).toBe(0)
  })
})

/** Formulas with their value, computed independently. */
const sums: fc.Arbitrary<{ text: string; value: number }> = fc.letrec<{ sum: { text: string; value: number } }>(
  (tie) => ({
    sum: fc.oneof(
      { maxDepth: 5 },
      fc.integer({ min: 0, max: 1000 }).map((value) => ({ text: String(value), value })),
      fc.tuple(tie('sum'), fc.constantFrom('+', '-', '*', '/'), tie('sum')).map(([a, sign, b]) => ({
        text: `(${a.text} ${sign} ${b.text})`,
        value:
          sign === '+'
            ? a.value + b.value
            : sign === '-'
              ? a.value - b.value
              : sign === '*'
                ? a.value * b.value
                : b.value === 0
                  ? Number.NaN
                  : a.value / b.value,
      })),
    ),
  }),
).sum

describe('any formula', () => {
  it('gives what arithmetic gives, and nothing where that divides by zero', () => {
    fc.assert(
      fc.property(sums, ({ text, value }) => {
        fc.pre(text.length <= 500)
        let found: ReturnType<typeof reckon>
        try {
          found = reckon(readFormula(text), () => undefined)
        } catch (error) {
          // Too deeply nested brackets are rejected.
          return error instanceof FormulaError
        }
        return Number.isFinite(value) ? found.value === value : found.value === undefined && found.why !== undefined
      }),
    )
  })

  it('is read or refused in words, and never gives what is no number', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'12,.; ()+-*/^<>=вес минx'), maxLength: 60 }), (text) => {
        try {
          const { value } = reckon(readFormula(text), numberOf)
          return value === undefined || Number.isFinite(value)
        } catch (error) {
          return error instanceof FormulaError
        }
      }),
    )
  })
})
