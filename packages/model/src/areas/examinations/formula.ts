/**
 * Formulas of examination forms: numbers, field names, + − × ÷ ^, comparisons and a few functions. Parsed once,
 * evaluated on every keystroke. Pure. A comma is the decimal separator, as in Russian; «;» separates arguments.
 */

export const MAX_FORMULA = 500
/** Maximum nesting of brackets. */
const MAX_DEPTH = 40

export type Formula =
  | { is: 'number'; value: number }
  | { is: 'field'; key: string }
  | { is: 'minus'; of: Formula }
  | { is: 'operator'; sign: Sign; left: Formula; right: Formula }
  | { is: 'call'; name: FunctionName; args: Formula[] }

type Sign = '+' | '-' | '*' | '/' | '^' | '<' | '>' | '<=' | '>=' | '=' | '<>'

/** Result of a formula: a number, or why there is none yet. `why` is absent when a field is only empty. */
export type Reckoned = { value: number; why?: undefined } | { value?: undefined; why?: string }

const functions = {
  round: { says: 'округл', takes: [1, 2] },
  min: { says: 'мин', takes: [1, 20] },
  max: { says: 'макс', takes: [1, 20] },
  sum: { says: 'сумма', takes: [1, 60] },
  abs: { says: 'модуль', takes: [1, 1] },
  sqrt: { says: 'корень', takes: [1, 1] },
  if: { says: 'если', takes: [3, 3] },
} as const
type FunctionName = keyof typeof functions

/** Names of functions, for the help under the field. */
export const functionNames: readonly string[] = Object.values(functions).map(({ says }) => says)

/** A syntax error of a formula, in Russian. */
export class FormulaError extends Error {}

interface Token {
  kind: 'number' | 'name' | 'sign' | 'end'
  text: string
}

const SPACE = /\s+/y
const NUMBER = /\d+(?:[.,]\d+)?/y
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy
const SIGN = /<=|>=|<>|≤|≥|≠|[-+*/^()<>=;×÷−–·:]/y
/** Alternative spellings of the operators. */
const sameSigns: Readonly<Record<string, string>> = {
  '×': '*',
  '·': '*',
  '÷': '/',
  ':': '/',
  '−': '-',
  '–': '-',
  '≤': '<=',
  '≥': '>=',
  '≠': '<>',
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  while (at < text.length) {
    if (take(SPACE) !== undefined) continue
    const number = take(NUMBER)
    if (number !== undefined) {
      tokens.push({ kind: 'number', text: number.replace(',', '.') })
      continue
    }
    const name = take(NAME)
    if (name !== undefined) {
      tokens.push({ kind: 'name', text: name.toLocaleLowerCase('ru') })
      continue
    }
    const sign = take(SIGN)
    if (sign !== undefined) {
      tokens.push({ kind: 'sign', text: sameSigns[sign] ?? sign })
      continue
    }
    if (text[at] === ',')
      throw new FormulaError('Запятая стоит только внутри числа: значения разделяют точкой с запятой')
    throw new FormulaError(`Непонятный знак «${String.fromCodePoint(text.codePointAt(at) ?? 0)}»`)
  }
  tokens.push({ kind: 'end', text: '' })
  return tokens
}

/** Operators by precedence, the lowest first; each level is left-associative. */
const levels: readonly (readonly Sign[])[] = [
  ['<', '>', '<=', '>=', '=', '<>'],
  ['+', '-'],
  ['*', '/'],
]

/** @throws FormulaError */
export function readFormula(text: string): Formula {
  if (text.length > MAX_FORMULA) throw new FormulaError(`Формула длиннее ${MAX_FORMULA} знаков`)
  const tokens = tokensOf(text)
  let at = 0
  let depth = 0
  const peek = () => tokens[at] as Token
  const next = () => tokens[at++] as Token
  const isSign = (sign: string) => peek().kind === 'sign' && peek().text === sign
  const expect = (sign: string) => {
    if (!isSign(sign)) throw new FormulaError(`Не хватает «${sign}»${whereOf(peek())}`)
    next()
  }

  const level = (of: number): Formula => {
    const signs = levels[of]
    if (!signs) return power()
    let left = level(of + 1)
    while (peek().kind === 'sign' && (signs as readonly string[]).includes(peek().text)) {
      const sign = next().text as Sign
      left = { is: 'operator', sign, left, right: level(of + 1) }
    }
    return left
  }
  const power = (): Formula => {
    if (isSign('-')) {
      next()
      return { is: 'minus', of: deeper(power) }
    }
    const left = single()
    if (!isSign('^')) return left
    next()
    return { is: 'operator', sign: '^', left, right: deeper(power) }
  }
  const deeper = <T>(read: () => T): T => {
    if (++depth > MAX_DEPTH) throw new FormulaError('Слишком много скобок')
    const found = read()
    depth--
    return found
  }
  const single = (): Formula => {
    const token = next()
    if (token.kind === 'number') return { is: 'number', value: Number(token.text) }
    if (token.kind === 'sign' && token.text === '(') {
      const inside = deeper(() => level(0))
      expect(')')
      return inside
    }
    if (token.kind !== 'name')
      throw new FormulaError(token.kind === 'end' ? 'Формула обрывается' : `Лишнее «${token.text}»`)
    if (!isSign('(')) return { is: 'field', key: token.text }
    const name = functionOf(token.text)
    next()
    const args: Formula[] = []
    if (!isSign(')'))
      do {
        if (args.length) next()
        args.push(deeper(() => level(0)))
      } while (isSign(';'))
    expect(')')
    const [least, most] = functions[name].takes
    if (args.length < least || args.length > most)
      throw new FormulaError(
        `«${token.text}» берёт ${least === most ? least : `от ${least} до ${most}`} значений через «;»`,
      )
    return { is: 'call', name, args }
  }

  const formula = level(0)
  if (peek().kind !== 'end') throw new FormulaError(`Лишнее «${peek().text}»`)
  return formula
}

