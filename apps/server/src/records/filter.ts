import { holds } from '@ordinator/model/access'
import type { AnyField, Entity } from '@ordinator/model/entity'
import { isVisible } from '@ordinator/model/entity'
import { isReadable, type Operator } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import { soughtDigits } from '@ordinator/model/phone'
import { soughtSpelling } from '@ordinator/model/spelling'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { badRequest, forbidden } from '#platform/errors.ts'
import { andOwnBranch } from '#records/branches.ts'
import type { ComputedSql, Definition } from './define.ts'
import { type FilterTree, shown } from './params.ts'
import { countSql, partOf } from './parts.ts'
import { and, name } from './plan.ts'
import { aliveSql, type Env, isSeenWithParent, mayDo, sightOf, visible } from './scope.ts'
import { guarded, sealOf } from './sealed.ts'

/** Limits of one filter. */
const MAX_CONDITIONS = 50
const MAX_DEPTH = 6
const MAX_RELATIONS = 3
/**
 * Cost of a filter: each relation it follows costs one, and one more when visibility of the target must be checked.
 * PostgreSQL's time and memory grow with it.
 */
const MAX_STEPS = 40
/** From this cost on, a read goes to the low-priority pool (`costly` of platform/db.ts); the screens' own filters stay below. */
export const COSTLY_STEPS = 20
const MAX_IN = 500
const MAX_VALUE = 1_000

const comparisons: Partial<Record<Operator, Sql>> = { lt: raw('<'), lte: raw('<='), gt: raw('>'), gte: raw('>=') }
const OPERATORS: ReadonlySet<string> = new Set([
  'eq',
  'neq',
  'in',
  'nin',
  'lt',
  'lte',
  'gt',
  'gte',
  'like',
  'ilike',
  'null',
])

/**
 * SQL of a filter tree over the row.
 * @param path prefix of the names of its values, when the statement has another filter too
 * @throws HttpError 400 that names an unknown field, relation, operator or a wrong value; 403 for a forbidden relation
 */
export function filterSql(env: Env, definition: Definition, tree: FilterTree, row: Sql, path = ''): Sql | undefined {
  const left = { conditions: MAX_CONDITIONS, steps: MAX_STEPS }
  const made = group(env, definition, tree, row, left, 0, path)
  if (env.cost) env.cost.steps = Math.max(env.cost.steps, MAX_STEPS - left.steps)
  return made
}

/** Remaining limits of a filter. */
interface Left {
  conditions: number
  steps: number
}

/** The filter without its values, which are passed by place: filters that differ only in values share a plan. */
export function filterShape(tree: FilterTree, places: Record<string, unknown>, path = ''): string {
  const parts = [...tree].map(([key, value]) => {
    const place = `${path}[${key}]`
    if (value instanceof Map) return `${JSON.stringify(key)}:${filterShape(value, places, place)}`
    places[place] = value
    const kind =
      key === 'null'
        ? JSON.stringify(value)
        : Array.isArray(value)
          ? '[]'
          : key === 'ilike'
            ? wordsOf(value).length
            : ''
    return `${JSON.stringify(key)}=${kind}`
  })
  return `{${parts.join()}}`
}

/** Words of a search text that are matched; further ones are ignored. */
const MAX_SOUGHT = 6

/**
 * Several words that are sought in a `words` field become a condition each, in any order, or the digits of a number: a
 * search box sends words apart, other callers send them together. @returns the same tree where there is nothing to change
 */
export function wordsApart(d: Definition, tree: FilterTree): FilterTree {
  const made: FilterTree = new Map()
  const more: FilterTree[] = []
  for (const [key, value] of tree) {
    const words = value instanceof Map ? severalWords(d, key, value) : undefined
    if (words) more.push(...words)
    else if (value instanceof Map && ['or', 'and', 'not'].includes(key))
      made.set(
        key,
        key === 'not'
          ? wordsApart(d, value)
          : new Map([...value].map(([at, branch]) => [at, branch instanceof Map ? wordsApart(d, branch) : branch])),
      )
    else made.set(key, value)
  }
  if (more.length) {
    const there = made.get('and')
    const all = there instanceof Map ? [...there.values()] : []
    made.set('and', listed([...all, ...more]))
  }
  return made
}

const listed = (branches: readonly (FilterTree | string | string[])[]): FilterTree =>
  new Map(branches.map((branch, at) => [String(at), branch]))

