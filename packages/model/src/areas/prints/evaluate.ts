/** Evaluates a template over a record: markup with values. Steps and length are limited for any template. Pure. */
import { formatDate } from '../../format.ts'
import type { Condition, Operand, Test } from './condition.ts'
import { applyFormats, type SayContext, type Shown } from './formats.ts'
import { empty, encoded } from './markup.ts'
import { type Path, wordKey } from './path.ts'
import type { Piece } from './template.ts'

/** Data behind a template's words: a value, a record with fields, a list of records. */
export type Data = Shown | RecordData | readonly RecordData[]
export interface RecordData {
  /** Text of the record itself. */
  shown: string
  of: { readonly [field: string]: Data }
}

/** Limits per paper. */
export const MAX_STEPS = 300_000
export const MAX_OUTPUT = 2_000_000
/** Values of a list that are joined. */
const MAX_JOINED = 200

export type Evaluated = { html: string } | { refused: string }

class TooMuch extends Error {}

/** Private characters: before a value, and in the place of an empty one. */
const VALUE = '\uE000'
const NOTHING = '\uE001'
/** Part of a sentence between commas that has no value but empty ones: «, ИНН …». Words of the part go with it. */
const EMPTY_PART = new RegExp(
  `,\\s*[^,<>.;()${VALUE}${NOTHING}]{0,40}${NOTHING}(?=\\s*(?:[,.;)]|</?(?:p|td|th|li|h\\d|br)|$))`,
  'g',
)
const EMPTY_BRACKETS = new RegExp(`\\s*\\([^()<>${VALUE}${NOTHING}]{0,20}${NOTHING}\\s*\\)`, 'g')
/** Spaces before an empty value that ends its part of the sentence. */
const EMPTY_END = new RegExp(`\\s+${NOTHING}(?=\\s*[,.;)])`, 'g')
/** An empty value that a sentence begins with, and the comma after it. */
const EMPTY_START = new RegExp(`(^|<(?:p|td|th|li|h\\d)[^<>]*>)\\s*${NOTHING}\\s*,\\s*`, 'g')

/** Removes the text of a template around an empty value: commas, brackets, the words of its part of the sentence. */
const withoutGaps = (html: string): string =>
  html
    .replace(EMPTY_BRACKETS, '')
    .replace(EMPTY_PART, '')
    .replace(EMPTY_START, '$1')
    .replace(EMPTY_END, '')
    .replaceAll(NOTHING, '')
    .replaceAll(VALUE, '')

/**
 * @param root scope of the outermost words
 * @returns markup: elements of the template, values as text, and codes as `<img data-code="qr" alt="…">`
 */