const whereOf = ({ kind, text }: Token): string => (kind === 'end' ? '' : ` перед «${text}»`)

function functionOf(typed: string): FunctionName {
  for (const [name, { says }] of Object.entries(functions))
    if (typed === name || typed === says) return name as FunctionName
  throw new FormulaError(`Нет такой функции: «${typed}». Есть ${functionNames.join(', ')}`)
}

/** Field names used by a formula. */
export function fieldsOf(formula: Formula): Set<string> {
  const found = new Set<string>()
  const walk = (one: Formula): void => {
    if (one.is === 'field') found.add(one.key)
    else if (one.is === 'minus') walk(one.of)
    else if (one.is === 'operator') {
      walk(one.left)
      walk(one.right)
    } else if (one.is === 'call') one.args.forEach(walk)
  }
  walk(formula)
  return found
}

/** Aborts the evaluation: a value is missing. */
class NoValue {
  readonly why: string | undefined
  constructor(why?: string) {
    this.why = why
  }
}

const BY_ZERO = 'Деление на ноль'
const TOO_LARGE = 'Не считается с этими числами'

/**
 * @param numberOf the number of a field; undefined: it is empty
 * @returns no value instead of Infinity or NaN
 */
export function reckon(formula: Formula, numberOf: (key: string) => Reckoned | undefined): Reckoned {
  try {
    return { value: worthOf(formula, numberOf) }
  } catch (stop) {
    if (stop instanceof NoValue) return stop.why === undefined ? {} : { why: stop.why }
    throw stop
  }
}

function worthOf(formula: Formula, numberOf: (key: string) => Reckoned | undefined): number {
  switch (formula.is) {
    case 'number':
      return formula.value
    case 'field': {
      const found = numberOf(formula.key)
      if (found?.value === undefined) throw new NoValue(found?.why)
      return found.value
    }
    case 'minus':
      return -worthOf(formula.of, numberOf)
    case 'operator':
      return whole(apply(formula.sign, worthOf(formula.left, numberOf), worthOf(formula.right, numberOf)))
    case 'call': {
      const { name, args } = formula
      // Only the selected branch is evaluated, so that the other may use empty fields.
      if (name === 'if') {
        const [test, yes, no] = args as [Formula, Formula, Formula]
        return worthOf(worthOf(test, numberOf) === 0 ? no : yes, numberOf)
      }
      return whole(
        call(
          name,
          args.map((one) => worthOf(one, numberOf)),
        ),
      )
    }
  }
}

const whole = (value: number): number => {
  if (!Number.isFinite(value)) throw new NoValue(TOO_LARGE)
  return value
}

function apply(sign: Sign, a: number, b: number): number {
  switch (sign) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      if (b === 0) throw new NoValue(BY_ZERO)
      return a / b
    case '^':
      if (a === 0 && b < 0) throw new NoValue(BY_ZERO)
      return a ** b
    case '<':
      return Number(a < b)
    case '>':
      return Number(a > b)
    case '<=':
      return Number(a <= b)
    case '>=':
      return Number(a >= b)
    case '=':
      return Number(a === b)
    case '<>':
      return Number(a !== b)
  }
}

function call(name: Exclude<FunctionName, 'if'>, args: readonly number[]): number {
  const [first = 0, second = 0] = args
  switch (name) {
    case 'round':
      return rounded(first, Math.min(10, Math.max(0, Math.trunc(second))))
    case 'min':
      return Math.min(...args)
    case 'max':
      return Math.max(...args)
    case 'sum':
      return args.reduce((total, one) => total + one, 0)
    case 'abs':
      return Math.abs(first)
    case 'sqrt':
      if (first < 0) throw new NoValue('Корень из отрицательного числа')
      return Math.sqrt(first)
  }
}

/** Rounds half away from zero; 1,005 gives 1,01. */
export function rounded(value: number, digits: number): number {
  const shifted = Number(`${Math.abs(value)}e${digits}`)
  if (!Number.isFinite(shifted)) return Number(value.toFixed(digits))
  return Math.sign(value) * Number(`${Math.round(shifted)}e-${digits}`)
}
