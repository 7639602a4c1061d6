import { examinationCalls, type FoundTerm, MAX_TERMS } from '@ordinator/model/areas/examinations/calls'
import { Dictionary, DictionaryTerm, ICD10 } from '@ordinator/model/areas/examinations/dictionary'
import { schemes } from '@ordinator/model/identifiers'
import { inLatinLayout } from '@ordinator/model/keyboardLayout'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { notFound, ValidationError } from '../../platform/errors.ts'
import { records } from '../../records/define.ts'
import { foundOn } from '../../records/foundOn.ts'
import { operation } from '../../records/operation.ts'
import { clinicZone } from '../settings/index.ts'

const today: Sql = sql`(now() at time zone ${clinicZone})::date`

/** SQL of whether a term is in force on a day. */
const inForce = (row: Sql, day: Sql): Sql =>
  sql`${row}."dateFrom" <= ${day} and (${row}."dateTo" is null or ${row}."dateTo" >= ${day})`

/** SQL of the terms of a dictionary that are in force today. */
const termsSql = (row: Sql): Sql => sql`from dictionaries_terms t
  where t."idDictionary" = ${row}."id" and not t."deleted" and ${inForce(raw('t'), today)}`

/** SQL of when a file was last taken in; null: never. An import that was taken back is none. */
const loadedSql = (row: Sql): Sql => sql`(select max(i."dateEnd") from imports i
  where i."kind" = 'terms' and i."state" = 'done' and (i."params" ->> 'idDictionary')::bigint = ${row}."id")`

export const dictionaries = records(Dictionary, {
  found: foundOn('dictionaries'),
  computed: {
    termsCount: ({ row }) => sql`(select count(*)::int ${termsSql(row)})`,
    dateLoad: ({ row }) => loadedSql(row),
    state: ({ row }) => sql`case when ${row}."oid" is null then 'own'
      when not exists (select 1 ${termsSql(row)}) then 'empty'
      when ${loadedSql(row)} > now() - make_interval(days => ${row}."checkDays") then 'fresh'
      else 'due' end`,
  },
})

export const terms = records(DictionaryTerm, {
  hooks: {
    prepare(value, before) {
      const from = value.dateFrom ?? before?.dateFrom
      const to = value.dateTo === undefined ? before?.dateTo : value.dateTo
      if (from && to && to < from)
        throw new ValidationError([{ field: 'dateTo', message: 'Кончается раньше, чем начинается' }])
    },
    async beforeCreate({ tx }, value) {
      value.code = await codeOf(tx, value.idDictionary, value.code)
    },
    async beforeUpdate({ tx }, value, before) {
      if (value.code !== undefined) value.code = await codeOf(tx, before.idDictionary, value.code)
    },
    /** The name before it, which ended for it, goes on: so an edition that is taken back leaves what was. */
    async afterDelete({ records: all }, { idDictionary, code, dateFrom, dateTo }) {
      await all.asSystem.updateWhere(
        DictionaryTerm,
        ({ row }) => sql`${row}."idDictionary" = ${idDictionary} and ${row}."code" = ${code}
          and ${row}."dateTo" = ${dateFrom}::date - 1`,
        { dateTo },
        { pastHooks: 'It takes the days of the one that is gone' },
      )
    },
  },
})

/** A code of МКБ-10 is written in one way; those of other lists as the clinic writes them. */
async function codeOf(
  tx: { one<T>(query: Sql): Promise<T | undefined> },
  idDictionary: number,
  written: string,
): Promise<string> {
  const of = await tx.one<{ code: string }>(sql`select "code" from dictionaries where "id" = ${idDictionary}`)
  if (of?.code !== ICD10) return written
  const read = schemes.icd10.read(written)
  if (!read.ok) throw new ValidationError([{ field: 'code', message: read.message }])
  return read.value
}

/** Words that are looked for at once. */
const MAX_WORDS = 6

/** Letters that look alike, so that a code is found whichever of them is typed. */
const LOOK_ALIKE = ['АВЕКМНОРСТУХ', 'ABEKMHOPCTYX'] as const
const latin = (text: string): string =>
  text.toUpperCase().replace(/[АВЕКМНОРСТУХ]/g, (letter) => LOOK_ALIKE[1][LOOK_ALIKE[0].indexOf(letter)] as string)
const codeIn = (text: string): string => latin(text).replaceAll(',', '.')
const CODE = /^[A-Z]\d[\dA-Z.]*$/