function severalWords(d: Definition, key: string, asked: FilterTree): FilterTree[] | undefined {
  const text = asked.get('ilike')
  const f = Object.hasOwn(d.entity.all, key) ? d.entity.all[key] : undefined
  if (f?.options.search !== 'words' || asked.size !== 1 || typeof text !== 'string') return undefined
  const sought = soughtSpelling(text)
  const words = sought.split(' ').slice(0, MAX_SOUGHT)
  if (words.length < 2) return undefined
  const is = (word: string): FilterTree => new Map([[key, new Map([['ilike', word]])]])
  const any = (branches: FilterTree[]): FilterTree =>
    branches.length === 1 ? (branches[0] as FilterTree) : new Map([['or', listed(branches)]])
  const has = (word: string) => any([word, ...soughtDigits(word).filter((digits) => digits !== word)].map(is))
  const digits = soughtDigits(sought)
  if (digits.length === 0) return words.map(has)
  return [any([new Map([['and', listed(words.map(is))]]), ...digits.map(is)])]
}

function group(
  env: Env,
  d: Definition,
  tree: FilterTree,
  row: Sql,
  left: Left,
  depth: number,
  path: string,
): Sql | undefined {
  if (depth > MAX_DEPTH) throw badRequest(`Фильтр глубже ${MAX_DEPTH} уровней`)
  const parts: (Sql | undefined)[] = []
  for (const [key, value] of tree) {
    const place = `${path}[${key}]`
    if (key === 'or' || key === 'and') {
      if (!(value instanceof Map)) throw badRequest(`Фильтр ${key} должен быть списком условий`)
      const isOfPeople = key === 'or' && !env.few && areOfPeople(env, d, value)
      const branches = [...value].map(([index, branch]) => {
        if (!/^\d{1,3}$/.test(index) || !(branch instanceof Map))
          throw badRequest(`Фильтр ${key} должен быть списком условий`)
        const about = isOfPeople ? env.alias() : row
        const asked = group(env, d, branch, about, left, depth + 1, `${place}[${index}]`) ?? sql`true`
        return isOfPeople ? sql`select ${about}."id" from ${name(d.entity.table)} ${about} where ${asked}` : asked
      })
      if (isOfPeople) {
        parts.push(sql`${row}."id" in (${join(branches, ' union all ')})`)
        continue
      }
      const operator = key === 'or' ? raw(' or ') : raw(' and ')
      parts.push(sql`(${branches.reduce((a, b) => sql`${a}${operator}${b}`)})`)
    } else if (key === 'not') {
      if (!(value instanceof Map)) throw badRequest('Фильтр not должен содержать условия')
      const inner = group(env, d, value, row, left, depth + 1, place)
      if (inner) parts.push(sql`(not coalesce((${inner}), false))`)
    } else {
      parts.push(conditions(env, d, key, value, row, left, place))
    }
  }
  return and(parts)
}

/**
 * True when an `or` selects a person's records in several ways, at least one through parts («executor or responsible»).
 * Each branch finds few records by an index; evaluated together row by row, the whole table would be scanned, since no
 * index covers both.
 */
function areOfPeople(env: Env, { entity }: Definition, branches: FilterTree): boolean {
  let parts = 0
  for (const branch of branches.values()) {
    if (!(branch instanceof Map) || branch.size !== 1) return false
    const [[key, value]] = branch as unknown as [[string, unknown]]
    const steps = key.split('.')
    const last = steps.pop() as string
    let at: Entity | undefined = entity
    for (const [i, step] of steps.entries()) {
      const relation: ReturnType<Env['registry']['relation']> = at && env.registry.relation(at, step)
      if (i === 0 && relation?.kind === 'many') parts++
      at = relation?.target.entity
    }
    const f = at && Object.hasOwn(at.all, last) ? at.all[last] : undefined
    if (!f || !isRef(f) || f.to !== env.registry.people.entity.path || typeof value !== 'string') return false
  }
  return parts > 0
}

