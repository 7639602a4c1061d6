/** The МКБ-10 list: its structure equals the classification, and clinics of any version get it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '#platform/db.ts'
import { MIGRATIONS } from '#platform/migrate.ts'
import { testDb } from '#testing/harness.ts'

const FIRST = '20261124T1900_icd10.sql'
const LAST = '20261124T1923_icd10_given.sql'
const MORE = '20261124T1945_icd10_more.sql'
const textOf = (file: string) => readFileSync(join(MIGRATIONS, file), 'utf8')
const classFiles = readdirSync(MIGRATIONS)
  .filter((file) => /_icd10_class_\d\d\.sql$/.test(file))
  .sort()

interface Line {
  code: string
  name: string
}
interface Class extends Line {
  /** «A00–B99» */
  range: string
  blocks: (Line & { terms: Line[] })[]
}

const lineOf = (line: string): Line => {
  const space = line.indexOf(' ')
  return { code: line.slice(0, space), name: line.slice(space + 1) }
}

const listOf = (file: string) => (textOf(file).match(/\$list\$\n([\s\S]*)\n\$list\$/)?.[1] ?? '').split('\n')
const more = listOf(MORE).map(lineOf)

const classes = classFiles.map((file): Class => {
  const lines = listOf(file)
  const head = lineOf(lines[0]?.slice(1) ?? '')
  const { code: range, name } = lineOf(head.name)
  const blocks: Class['blocks'] = []
  for (const line of lines.slice(1))
    if (line.startsWith('#')) blocks.push({ ...lineOf(line.slice(1)), terms: [] })
    else blocks.at(-1)?.terms.push(lineOf(line))
  for (const { terms } of blocks) {
    const categories = new Set(terms.map(({ code }) => code))
    terms.push(...more.filter(({ code }) => categories.has(code.slice(0, 3))))
    terms.sort((one, other) => (one.code < other.code ? -1 : 1))
  }
  return { code: head.code, name, range, blocks }
})
const terms = classes.flatMap(({ blocks }) => blocks.flatMap((block) => block.terms))

/** Classes of the classification, their ranges, and the number of their three-character categories. */
const CLASSES = [
  ['I', 'A00–B99', 172],
  ['II', 'C00–D48', 137],
  ['III', 'D50–D89', 34],
  ['IV', 'E00–E90', 73],
  ['V', 'F00–F99', 78],
  ['VI', 'G00–G99', 68],
  ['VII', 'H00–H59', 47],
  ['VIII', 'H60–H95', 24],
  ['IX', 'I00–I99', 76],
  ['X', 'J00–J99', 64],
  ['XI', 'K00–K93', 72],
  ['XII', 'L00–L99', 72],
  ['XIII', 'M00–M99', 79],
  ['XIV', 'N00–N99', 82],
  ['XV', 'O00–O99', 76],
  ['XVI', 'P00–P96', 59],
  ['XVII', 'Q00–Q99', 87],
  ['XVIII', 'R00–R99', 91],
  ['XIX', 'S00–T98', 195],
  ['XX', 'V01–Y98', 373],
  ['XXI', 'Z00–Z99', 84],
  ['XXII', 'U00–U99', 7],
]

const ends = (range: string) => [range.slice(0, 3), range.slice(-3)] as [string, string]

