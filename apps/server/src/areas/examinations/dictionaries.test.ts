import { dayIn, plusDays } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { csv, importFiles } from '#testing/importFiles.ts'
import { addPerson } from '#testing/people.ts'

interface Step {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Step[]
}
const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)]

let clinic: Clinic
let boss: Caller
let doctor: Caller
let files: ReturnType<typeof importFiles>
let icd10: number
const today = dayIn('Europe/Moscow', Date.now())

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'boss', ['mainSettings'])
      await addPerson(app, 'doctor', ['viewExaminations'])
      await addPerson(app, 'stranger', ['viewCustomers'])
    },
  })
  boss = clinic.as('boss')
  doctor = clinic.as('doctor')
  files = importFiles(clinic, 'terms')
  icd10 = good(await boss.get('/dictionaries?filter[code]=icd10')).items[0].id
})
afterAll(() => clinic.close())

const found = async (q: string, more = '', code = 'icd10'): Promise<{ code: string; name: string }[]> =>
  good(await doctor.get(`/dictionaries/${code}/search?q=${encodeURIComponent(q)}${more}`))
const codes = async (q: string, more = '') => (await found(q, more)).map(({ code }) => code)

describe('МКБ-10', () => {
  it('is complete, and states that it is not the official edition', async () => {
    const [dictionary] = good(await boss.get('/dictionaries?filter[code]=icd10&fields=id,name,source,termsCount')).items
    expect(dictionary).toMatchObject({ name: 'МКБ-10', source: expect.stringContaining('1.2.643.5.1.13.13.11.1005') })
    expect(dictionary.termsCount).toBeGreaterThan(10_000)
  })

  it('is searched by the beginning of a code in either keyboard layout, and by words in any order', async () => {
    expect(await codes('J06')).toEqual(['J06', 'J06.0', 'J06.8', 'J06.9'])
    // By similar letters, then by keyboard keys: «Ш» is the key of I, and «О» that of J.
    expect(await codes('Е66')).toEqual(['E66', 'T66', 'E66.0', 'E66.1', 'E66.2', 'E66.8', 'E66.9'])
    expect(await codes('Ш10')).toEqual(['I10'])
    expect((await codes('О06')).slice(0, 3)).toEqual(['O06', 'J06', 'O06.0'])
    expect(await codes('О06')).toContain('J06.9')
    expect(await codes('Ь54ю5')).toEqual(['M54.5'])
    expect((await codes('i1')).slice(0, 2)).toEqual(['I10', 'I11'])
    expect((await codes('острый бронхит')).slice(0, 2)).toEqual(['J20', 'J20.9'])
    expect((await codes('бронхит острый')).slice(0, 2)).toEqual(['J40', 'J20'])
    expect((await codes('ожирение')).slice(0, 3)).toEqual(['E66', 'E66.9', 'E66.1'])
    expect((await codes('неуточненный бронхит')).slice(0, 2)).toEqual(['J20.9', 'J42'])
    expect(await codes('%')).toEqual([])
    expect(await codes('нет такой болезни')).toEqual([])
    expect((await found('')).length).toBe(20)
  })

  it('ranks a match at the beginning of words before one inside, and finds a code among words', async () => {
    // «Острый отит» before «Хронический…», and matches at the beginning before «паротит».
    const otitis = await found('отит')
    expect(otitis.slice(0, 3).every(({ name }) => /(^| )отит/i.test(name))).toBe(true)
    expect((await codes('витамин b12'))[0]).toBe('D51')
    expect(await codes('в12')).toContain('D51.9')
    // With any ending: J06 is of «…множественной и неуточненной локализации».
    expect(await codes('J06 неуточненная')).toEqual(['J06.9', 'J06'])
    expect((await found('J06.9'))[0]).toEqual({
      code: 'J06.9',
      name: 'Острая инфекция верхних дыхательных путей неуточнённая',
      group: 'J00–J06 Острые респираторные инфекции верхних дыхательных путей',
    })
  })

  it('is found by a doctor\u2019s words: endings, synonyms, abbreviations', async () => {
    for (const [words, first] of [
      ['гипертония', 'I10'],
      ['гипертонии', 'I10'],
      ['сахарный диабет 2 типа', 'E11'],
      ['сд 2', 'E11'],
      ['острого бронхита', 'J20'],
      ['боль в спине', 'M54'],
      ['орви', 'J06'],
      ['ОРВИ', 'J06'],
      ['перелом руки', 'S42'],
    ] as const)
      expect([words, (await codes(words))[0]]).toEqual([words, first])
    expect(await codes('перелом руки')).toEqual(expect.arrayContaining(['S42', 'S52', 'S62']))
    const [list] = good(await boss.get(`/dictionaries/synonyms?filter[idDictionary]=${icd10}&limit=1&count=1`)).items
    expect(list).toBeDefined()
    const { total, totalCount } = good(
      await boss.get(`/dictionaries/synonyms?filter[idDictionary]=${icd10}&limit=1&count=1`),
    )._meta
    expect(total ?? totalCount).toBeGreaterThan(400)
  })

  it("uses the clinic's synonyms, and ranks the doctor's usual terms first", async () => {
    const synonym = { idDictionary: icd10, name: 'Клиничка', codes: 'm54,5; j06' }
    expect((await doctor.post('/dictionaries/synonyms', synonym)).status).toBe(403)
    const wrong = await boss.post('/dictionaries/synonyms', { ...synonym, codes: 'Q00.99' })
    expect([wrong.status, wrong.body[0]]).toEqual([422, { field: 'codes', message: 'В справочнике нет: Q00.99' }])
    good(await boss.post('/dictionaries/synonyms', { ...synonym, codes: 'm54.5, j06' }), 201)
    expect((await codes('клинички')).slice(0, 2)).toEqual(['M54.5', 'J06'])
    expect((await codes('острый бронхит'))[0]).toBe('J20')
    await clinic.context.db.query(sql`with patient as (insert into customers ("surname") values ('Диагнозов') returning "id"),
      template as (insert into examination_templates ("name", "form", "version", "idUser") select 'Осмотр', '{"sections":[]}', 1, u."id" from users u where u."login" = 'doctor' returning "id", "idUser"),
      version as (insert into examination_templates_versions ("idTemplate", "number", "form", "idUser") select "id", 1, '{"sections":[]}', "idUser" from template returning "id", "idTemplate", "idUser")
      insert into examinations ("idCustomer", "idTemplate", "idVersion", "name", "idUser", "date", "values", "diagnoses", "prescriptions", "recommendations", "code", "idEditor")
      select p."id", v."idTemplate", v."id", 'Осмотр', v."idUser", current_date, '{}', '[]', '[]', '[]', 'J20.9', v."idUser" from patient p, version v`)
    expect((await codes('острый бронхит'))[0]).toBe('J20.9')
    expect((await codes(''))[0]).toBe('J20.9')
  })

  it('reads only the matching part of the dictionary', async () => {
    const asked = vi.spyOn(clinic.context.db.reads, 'query')
    for (const [q, most] of [
      ['J06', 10],
      ['бронхит', 50],
      ['острый бронхит неуточнённый', 50],
      ['а', 600],
      ['ин', 600],
      ['инфекция', 400],
      ['неуточнённые', 2000],
      ['J06 острая', 600],
    ] as const) {
      asked.mockClear()
      await found(q)
      const searches = asked.mock.calls.flatMap(([query]) =>
        query.text.includes('from dictionaries_terms t') ? [query] : [],
      )
      expect(searches.length).toBeGreaterThan(0)
      let read = 0
      for (const { text, values } of searches) {
        const [row] = await clinic.db.query<{ 'QUERY PLAN': [{ Plan: Step }] }>({
          text: `explain (analyze, timing off, format json) ${text}`,
          values: values ?? [],
        })
        for (const step of stepsOf(row?.['QUERY PLAN'][0].Plan as Step)) {
          if (step['Relation Name'] !== 'dictionaries_terms') continue
          expect([q, step['Node Type']]).not.toEqual([q, 'Seq Scan'])
          read +=
            step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Index Recheck'] ?? 0)
        }
      }
      expect([q, read <= most ? 'few' : read]).toEqual([q, 'few'])
    }
    asked.mockRestore()
  })

  it('is readable with the right to examinations, and edited with the right to set up the clinic', async () => {
    expect((await clinic.as('stranger').get('/dictionaries/icd10/search?q=J06')).status).toBe(403)
    expect((await doctor.get('/dictionaries/nowhere/search?q=J06')).status).toBe(404)
    const term = { idDictionary: icd10, code: 'J99.7', name: 'Новый', dateFrom: today }
    expect((await doctor.post('/dictionaries/terms', term)).status).toBe(403)
    expect((await boss.delete(`/dictionaries/${icd10}`)).status).toBe(409)
    const wrong = await boss.post('/dictionaries/terms', { ...term, code: 'грипп' })
    expect([wrong.status, wrong.body[0].field]).toEqual([422, 'code'])
    expect(good(await boss.post('/dictionaries/terms', { ...term, code: 'j99,7' }), 201).code).toBe('J99.7')
    expect((await boss.post('/dictionaries/terms', term)).body[0].message).toContain('На эти дни уже есть запись')
  })
})