export function evaluate(pieces: readonly Piece[], root: RecordData, context: SayContext): Evaluated {
  let steps = MAX_STEPS
  let room = MAX_OUTPUT
  const out: string[] = []
  const scopes: RecordData[] = [root]

  const put = (html: string) => {
    room -= html.length
    if (room < 0) throw new TooMuch()
    out.push(html)
  }

  function each(list: readonly Piece[]): void {
    for (const piece of list) {
      if (--steps < 0) throw new TooMuch()
      if (piece.type === 'text') put(encoded(piece.text))
      else if (piece.type === 'element') {
        const { tag, attributes, inner } = piece
        put(`<${tag}${attributes}>`)
        if (empty.has(tag)) continue
        each(inner)
        put(`</${tag}>`)
      } else if (piece.type === 'value') say(piece)
      else if (piece.type === 'if') {
        const branch = piece.branches.find(({ when }) => when === undefined || holds(when))
        if (branch) each(branch.inner)
      } else repeat(piece)
    }
  }

  function say({ path, formats }: Extract<Piece, { type: 'value' }>): void {
    const values = valuesOf(path)
    const pictures = values.filter(({ picture }) => picture)
    if (pictures.length) {
      for (const one of pictures) put(`<img src="${encoded(one.picture as string)}" alt="${encoded(one.shown)}">`)
      return
    }
    const shown = (values.length ? values : [{ shown: '' }]).map((value) => applyFormats(value, formats, context))
    const code = shown[0]?.code
    if (code) {
      for (const { text } of shown) if (text) put(`<img data-code="${code}" alt="${encoded(text)}">`)
      return
    }
    for (const { drawing } of values) if (drawing) put(`<img src="${encoded(drawing)}" alt="">`)
    const text = shown
      .map((one) => one.text)
      .filter(Boolean)
      .join(', ')
    put(text ? VALUE + encoded(text).replaceAll('\n', '<br>') : NOTHING)
  }

  function repeat({ path, inner }: Extract<Piece, { type: 'each' }>): void {
    const rows = reached(path).filter(isRecord)
    for (const [at, row] of rows.entries()) {
      scopes.push({
        shown: row.shown,
        of: {
          ...row.of,
          [COUNT]: { shown: String(at + 1), raw: at + 1 },
          [TOTAL]: { shown: String(rows.length), raw: rows.length },
        },
      })
      each(inner)
      scopes.pop()
    }
  }

  /** All values of a path, through every record of the lists on the way. */
  function reached({ found }: Path): (Shown | RecordData)[] {
    if (!found) return []
    const from = scopes.at(-1 - found.up)
    let now: (Shown | RecordData)[] = from ? [from] : []
    for (const key of found.keys) {
      steps -= now.length
      if (steps < 0) throw new TooMuch()
      now = now.flatMap((one): readonly (Shown | RecordData)[] => {
        const next = isRecord(one) && Object.hasOwn(one.of, key) ? one.of[key] : undefined
        return next === undefined ? [] : isList(next) ? next : [next]
      })
    }
    return now
  }

  const valuesOf = (path: Path): Shown[] =>
    reached(path)
      .slice(0, MAX_JOINED)
      .map((one) => (isRecord(one) ? { shown: one.shown } : one))

  const holds = (condition: Condition): boolean => condition.some((tests) => tests.every((test) => passes(test)))

  function passes({ not, left, by }: Test): boolean {
    steps--
    const values = operand(left)
    if (!by) return values.some(isThere) !== not
    const right = operand(by.right)[0] ?? { shown: '' }
    const list = values.length ? values : [{ shown: '' }]
    return list.some((value) => compares(value, by.how, right, context)) !== not
  }

  const operand = (one: Operand): Shown[] => ('path' in one ? valuesOf(one.path) : [{ shown: one.text }])

  try {
    each(pieces)
    return { html: withoutGaps(out.join('')) }
  } catch (error) {
    if (error instanceof TooMuch) return { refused: 'Документ слишком велик: уменьшите повторы в шаблоне' }
    throw error
  }
}

/** Loop variables: number of the record, and count. */
export const COUNT = '#'
export const TOTAL = '##'

const isRecord = (one: Shown | RecordData): one is RecordData => 'of' in one
const isList = (one: Data): one is readonly RecordData[] => Array.isArray(one)

const isThere = ({ shown, raw }: Shown): boolean => shown.trim() !== '' && raw !== false && raw !== 0

const DAY = /^(\d\d)\.(\d\d)\.(\d{4})$/

/** Sort key of a value: a number, a day as YYYY-MM-DD, else its text. */
function rank({ shown, raw }: Shown, { timeZone }: SayContext): number | string {
  if (typeof raw === 'number') return raw
  const text = typeof raw === 'string' ? raw : shown
  const [, date, month, year] = DAY.exec(/^\d{4}-\d\d-\d\d/.test(text) ? formatDate(text, timeZone) : text) ?? []
  if (year) return `${year}-${month}-${date}`
  const plain = text.replace(/[\s\u00a0]/g, '').replace(',', '.')
  return /^[+-]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : wordKey(shown)
}

function compares(a: Shown, how: string, b: Shown, context: SayContext): boolean {
  const [left, right] = [rank(a, context), rank(b, context)]
  const same = left === right || wordKey(a.shown) === wordKey(b.shown)
  if (how === '=') return same
  if (how === '≠') return !same
  if (typeof left !== typeof right) return false
  if (how === '>') return left > right
  if (how === '<') return left < right
  return same || (how === '≥' ? left > right : left < right)
}