describe('the list of МКБ-10', () => {
  it('has the classes of the classification with all their categories', () => {
    expect(
      classes.map(({ code, range, blocks }) => [
        code,
        range,
        blocks.flatMap((block) => block.terms).filter((term) => !term.code.includes('.')).length,
      ]),
    ).toEqual(CLASSES)
  })

  it('has each code once, below its category, in its block, and blocks in order within their class', () => {
    expect(new Set(terms.map(({ code }) => code)).size).toBe(terms.length)
    const wrong: string[] = []
    for (const { range, blocks } of classes) {
      const [from, to] = ends(range)
      let last = ''
      for (const block of blocks) {
        const [first, final] = ends(block.code)
        if (
          !/^[A-Z]\d\d(–[A-Z]\d\d)?$/.test(block.code) ||
          first <= last ||
          first < from ||
          final < first ||
          final > to
        )
          wrong.push(block.code)
        last = final
        let before = ''
        for (const { code } of block.terms) {
          const category = code.slice(0, 3)
          if (!/^[A-Z]\d\d(\.\d)?$/.test(code) || category < first || category > final || code <= before)
            wrong.push(code)
          if (code !== category && before.slice(0, 3) !== category) wrong.push(`${code} without its category`)
          before = code
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('has clean names', () => {
    /** Allowed characters of a name. */
    const CLEAN = /^[\p{Script=Cyrillic}\p{Script=Latin}\d «»(),.:/%'+[\]–-]+$/u
    const wrong = [...classes, ...classes.flatMap(({ blocks }) => blocks), ...terms].filter(
      ({ name }) =>
        !CLEAN.test(name) ||
        !/^[\p{Lu}«\d]/u.test(name) ||
        /\s{2}|\s$|\s[,.)]|,,|[,(]$|\( /.test(name) ||
        // A letter of the other alphabet inside a word, or instead of a one-letter Russian word.
        /(\p{Script=Cyrillic}\p{Script=Latin}|\p{Script=Latin}\p{Script=Cyrillic})/u.test(name) ||
        /(^|\s)[aocekxpy](\s|$)/.test(name) ||
        (name.match(/[[(]/g) ?? []).length !== (name.match(/[\])]/g) ?? []).length,
    )
    expect(wrong).toEqual([])
    expect(Math.max(...terms.map(({ name }) => name.length))).toBeLessThanOrEqual(500)
    expect(
      Math.max(...classes.flatMap(({ blocks }) => blocks.map(({ code, name }) => code.length + name.length))),
    ).toBeLessThan(300)
  })
})

describe('an existing clinic', () => {
  let db: Db
  beforeAll(async () => {
    db = await testDb()
    await db.query(sql`delete from dictionaries`)
  })
  afterAll(() => db.end())

  const apply = async (...files: string[]) => {
    for (const file of files) await db.query(raw(textOf(file)))
  }
  const named = async (code: string) =>
    db.query(sql`select "name", "group", "dateFrom"::text as "dateFrom", "dateTo"::text as "dateTo", "deleted"
      from dictionaries_terms where "code" = ${code} order by "dateFrom"`)
  const all = async () =>
    (await db.one<{ count: number }>(sql`select count(*)::int as count from dictionaries_terms`))?.count

  it('gets missing codes, and keeps changed, ended, deleted and added ones', async () => {
    await db.query(
      sql`insert into dictionaries ("id", "name", "code", "source") values (7, 'МКБ клиники', 'icd10', 'Наш список')`,
    )
    await db.query(sql`insert into dictionaries ("id", "name", "code") values (8, 'Аллергены', 'allergens')`)
    await db.query(sql`insert into dictionaries_terms ("idDictionary", "code", "name", "group", "dateFrom", "dateTo", "deleted", "_version") values
      (7, 'Z63.5', 'Развод', null, '1999-01-01', null, true, 2),
      (7, 'K30', 'Диспепсия', 'K20–K31 Болезни пищевода', '1999-01-01', null, false, 1),
      (7, 'E66.9', 'Ожирение, как у нас пишут', 'Наша группа', '1999-01-01', null, false, 2),
      (7, 'J20.9', 'Острый бронхит неуточнённый', 'J20–J22', '1999-01-01', null, true, 2),
      (7, 'I10', 'Эссенциальная гипертензия', 'I10–I15', '1999-01-01', '2019-12-31', false, 2),
      (7, 'I10', 'Гипертоническая болезнь', 'I10–I15', '2020-01-01', null, false, 1),
      (7, 'M54.5', 'Боль внизу спины', null, '1999-01-01', '2021-12-31', false, 2),
      (7, 'I84.2', 'Внутренний геморрой без осложнения', 'I80–I89', '1999-01-01', null, false, 1),
      (7, 'J99.77', 'Свой код', null, '2024-01-01', null, false, 1),
      (8, 'A00', 'Пыльца берёзы', null, '1999-01-01', null, false, 1)`)
    await apply(FIRST, ...classFiles, LAST, MORE)

    const since = { dateFrom: '1999-01-01', dateTo: null, deleted: false }
    // Unchanged ones get the list's current name.
    expect(await named('K30')).toEqual([
      {
        ...since,
        name: 'Функциональная диспепсия',
        group: 'K20–K31 Болезни пищевода, желудка и двенадцатиперстной кишки',
      },
    ])
    expect(await named('E66.9')).toMatchObject([{ name: 'Ожирение, как у нас пишут', group: 'Наша группа' }])
    expect(await named('J20.9')).toMatchObject([{ deleted: true }])
    expect(await named('I10')).toMatchObject([
      { dateTo: '2019-12-31' },
      { name: 'Гипертоническая болезнь', dateTo: null },
    ])
    expect(await named('M54.5')).toMatchObject([{ dateTo: '2021-12-31' }])
    expect(await named('I84.2')).toMatchObject([{ name: 'Внутренний геморрой без осложнения', group: 'I80–I89' }])
    expect(await named('J99.77')).toHaveLength(1)
    expect(await named('J20')).toEqual([
      {
        ...since,
        name: 'Острый бронхит',
        group: 'J20–J22 Другие острые респираторные инфекции нижних дыхательных путей',
      },
    ])
    expect(await named('Z63.5')).toMatchObject([{ name: 'Развод', deleted: true }])
    expect(await named('R87.6')).toMatchObject([{ ...since, group: expect.stringMatching(/^R83–R89 Отклонения/) }])
    expect(await named('A00')).toMatchObject([{ name: 'Пыльца берёзы' }, { name: 'Холера' }])
    // One more for the second name of I10, I84.2, the clinic's own code and the allergen.
    expect(await all()).toBe(terms.length + 4)
    expect(await db.query(sql`select "name", "source" from dictionaries where "code" = 'icd10'`)).toEqual([
      { name: 'МКБ клиники', source: 'Наш список' },
    ])
  })

  it('that has imported the whole official list gets nothing of ours', async () => {
    await db.query(sql`delete from dictionaries_terms`)
    await db.query(sql`insert into dictionaries_terms ("idDictionary", "code", "name", "dateFrom")
      select 7, chr(65 + n / 1000) || lpad((n / 10 % 100)::text, 2, '0') || '.' || n % 10, 'Название ' || n, '2024-01-01'
      from generate_series(0, 4999) n`)
    await apply(FIRST, ...classFiles.slice(9, 12))
    expect(await all()).toBe(5000)
    await db.query(sql`update dictionaries_terms set "code" = 'C47' where "code" = 'C47.0'`)
    await apply(MORE)
    expect(await all()).toBe(5000)
    // One code less, and it does not count as whole.
    await db.query(sql`delete from dictionaries_terms where "code" = 'A00.0'`)
    await apply(classFiles[9] as string)
    expect(await named('J00')).toHaveLength(1)
  })
})