describe('an edition from a file', () => {
  it('ends the former names the day before, keeps unlisted ones, and can be undone', async () => {
    const file = csv(
      'Код МКБ;Наименование;Класс',
      'J06.9;ОРВИ неуточнённая;J00–J06',
      'j06,8;Другая ОРВИ;J00–J06',
      'J06.8;Дважды;',
      'ОРВИ;Без кода;',
    )
    const run = await files.take(boss, file, { idDictionary: icd10, dateFrom: today }, { skipWrong: true })
    expect(run).toMatchObject({ state: 'done', created: 2, failed: 2 })
    expect(await found('J06')).toMatchObject([
      { code: 'J06' },
      { code: 'J06.0' },
      { code: 'J06.8', name: 'Другая ОРВИ' },
      { code: 'J06.9', name: 'ОРВИ неуточнённая' },
    ])
    const before = await found('J06.9', `&day=${plusDays(today, -1)}`)
    expect(before).toMatchObject([{ name: 'Острая инфекция верхних дыхательных путей неуточнённая' }])
    // The same file again changes nothing.
    expect(
      await files.take(boss, csv('Код;Название;Группа', 'J06.9;ОРВИ неуточнённая;J00–J06'), {
        idDictionary: icd10,
        dateFrom: today,
      }),
    ).toMatchObject({ created: 0 })
    await files.revert(boss, run)
    expect(await found('J06.9')).toMatchObject([{ name: 'Острая инфекция верхних дыхательных путей неуточнённая' }])
    expect((await files.preview(doctor, file, { idDictionary: icd10, dateFrom: today })).status).toBe(403)
  })

  it("in the state's published format is imported without chapters, blocks and retired codes", async () => {
    const file = csv(
      'ID;REC_CODE;MKB_CODE;MKB_NAME;ID_PARENT;ADDL_CODE;ACTUAL;DATE',
      '8186;18;"XVIII";"СИМПТОМЫ, ПРИЗНАКИ";;;1;',
      '8376;1808;"R50-R69";"ОБЩИЕ СИМПТОМЫ И ПРИЗНАКИ";8186;;1;',
      '8377;"1808R50";"R50";"Лихорадка другого и неизвестного происхождения";8376;;1;',
      '8378;"1808R500";"R50.0";"Лихорадка с ознобом";8377;;0;"07.10.2020"',
      '14916;"1808R508";"R50.8";"Другая уточненная лихорадка";8377;;1;"01.01.2015"',
      '14917;"1808R506";"R50.6";"Лихорадка новая";8377;;1;"01.01.2026"',
      '14918;"1808R509";"R50.9";"Лихорадка неуточнённая";8377;;1;""',
    )
    const run = await files.take(boss, file, { idDictionary: icd10, dateFrom: today })
    // R50 and R50.9 have these names already.
    expect(run).toMatchObject({ state: 'done', created: 2 })
    expect(await codes('R50')).toEqual(['R50', 'R50.2', 'R50.6', 'R50.8', 'R50.9'])
    // It has no column for the block: the known one of the code, or of its category, stays.
    const group = 'R50–R69 Общие симптомы и признаки'
    expect(await found('R50.8')).toEqual([{ code: 'R50.8', name: 'Другая уточненная лихорадка', group }])
    expect(await found('R50.6')).toEqual([{ code: 'R50.6', name: 'Лихорадка новая', group }])
    await files.revert(boss, run)
  })
  it('shows its import date, and when a check is due', async () => {
    const statusOf = async (id: number) => {
      const { state, dateLoad } = good(await boss.get(`/dictionaries/${id}?expand=dateLoad`))
      return [state, dateLoad !== null]
    }
    const load = (id: number, term = 'A1;Первый') =>
      files.take(boss, csv('Код;Название', term), { idDictionary: id, dateFrom: today })
    const own = good(await boss.post('/dictionaries', { name: 'Свой', code: 'own' }), 201).id
    expect(await statusOf(own)).toEqual(['own', false])
    const wrong = await boss.put(`/dictionaries/${own}`, { oid: 'ФРМО' })
    expect([wrong.status, wrong.body[0].field]).toEqual([422, 'oid'])
    const taken = await boss.put(`/dictionaries/${own}`, { oid: '1.2.643.5.1.13.13.11.1005' })
    expect([taken.status, taken.body[0].field]).toEqual([422, 'oid'])

    good(await boss.put(`/dictionaries/${own}`, { oid: '1.2.643.5.1.13.13.11.1002', edition: '7.4' }))
    expect(await statusOf(own)).toEqual(['empty', false])
    await load(own)
    expect(await statusOf(own)).toEqual(['fresh', true])
    expect(good(await boss.get('/dictionaries?filter[state]=fresh&filter[code]=own')).items).toMatchObject([
      { id: own, edition: '7.4' },
    ])

    // A file without changes counts as a check.
    await clinic.db.query(sql`update imports set "dateEnd" = now() - interval '91 days' where "kind" = 'terms'`)
    expect(await statusOf(own)).toEqual(['due', true])
    good(await boss.put(`/dictionaries/${own}`, { checkDays: 92 }))
    expect(await statusOf(own)).toEqual(['fresh', true])
    good(await boss.put(`/dictionaries/${own}`, { checkDays: 90 }))
    await load(own)
    expect(await statusOf(own)).toEqual(['fresh', true])
    await clinic.db.query(sql`update imports set "dateEnd" = now() - interval '91 days' where "kind" = 'terms'`)
    const more = await load(own, 'A2;Второй')
    expect(await statusOf(own)).toEqual(['fresh', true])
    await files.revert(boss, more)
    expect(await statusOf(own)).toEqual(['due', true])
  })
})
