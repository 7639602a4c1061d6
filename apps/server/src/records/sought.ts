/**
 * Matching of typed words, for the global search and for the choice of a record in a form: every word occurs in some of
 * the searched fields, in any order and with any ending; a number, a phone or a day is recognised by its form.
 */
import { type AnyField, isVisible } from '@ordinator/model/entity'
import { isReadable } from '@ordinator/model/fields/field'
import { soughtDigits } from '@ordinator/model/phone'
import { mistakesOf, soughtSpelling, wordStem } from '@ordinator/model/spelling'
import { midnightIn } from '@ordinator/model/zone'
import sql, { join, type Sql } from 'sql-template-tag'
import type { Definition, Found } from './define.ts'
import { columnSql, expressionOf, literal } from './filter.ts'
import { and } from './plan.ts'
import type { Asked } from './records.ts'
import type { Env } from './scope.ts'
import { guarded } from './sealed.ts'

/** Further words are ignored. */
const MAX_WORDS = 6
/** Fewer digits are not matched against phones or documents. */
const MIN_DIGITS = 4
/** A word this short matches only at the start of words: no index finds it inside. */
const SHORT = 2

/** Parses the input. A date without a year is in the current year. */
export function askedOf(typed: string, today: string): Asked {
  const text = soughtSpelling(typed, Number(today.slice(0, 4)))
  const asked: Asked = { text, words: text.split(' ').slice(0, MAX_WORDS) }
  const number = /^#?(\d{1,9})$/.exec(text)
  if (number) asked.id = Number(number[1])
  if (/^[\d\s()+.\-–]+$/.test(text) && text.replace(/\D/g, '').length >= MIN_DIGITS) asked.number = text
  const date = /^(\d{1,2})\.(\d{1,2})(?:\.(\d{4}))?$/.exec(text)
  if (date) {
    const day = `${date[3] ?? today.slice(0, 4)}-${date[2]?.padStart(2, '0')}-${date[1]?.padStart(2, '0')}`
    if (new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)) asked.day = day
  }
  return asked
}

/** The fields that a search within the records of one entity looks into. */
export function soughtFields({ entity, found }: Definition): Pick<Found, 'by' | 'day'> | undefined {
  const by = Object.entries(entity.fields).flatMap(([field, f]) => (f.options.search === undefined ? [] : [field]))
  if (by.length > 0) return { by, ...(found?.day && { day: found.day }) }
  return found ?? (entity.title ? { by: [entity.title] } : undefined)
}

/** Order of matches: the number itself, an equal name, a name that begins so, a word that begins so, the rest. */
export function rankSql(id: Sql, title: Sql, asked: Asked): Sql {
  const start = literal(asked.text)
  return sql`case when ${id} = ${asked.id ?? 0}::bigint then 0 when lower(${title}) = lower(${asked.text}) then 1
    when ${title} ilike ${`${start}%`} then 2 when ${title} ilike ${`% ${start}%`} then 3
    when similarity(split_part(${title}, ' ', 1), ${asked.words[0] ?? ''}) >= 0.4 then 4 else 5 end`
}

/**
 * Conditions of which one must hold: each is cheap by an index, where one with `or` would scan the table. With
 * `asked.forgiving` a word may have one mistake. Empty: the actor may search none of the fields.
 */
export function soughtSql(
  env: Env,
  d: Definition,
  { by, day }: Pick<Found, 'by' | 'day'>,
  asked: Asked,
  row: Sql,
): Sql[] {
  const { entity } = d
  const asks = (field: string) => {
    const f = entity.all[field] as AnyField
    return isReadable(f) && (env.actor.system === true || isVisible(f, env.actor))
  }
  const fields = by.filter(asks).map((field): [string, AnyField] => [field, entity.all[field] as AnyField])
  if (fields.length === 0) return []
  const about = { row, me: env.me, principals: env.principals }
  const columns = fields.map(([field, f]) => {
    const column = columnSql(env, d, field, f, row)
    const contains = d.contains?.[field]
    const inside = (pattern: Sql, otherwise: Sql) =>
      guarded(env, d, field, row, contains ? contains(about, pattern) : otherwise, pattern)
    return {
      f,
      /** Condition: the field contains the word. */
      has: (word: string): Sql =>
        word.length > SHORT
          ? inside(patternOf(word), containsSql(column, word, asked.forgiving))
          : guarded(env, d, field, row, containsSql(column, word), patternOf(word)),
      /** Condition: the field contains these digits. */
      hasDigits: (digits: string): Sql => inside(patternOf(digits), sql`${column} like ${patternOf(digits)}`),
    }
  })
  const any = [
    and(
      asked.words.map(
        (word) =>
          sql`(${join(
            columns.flatMap(({ f, has, hasDigits }) => [
              has(word),
              // A part of a number beside other words: «Орлова 22-33».
              ...(asked.words.length > 1 && soughtDigits(word).length ? readingsOf(f, word) : []).map(hasDigits),
            ]),
            ' or ',
          )})`,
      ),
    ) as Sql,
  ]
  // A number in any format is searched in the stored format of its field.
  if (asked.number !== undefined)
    for (const { f, hasDigits } of columns) any.push(...readingsOf(f, asked.number).map(hasDigits))
  if (asked.id !== undefined) any.push(sql`${row}."id" = ${asked.id}::bigint`)
  if (asked.day && day && asks(day)) any.push(guarded(env, d, day, row, onDay(env, d, day, asked.day, row)))
  return any
}

/** A number as the field may hold it, where that is not as it is written. */
function readingsOf(f: AnyField, written: string): string[] {
  const kept = f.parse(written)
  const readings = f.options.search === 'words' ? soughtDigits(written) : kept.ok ? [String(kept.value)] : []
  return readings.filter((digits) => digits !== written)
}

const patternOf = (text: string): Sql => sql`${`%${literal(text)}%`}::text`

function containsSql(column: Sql, word: string, isForgiving = false): Sql {
  if (word.length > SHORT) return sql`${column} ~* ${wordExpression(word, isForgiving)}`
  return sql`(${column} ilike ${`${literal(word)}%`} or ${column} ilike ${`% ${literal(word)}%`})`
}

/** The date is in the user's time zone. */
function onDay(env: Env, d: Definition, field: string, day: string, row: Sql): Sql {
  const f = d.entity.all[field] as AnyField
  const column = columnSql(env, d, field, f, row)
  if (f.column === 'date') return sql`${column} = ${day}::date`
  const at = (later: number) => sql`${midnightIn(env.actor.timeZone, day, later)}::timestamptz`
  return sql`(${column} >= ${at(0)} and ${column} < ${at(1)})`
}

/** Expression of a word with any ending, «е» for «ё»; with `isForgiving` also with one mistake. */
function wordExpression(word: string, isForgiving: boolean): string {
  const letters = (text: string) => expressionOf(text).replace(/[её]/gi, '[её]')
  const mistakes = isForgiving ? mistakesOf(word) : []
  return [
    letters(wordStem(word)),
    ...mistakes.map(([before, after]) => `${letters(before)}${before && after ? '.{0,2}' : ''}${letters(after)}`),
  ].join('|')
}