/** Conditions on one field, by name or through relations, with one value or several operators. */
function conditions(
  env: Env,
  d: Definition,
  key: string,
  value: FilterTree | string | string[],
  row: Sql,
  left: Left,
  path: string,
): Sql | undefined {
  const steps = key.split('.')
  const last = steps.pop() as string
  if (steps.length > MAX_RELATIONS) throw badRequest(`Фильтр ${shown(key)}: больше ${MAX_RELATIONS} связей`)
  const given: [string, string | string[]][] =
    value instanceof Map
      ? [...value].map(([op, v]) => {
          if (v instanceof Map) throw badRequest(`Неизвестный оператор фильтра ${shown(key)}`)
          return [op, v]
        })
      : [['eq', value]]
  left.conditions -= given.length
  if (left.conditions < 0) throw badRequest(`В фильтре больше ${MAX_CONDITIONS} условий`)
  return through(env, d, steps, row, key, left, (target, targetRow) => {
    const f = filterable(env, target.entity, last, key)
    const column = columnSql(env, target, last, f, targetRow)
    const contains = target.contains?.[last]
    const isSought = sealOf(env, target)?.sought.includes(last)
    return and(
      given.map(([op, v]) => {
        const place = value instanceof Map ? `${path}[${op}]` : path
        const give = (read: (given: string | string[]) => unknown, skewed?: boolean): Sql => {
          const checked = read(v)
          return env.valueAt?.(place, read as (given: unknown) => unknown, skewed) ?? sql`${checked}`
        }
        if (!contains || op !== 'ilike') {
          const asked = condition(key, f, column, op, v, give)
          return isSought && op === 'eq' ? asked : guarded(env, target, last, targetRow, asked)
        }
        const pattern = sql`${give((text) => patternOf(parse(f, one(key, text), wrongValue(key))), true)}::text`
        const match = sql`(${contains({ row: targetRow, me: env.me, principals: env.principals }, pattern)})`
        return guarded(env, target, last, targetRow, match, pattern)
      }),
    ) as Sql
  })
}

/** Follows relations to the field; each step matches only rows that the actor may see. */
function through(
  env: Env,
  d: Definition,
  steps: string[],
  row: Sql,
  key: string,
  left: Left,
  finish: (target: Definition, row: Sql) => Sql,
): Sql {
  const [step, ...rest] = steps
  if (step === undefined) return finish(d, row)
  const relation = env.registry.relation(d.entity, step)
  if (!relation) throw badRequest(`Неизвестная связь в фильтре: ${shown(key)}`)
  const { target } = relation
  if (!mayDo(env.actor, 'view', target.entity)) throw forbidden()
  if (relation.kind === 'one') filterable(env, d.entity, relation.by, key)
  const alias = env.alias()
  const link =
    relation.kind === 'one' ? sql`${alias}."id" = ${row}.${name(relation.by)}` : partOf(env, relation, alias, row)
  // A parent is always visible with its record.
  const isUpper = relation.kind === 'one' && relation.by === d.entity.within
  const isVisible =
    (isUpper && sightOf(env, target)) || isSeenWith(env, d, relation)
      ? aliveSql(target, alias)
      : visible(env, target, alias)
  left.steps -= isUpper || isVisible === undefined ? 1 : 2
  if (left.steps < 0) throw badRequest('Фильтр слишком сложный: уберите часть условий через связанные записи')
  const inner = and([link, env.inTrash ? undefined : isVisible, through(env, target, rest, alias, key, left, finish)])
  return sql`exists (select 1 from ${name(target.entity.table)} ${alias} where ${inner})`
}

/** True for parts that are visible whenever their record is: only the record is checked then. */
function isSeenWith(
  env: Env,
  d: Definition,
  { kind, by, target }: NonNullable<ReturnType<Env['registry']['relation']>>,
): boolean {
  return kind === 'many' && isSeenWithParent(env, target, by) && !sightOf(env, target) && !sealOf(env, d)
}

function filterable(env: Env, entity: Entity, field: string, key: string): AnyField {
  const f = Object.hasOwn(entity.all, field) ? entity.all[field] : undefined
  const known = f && isReadable(f) && (env.actor.system || isVisible(f, env.actor))
  if (!known) throw badRequest(`Неизвестное поле в фильтре: ${shown(key)}`)
  return f
}

/** SQL of a field: its column, or the area's expression. */
export function columnSql(env: Env, d: Definition, field: string, f: AnyField, row: Sql): Sql {
  const computed = f.options.computed ? d.computed?.[field] : undefined
  if (!computed) return sql`${row}.${name(field)}`
  const { actor, me, principals } = env
  const about: ComputedSql = {
    row,
    me,
    principals,
    holds: (permission) => actor.system === true || holds(actor, permission),
    isNew: env.isNew === true,
    andOwnBranch: (idFilial) => andOwnBranch(env, idFilial),
    count: (relation, options = {}) => countSql(env, d, row, relation, options),
  }
  return sql`(${computed(about)})`
}

/** Turns a given value into the condition's parameter; `skewed`: the value decides how many rows match. */
type Give = (read: (given: string | string[]) => unknown, skewed?: boolean) => Sql

