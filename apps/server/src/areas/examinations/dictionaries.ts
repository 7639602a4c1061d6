import { examinationCalls, type FoundTerm, MAX_TERMS } from '@ordinator/model/areas/examinations/calls'
import { Dictionary, DictionarySynonym, DictionaryTerm, ICD10 } from '@ordinator/model/areas/examinations/dictionary'
import { namedBy, plainWords, type Synonym, stemsOf } from '@ordinator/model/areas/examinations/words'
import { schemes } from '@ordinator/model/identifiers'
import { inLatinLayout } from '@ordinator/model/keyboardLayout'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import { notFound, ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import { searchTarget } from '#records/searchTarget.ts'

/** SQL condition: a term is in force on a day. */
const inForce = (row: Sql, day: Sql): Sql =>
  sql`${row}."dateFrom" <= ${day} and (${row}."dateTo" is null or ${row}."dateTo" >= ${day})`

/** SQL of the terms of a dictionary in force today. */
const termsSql = (row: Sql): Sql => sql`from dictionaries_terms t
  where t."idDictionary" = ${row}."id" and not t."deleted" and ${inForce(raw('t'), clinicToday)}`

/** SQL of the time of the last import; null: never. An undone import does not count. */
const loadedSql = (row: Sql): Sql => sql`(select max(i."dateEnd") from imports i
  where i."kind" = 'terms' and i."state" = 'done' and (i."params" ->> 'idDictionary')::bigint = ${row}."id")`

export const dictionaries = records(Dictionary, {
  found: searchTarget('dictionaries'),
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
    /** Reopens the previous name, which ended for the deleted one: so undoing an edition restores the former state. */
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

export const synonyms = records(DictionarySynonym, {
  hooks: {
    prepare(value) {
      if (value.name !== undefined) value.name = plainWords(value.name)
      if (value.name === '') throw new ValidationError([{ field: 'name', message: 'Напишите слова или сокращение' }])
      if (value.codes === undefined) return
      const codes = value.codes.split(/[,;\s]+/).filter(Boolean)
      if (codes.length === 0) throw new ValidationError([{ field: 'codes', message: 'Укажите хотя бы один код' }])
      value.codes = codes.map((code) => code.toLocaleUpperCase('ru')).join(',')
    },
    async beforeCreate({ tx }, value) {
      value.codes = await knownCodes(tx, value.idDictionary, value.codes)
    },
    async beforeUpdate({ tx }, value, before) {
      if (value.codes !== undefined) value.codes = await knownCodes(tx, before.idDictionary, value.codes)
    },
  },
})

/** Codes normalized by the dictionary. @throws ValidationError that names missing ones */
async function knownCodes(tx: { query<T>(query: Sql): Promise<T[]> }, idDictionary: number, written: string) {
  const codes = written.split(',')
  const [dictionary] = await tx.query<{ code: string }>(
    sql`select "code" from dictionaries where "id" = ${idDictionary}`,
  )
  const asked = dictionary?.code === ICD10 ? codes.map(codeIn) : codes
  const known = await tx.query<{ code: string }>(sql`select distinct "code" from dictionaries_terms
    where "idDictionary" = ${idDictionary} and upper("code") = any(${asked}::text[]) and not "deleted"`)
  const missing = asked.filter((code) => !known.some((one) => one.code.toLocaleUpperCase('ru') === code))
  if (missing.length)
    throw new ValidationError([{ field: 'codes', message: `В справочнике нет: ${missing.slice(0, 5).join(', ')}` }])
  return asked.join(',')
}

/** Codes of МКБ-10 are normalized; those of other lists are unchanged. */
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

/** Maximum number of search words. */
const MAX_WORDS = 6

/** Letters of similar shape, so that a code is found with either alphabet. */
const LOOK_ALIKE = ['АВЕКМНОРСТУХ', 'ABEKMHOPCTYX'] as const
const latin = (text: string): string =>
  text.toUpperCase().replace(/[АВЕКМНОРСТУХ]/g, (letter) => LOOK_ALIKE[1][LOOK_ALIKE[0].indexOf(letter)] as string)
const codeIn = (text: string): string => latin(text).replaceAll(',', '.')
const CODE = /^[A-Z]\d[\dA-Z.]*$/

/** Code prefixes that the text may mean: as typed, and, for «Ш10» or «О06», by the keys of the other layout. */
const codesIn = (asked: string): string[] =>
  [...new Set([codeIn(asked), codeIn(inLatinLayout(asked))])].filter((code) => CODE.test(code))

/** SQL of the indexed words of a term. */
const wordsSql = raw('term_words(t."name")')
/** A word of one or two letters matches only at the start of words: the index does not cover short substrings. */
const hasWord = (word: string): Sql =>
  word.length < 4 && !/[\da-z]/.test(word)
    ? sql`(${wordsSql} like ${`${pattern(word)}%`} or ${wordsSql} like ${`% ${pattern(word)}%`})`
    : sql`${wordsSql} like ${`%${pattern(word)}%`}`

const pattern = (words: string): string => words.replace(/[\\%_]/g, '\\$&')
const hasCode = (code: string): Sql => sql`t."code" ilike ${`${pattern(code)}%`}`
/** «B12» may also mean a vitamin. */
const hasWordOrCode = (word: string): Sql =>
  CODE.test(codeIn(word)) ? sql`(${hasCode(codeIn(word))} or ${hasWord(latin(word).toLowerCase())})` : hasWord(word)

/**
 * SQL of the rank of a name: whether the first word begins it, and how many words do not begin one of its own. Words
 * are computed once per term (`w`), because they dominate the search time.
 */
const fit = (words: readonly string[]): Sql =>
  sql`w.words like ${`${pattern(words[0] as string)}%`} desc, ${join(
    words.map((word) => sql`(w.words !~ ${`\\m${word.replace(/[^\p{L}\d]/gu, '.')}`})::int`),
    ' + ',
  )}, length(t."name"),`

/** Maximum number of terms ranked by the doctor's use. */
const CANDIDATES = 200
/** Days whose diagnoses count as a doctor's usual ones. */
const USUAL_DAYS = 365

/**
 * Search by code prefix: the exact code first, then those below it. Else terms by synonyms, then terms with all words
 * with any ending: names that begin with the first word, then matches at the beginning of words, the shorter name
 * first. Of these the user's most used terms come first, then those of the speciality.
 */
export const searchTerms = operation(examinationCalls.terms, async ({ app, actor, params, query }) => {
  const dictionary = await app.db.reads.one<{ id: number }>(
    sql`select "id" from dictionaries where "code" = ${params.code} and not "deleted"`,
  )
  if (!dictionary) throw notFound('Такого справочника нет')
  const asked = query.q.trim().replaceAll('\0', '')
  const day = query.day ? sql`${query.day}::date` : clinicToday
  const search = (found: Sql, order: Sql, limit = MAX_TERMS) =>
    app.db.reads.query<FoundTerm>(sql`select t."code", t."name", t."group" from dictionaries_terms t
      cross join lateral (select ${wordsSql} as words offset 0) w
      where t."idDictionary" = ${dictionary.id} and not t."deleted" and ${inForce(raw('t'), day)} and ${found}
      order by ${order} t."code" limit ${limit}`)
  const usual = (terms: readonly FoundTerm[]) =>
    params.code === ICD10 ? usualFirst(app.db.reads, actor.id, terms) : Promise.resolve(terms.slice(0, MAX_TERMS))
  const byWords = async () => {
    const written = asked.toLocaleLowerCase('ru').replaceAll('ё', 'е').split(/\s+/).filter(Boolean).slice(0, MAX_WORDS)
    const stems = stemsOf(asked).slice(0, MAX_WORDS)
    const words = stems.length ? stems : written
    const synonyms = await app.db.reads.query<Synonym>(
      sql`select "name", "codes" from dictionaries_synonyms where "idDictionary" = ${dictionary.id} and not "deleted"`,
    )
    const { codes, isWhole } = namedBy(asked, synonyms)
    const named = codes.length
      ? await search(
          sql`(${join(codes.map(hasCode), ' or ')})`,
          sql`array_position(${codes}::text[], t."code") nulls last, ${fit(words)}`,
          CANDIDATES,
        )
      : []
    const found = await search(join(words.map(hasWordOrCode), ' and '), fit(words), CANDIDATES)
    // A synonym that matches the whole text comes first; a partial one follows names that match it all.
    const [before, after] = isWhole ? [named, found] : [found, named]
    const known = new Set(before.map(({ code }) => code))
    return usual([...before, ...after.filter(({ code }) => !known.has(code))])
  }
  if (!asked) {
    const mine = params.code === ICD10 ? await usedBy(app.db.reads, actor.id) : []
    const first = mine.length
      ? await search(sql`t."code" = any(${mine}::text[])`, sql`array_position(${mine}::text[], t."code"),`)
      : []
    const all = await search(raw('true'), raw(''))
    return [...first, ...all.filter(({ code }) => !mine.includes(code))].slice(0, MAX_TERMS)
  }
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

type Reads = { query<T>(query: Sql): Promise<T[]> }

/** Codes used by the doctor in the last year, the most frequent first. */
const usedBy = async (db: Reads, me: number): Promise<string[]> =>
  (
    await db.query<{ code: string }>(sql`select "code" from examinations where "idUser" = ${me} and "code" is not null
      and not "deleted" and "date" > ${clinicToday} - ${USUAL_DAYS}::int
      group by "code" order by count(*) desc, "code" limit ${MAX_TERMS}`)
  ).map(({ code }) => code)

/** Sorts the doctor's usual terms first, then those of the same speciality; keeps the order of the rest. */
async function usualFirst(db: Reads, me: number, terms: readonly FoundTerm[]): Promise<FoundTerm[]> {
  if (terms.length < 2) return [...terms]
  const used = await db.query<{ code: string; mine: number; ours: number }>(sql`
    select e."code", (count(*) filter (where e."idUser" = ${me}))::int as mine, count(*)::int as ours
    from users own join users u on u."id" = own."id" or u."idSpeciality" = own."idSpeciality"
    join examinations e on e."idUser" = u."id" and e."code" = any(${terms.map(({ code }) => code)}::text[])
      and not e."deleted" and e."date" > ${clinicToday} - ${USUAL_DAYS}::int
    where own."id" = ${me} group by e."code"`)
  const times = new Map(used.map(({ code, mine, ours }) => [code, mine * 1_000_000 + ours]))
  return terms
    .map((term, at) => ({ term, at, times: times.get(term.code) ?? 0 }))
    .toSorted((one, other) => other.times - one.times || one.at - other.at)
    .map(({ term }) => term)
    .slice(0, MAX_TERMS)
}

/** Checks the dictionaries used by a form's fields. @throws ValidationError */
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