/** The codes that what is typed may begin: as it looks, and, of «Ш10» or «О06», as its keys are in the other layout. */
const codesIn = (asked: string): string[] =>
  [...new Set([codeIn(asked), codeIn(inLatinLayout(asked))])].filter((code) => CODE.test(code))

/** SQL of the words of a term, which an index knows. */
const wordsSql = raw('term_words(t."name")')
/** A word of one or two letters is looked for at the start of words, for no index knows it inside them. */
const hasWord = (word: string): Sql =>
  word.length < 3
    ? sql`(${wordsSql} like ${`${pattern(word)}%`} or ${wordsSql} like ${`% ${pattern(word)}%`})`
    : sql`${wordsSql} like ${`%${pattern(word)}%`}`

const pattern = (words: string): string => words.replace(/[\\%_]/g, '\\$&')
const hasCode = (code: string): Sql => sql`t."code" ilike ${`${pattern(code)}%`}`
/** «B12» may be said of a vitamin as well. */
const hasWordOrCode = (word: string): Sql =>
  CODE.test(codeIn(word)) ? sql`(${hasCode(codeIn(word))} or ${hasWord(latin(word).toLowerCase())})` : hasWord(word)

/** SQL of how well a name fits: the first word begins it, and how many of the words do not begin one of its own. */
const fit = (words: readonly string[]): Sql =>
  sql`${wordsSql} like ${`${pattern(words[0] as string)}%`} desc, ${join(
    words.map((word) => sql`(${wordsSql} !~ ${`\\m${word.replace(/[^\p{L}\d]/gu, '.')}`})::int`),
    ' + ',
  )}, length(t."name"),`

/**
 * What begins so, by code: the very code, then those below it. Else terms with all the words, those first whose name
 * begins with the first of them, then those where they begin words, the shorter name before the longer one.
 */
export const searchTerms = operation(examinationCalls.terms, async ({ app, params, query }) => {
  const dictionary = await app.db.reads.one<{ id: number }>(
    sql`select "id" from dictionaries where "code" = ${params.code} and not "deleted"`,
  )
  if (!dictionary) throw notFound('Такого справочника нет')
  const asked = query.q.trim().replaceAll('\0', '')
  const day = query.day ? sql`${query.day}::date` : today
  const words = asked.toLocaleLowerCase('ru').replaceAll('ё', 'е').split(/\s+/).filter(Boolean).slice(0, MAX_WORDS)
  const search = (found: Sql, order: Sql) =>
    app.db.reads.query<FoundTerm>(sql`select t."code", t."name", t."group" from dictionaries_terms t
      where t."idDictionary" = ${dictionary.id} and not t."deleted" and ${inForce(raw('t'), day)} and ${found}
      order by ${order} t."code" limit ${MAX_TERMS}`)
  const byWords = () => search(join(words.map(hasWordOrCode), ' and '), fit(words))
  if (!asked) return search(raw('true'), raw(''))
  const codes = codesIn(asked)
  const [first = codeIn(asked)] = codes
  if (codes.length || /^[A-Z]$/.test(first) || !/\p{L}{2}/u.test(asked)) {
    const begun =
      codes.length > 1
        ? await search(
            sql`(${join(codes.map(hasCode), ' or ')})`,
            sql`t."code" = any(${codes}::text[]) desc, ${hasCode(first)} desc,`,
          )
        : await search(hasCode(first), raw(''))
    if (!codes.length || begun.some((term) => term.code.startsWith(first))) return begun
    // «в12» is D12 by its keys, and a vitamin by its words.
    return [...begun, ...(await byWords())].slice(0, MAX_TERMS)
  }
  return byWords()
})

/** The dictionary that a field of a form names. @throws ValidationError */
export async function mustHaveDictionaries(
  tx: { query<T>(query: Sql): Promise<T[]> },
  codes: readonly string[],
): Promise<void> {
  if (codes.length === 0) return
  const there = new Set(
    (
      await tx.query<{ code: string }>(
        sql`select "code" from dictionaries where "code" = any(${codes}::text[]) and not "deleted"`,
      )
    ).map(({ code }) => code),
  )
  const lost = codes.find((code) => !there.has(code))
  if (lost !== undefined) throw new ValidationError([{ field: 'form', message: `Нет справочника с кодом «${lost}»` }])
}