function condition(key: string, f: AnyField, column: Sql, op: string, value: string | string[], give: Give): Sql {
  const wrong = wrongValue(key)
  if (!OPERATORS.has(op) || !f.operators.includes(op as Operator)) throw wrong(`неизвестный оператор ${shown(op)}`)
  if (op === 'in' || op === 'nin') {
    const list = give((given) => {
      const values = (Array.isArray(given) ? given : given.split(',')).map((v) => parse(f, v.trim(), wrong))
      if (values.length > MAX_IN) throw wrong(`больше ${MAX_IN} значений`)
      return values
    }, true)
    if (f.several) return sql`${column} && ${list}::${raw(f.column)}`
    const array = sql`${list}::${raw(f.column)}[]`
    return op === 'in' ? sql`${column} = any(${array})` : sql`(${column} is null or ${column} <> all(${array}))`
  }
  if (op === 'null') {
    const text = one(key, value)
    if (text !== '0' && text !== '1') throw wrong('значение должно быть 0 или 1')
    if (f.several) return sql`(cardinality(${column}) = 0) = ${raw(text === '1' ? 'true' : 'false')}`
    return text === '1' ? sql`${column} is null` : sql`${column} is not null`
  }
  if (op === 'like' || op === 'ilike') {
    const given = (make: (text: unknown) => string) => give((text) => make(parse(f, one(key, text), wrong)), true)
    if (op === 'like') return sql`${column} like ${given(patternOf)}`
    if (f.options.search !== 'latest')
      return sql`${column} ~* ${given(f.options.spelling === 'fio' ? nameExpressionOf : expressionOf)}`
    const words = wordsOf(one(key, value))
    const has = (at: number) => sql`${column} ~* ${given((text) => expressionOf(wordsOf(String(text))[at] ?? ''))}`
    return join(
      words.map((_, at) => has(at)),
      ' and ',
    )
  }
  const compared = comparisons[op as Operator]
  const parameter = sql`${give((given) => parse(f, one(key, given), wrong), compared !== undefined)}::${raw(f.column)}`
  if (op === 'neq') return sql`${column} is distinct from ${parameter}`
  return compared ? sql`${column} ${compared} ${parameter}` : sql`${column} = ${parameter}`
}

function one(key: string, value: string | string[]): string {
  if (Array.isArray(value)) throw wrongValue(key)('значение указано несколько раз')
  return value
}

const wrongValue = (key: string) => (why: string) => badRequest(`Фильтр ${shown(key)}: ${why}`)

/** Escapes % and _ for `like`. */
export const literal = (text: unknown): string => String(text).replace(/[\\%_]/g, '\\$&')

/** Pattern of «contains». */
const patternOf = (text: unknown): string => `%${literal(text)}%`

const MAX_WORDS = 4
/** Splits a text into words; the last one is the rest of the text. A text without words is returned as it is. */
function wordsOf(text: string): string[] {
  const words = text.trim().split(/\s+/)
  if (words.length <= MAX_WORDS) return words[0] === '' ? [text] : words
  return [...words.slice(0, MAX_WORDS - 1), words.slice(MAX_WORDS - 1).join(' ')]
}

/** Escapes a regular expression: case-insensitive `~*` takes a third of the time of `ilike`, with the same indexes. */
export const expressionOf = (text: unknown): string => String(text).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Words of a name that are matched in any order; more of them are matched in their own. */
const MAX_SHUFFLED = 3

/**
 * Expression of a person's full name: words in any order, initials at the beginning of a word, «е» for «ё». «Пробина М. С.»
 * and «мария пробина» match «Пробина Мария Сергеевна».
 */
function nameExpressionOf(text: unknown): string {
  const words = soughtSpelling(String(text)).split(' ')
  const each = words.map((word) => {
    const letters = expressionOf(word).replace(/[её]/gi, '[её]')
    return [...word].length === 1 && words.length > 1 ? `\\m${letters}` : letters
  })
  return (each.length > MAX_SHUFFLED ? [each] : ordersOf(each)).map((order) => order.join('.*')).join('|')
}

const ordersOf = (words: string[]): string[][] =>
  words.length < 2
    ? [words]
    : words.flatMap((word, at) => ordersOf(words.toSpliced(at, 1)).map((rest) => [word, ...rest]))

function parse(f: AnyField, text: string, wrong: (why: string) => Error): unknown {
  if (text.length > MAX_VALUE) throw wrong('слишком длинное значение')
  const checked = f.parse(text)
  if (!checked.ok) throw wrong(checked.message)
  return checked.value
}
