import type { Actor } from '@ordinator/model/access'
import type { AnyFilter, Comparison } from '@ordinator/model/client'
import { type AnyField, type Entity, isVisible } from '@ordinator/model/entity'
import { isReadable, type Operator } from '@ordinator/model/fields/field'
import { otherLayouts } from '@ordinator/model/keyboardLayout'
import { soughtDigits } from '@ordinator/model/phone'
import { soughtSpelling } from '@ordinator/model/spelling'
import { midnight } from '#kit/clock.ts'
import { canName } from './reachable.ts'

/** User-defined conditions of a list: in the filter builder, in the URL, in a saved view. Pure. */

const MAX_CONDITIONS = 20
const MAX_VALUE = 200
/** Maximum words of a search; a filter is limited too. */
const MAX_WORDS = 4
const MAX_SEARCH = 200

/** `value` as in the URL; a list is joined by commas; for a moment it is a day, `YYYY-MM-DD`. */
export interface FieldCondition {
  field: string
  op: Operator
  value: string
}

/** Operators of the builder, in its order. */
export const operatorsOf = (f: AnyField): Operator[] =>
  (f.offered ?? []).filter((op) => f.operators.includes(op) && (op !== 'null' || f.nullable))

const words: Partial<Record<Operator, string>> = {
  eq: 'равно',
  neq: 'не равно',
  in: 'любое из',
  nin: 'кроме',
  gte: 'от',
  lte: 'до',
  gt: 'больше',
  lt: 'меньше',
  ilike: 'содержит',
  like: 'содержит с учётом регистра',
  null: 'заполнено',
}
const dayWords: Partial<Record<Operator, string>> = { eq: 'в день', gte: 'с', lte: 'по' }

export const operatorLabel = (f: AnyField, op: Operator): string =>
  (f.days ? dayWords[op] : undefined) ?? words[op] ?? op

/** Fields the actor may filter by. */
export function filterableFields(entity: Entity, actor: Actor): [string, AnyField][] {
  const { id, ...rest } = entity.all
  return Object.entries({ ...rest, ...(id && { id }) }).filter(
    ([name, f]) =>
      name !== '_version' &&
      name !== 'deleted' &&
      isReadable(f) &&
      isVisible(f, actor) &&
      canName(f, actor) &&
      operatorsOf(f).length > 0,
  )
}

/** `importance.gte.5` for the URL. */
export const conditionText = (c: FieldCondition): string => `${c.field}.${c.op}.${c.value}`

/** Parses the output of `conditionText`; undefined for an unknown field or a wrong value. */
export function parseCondition(entity: Entity, text: unknown): FieldCondition | undefined {
  const parts = typeof text === 'string' ? /^([A-Za-z_]\w{0,63})\.([a-z]{2,5})\.([\s\S]*)$/.exec(text) : null
  if (!parts) return undefined
  const [, field = '', op = '', value = ''] = parts
  const f = Object.hasOwn(entity.all, field) ? entity.all[field] : undefined
  if (!f || !isReadable(f)) return undefined
  const condition = { field, op: op as Operator, value }
  return isSound(f, condition) ? condition : undefined
}

export function parseConditions(entity: Entity, given: unknown): FieldCondition[] {
  const list = Array.isArray(given) ? given : given === undefined ? [] : [given]
  return list
    .slice(0, MAX_CONDITIONS)
    .map((text) => parseCondition(entity, text))
    .filter((condition) => condition !== undefined)
}

/** True when the server will accept it. */
export function isSound(f: AnyField, { op, value }: FieldCondition): boolean {
  if (value.length > MAX_VALUE || value.trim() === '' || !operatorsOf(f).includes(op)) return false
  if (op === 'null') return value === '0' || value === '1'
  if (op === 'in' || op === 'nin') return value.split(',').every((v) => f.parse(v).ok)
  if (f.days === 'moment') return isCalendarDay(value)
  return f.parse(value).ok
}

function isCalendarDay(value: string): boolean {
  if (!/^(19|2\d)\d\d-\d\d-\d\d$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === value
}

/** The server's filter for the search box and the conditions, combined by AND. */
export function filterOf(entity: Entity, search: string, conditions: readonly FieldCondition[]): AnyFilter | undefined {
  const parts: AnyFilter[] = []
  const found = searchFilter(entity, search)
  if (found) parts.push(found)
  for (const condition of conditions) {
    const f = entity.all[condition.field]
    if (f) parts.push({ [condition.field]: comparison(f, condition) })
  }
  return parts.length ? { and: parts } : undefined
}

function comparison(f: AnyField, { op, value }: FieldCondition): Comparison {
  if (op === 'null') return { null: value === '1' }
  if (op === 'in' || op === 'nin') return { [op]: value.split(',') }
  // A day of moments is in the user's time zone: from its midnight to the next one.
  if (f.days === 'moment') {
    if (op === 'gte') return { gte: midnight(value) }
    if (op === 'lte') return { lt: midnight(value, 1) }
    return { gte: midnight(value), lt: midnight(value, 1) }
  }
  return { [op]: value.trim() }
}

/** Fields that the search box searches. */
export const searchFields = (entity: Entity): [string, AnyField][] =>
  Object.entries(entity.fields).filter(([, f]) => f.options.search !== undefined)

/** Fewer letters may be a code or a login. */
const MIN_LETTERS = 4

/** Converts «bdfyjd», typed with the Latin layout, to Russian; undefined: not such a text. */
function inOtherLayout(text: string): string | undefined {
  const isTyped = /^[a-z[\];',.` ]+$/i.test(text) && (text.match(/[a-z]/gi)?.length ?? 0) >= MIN_LETTERS
  return isTyped ? otherLayouts(text)[0] : undefined
}

/** A number also matches the id. */
export function searchFilter(entity: Entity, search: string): AnyFilter | undefined {
  const text = search.trim().slice(0, MAX_SEARCH)
  if (!text) return undefined
  const branches: AnyFilter[] = []
  const meant = inOtherLayout(text)
  for (const [name, f] of searchFields(entity))
    for (const sought of meant ? [text, meant] : [text]) {
      if (f.finds && !f.finds(sought)) continue
      if (!f.operators.includes('ilike')) continue
      if (f.options.search === 'words') branches.push(...byWords(name, sought))
      else branches.push({ [name]: { ilike: sought } })
    }
  if (/^\d{1,15}$/.test(text)) branches.push({ id: Number(text) })
  // Nothing can match: an id that no record has.
  return { or: branches.length ? branches : [{ id: 0 }] }
}

/** A word among others; a part of a number also by its digits: «Орлова 22-33». */
function byWord(field: string, word: string): AnyFilter {
  const numbers = soughtDigits(word).filter((digits) => digits !== word)
  if (numbers.length === 0) return { [field]: { ilike: word } }
  return { or: [word, ...numbers].map((one) => ({ [field]: { ilike: one } })) }
}

/** Each word separately, in any order; a possible number also by its digits. Initials are words of one letter. */
function byWords(field: string, typed: string): AnyFilter[] {
  const text = soughtSpelling(typed)
  const words = text.split(' ').slice(0, MAX_WORDS)
  return [
    words.length === 1 ? { [field]: { ilike: text } } : { and: words.map((word) => byWord(field, word)) },
    ...soughtDigits(text).flatMap((digits) => (digits === text ? [] : [{ [field]: { ilike: digits } }])),
  ]
}
