import type { FormField } from '@ordinator/model/areas/examinations/form'
import sharp from 'sharp'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picture } from '#testing/files.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { digestOf } from './signing.ts'

let clinic: Clinic
/** Two doctors, a nurse who may edit others' drafts, a reader, a person who sets up the clinic, a stranger. */
let doctor: Caller
let other: Caller
let nurse: Caller
let reader: Caller
let boss: Caller
let stranger: Caller
let idCustomer: number
let idTemplate: number

const own = [
  'viewCustomers',
  'editCustomers',
  'viewExaminations',
  'editExaminations',
  'examinationTemplatesSettings',
] as const
beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'doctor', own)
      await addPerson(app, 'other', own)
      await addPerson(app, 'nurse', [
        'viewCustomers',
        'viewExaminations',
        'editExaminations',
        'foreignExaminationDrafts',
      ])
      await addPerson(app, 'reader', ['viewCustomers', 'viewExaminations'])
      await addPerson(app, 'boss', [
        'mainSettings',
        'viewForeignExaminationTemplates',
        'examinationTemplatesSettings',
        'viewExaminations',
      ])
      await addPerson(app, 'stranger', ['viewCustomers', 'editCustomers'])
    },
  })
  doctor = clinic.as('doctor')
  other = clinic.as('other')
  nurse = clinic.as('nurse')
  reader = clinic.as('reader')
  boss = clinic.as('boss')
  stranger = clinic.as('stranger')
  idCustomer = await patient()
  idTemplate = await template(fields)
})
afterAll(() => clinic.close())

const fields: FormField[] = [
  { key: 'жалобы', label: 'Жалобы', type: 'text', required: true, phrases: ['Нет'] },
  { key: 'рост', label: 'Рост', type: 'number', default: 170 },
  { key: 'вес', label: 'Вес', type: 'number' },
  { key: 'имт', label: 'ИМТ', type: 'calc', formula: 'вес / (рост / 100) ^ 2', digits: 1 },
  { key: 'вывод', label: 'Вывод', type: 'rich' },
]
const formOf = (of: readonly FormField[]) => ({ sections: [{ title: 'Осмотр', fields: of }] })

/** Operator number of path drawing in pdf.js. */
const CONSTRUCT_PATH = 91

let serial = 0
const patient = async (body: object = {}, by = stranger): Promise<number> =>
  good(await by.post('/customers', { surname: `Пациентов${++serial}`, name: 'Иван', ...body }), 201).id
const template = async (of: readonly FormField[], body: object = {}, by = doctor): Promise<number> =>
  good(
    await by.post('/examination-templates', { name: `Приём ${++serial}`, isShared: true, form: formOf(of), ...body }),
    201,
  ).id
const begin = async (by = doctor, body: object = {}) =>
  good(await by.post('/examinations', { idCustomer, idTemplate, ...body }), 201)
const save = (by: Caller, id: number, changes: object, base: object = {}) =>
  by.post(`/examinations/${id}/save`, { changes, base })
const done = async (by = doctor) => {
  const { id } = await begin(by)
  const { _version } = good(await save(by, id, { 'values.жалобы': 'Кашель', 'values.вес': 80 }))
  return good(await by.post(`/examinations/${id}/finish`, { _version }))
}
const signed = async (by = doctor) => {
  const { id, _version } = await done(by)
  return good(await by.post(`/examinations/${id}/sign`, { _version }))
}
const messageOf = ({ body }: { body: { message?: string } | { message: string }[] }) =>
  Array.isArray(body) ? body.map((one) => one.message).join('; ') : (body.message ?? '')

describe('a template', () => {
  it('stores every version of its form; an examination keeps its own version', async () => {
    const id = await template([{ key: 'а', label: 'Первое', type: 'text' }])
    const exam = await begin(doctor, { idTemplate: id })
    const next = formOf([{ key: 'б', label: 'Второе', type: 'text' }])
    expect(good(await doctor.put(`/examination-templates/${id}`, { form: next })).version).toBe(2)
    expect(good(await doctor.put(`/examination-templates/${id}`, { name: 'Иначе', form: next })).version).toBe(2)
    const versions = good(await doctor.get(`/examination-templates/versions?filter[idTemplate]=${id}`)).items
    expect(versions.map(({ number }: { number: number }) => number)).toEqual([2, 1])
    expect(good(await doctor.get(`/examinations/${exam.id}`)).form.sections[0].fields[0].label).toBe('Первое')
    expect(good(await doctor.post(`/examination-templates/${id}/restore`, { idVersion: versions[1].id }))).toEqual({
      version: 3,
    })
    expect(good(await doctor.get(`/examination-templates/${id}`)).form.sections[0].fields[0].key).toBe('а')
    expect(
      (await doctor.post(`/examination-templates/${idTemplate}/restore`, { idVersion: versions[1].id })).status,
    ).toBe(404)
    expect((await doctor.put(`/examination-templates/versions/${versions[0].id}`, { number: 9 })).status).toBe(403)
  })

  it('with cycles, without fields or with ten thousand is refused with a message', async () => {
    const refused = async (of: FormField[], words: string) => {
      const answer = await doctor.post('/examination-templates', { name: 'Плохой', form: formOf(of) })
      expect([answer.status, messageOf(answer)]).toEqual([422, expect.stringContaining(words)])
    }
    await refused(
      [
        { key: 'а', label: 'А', type: 'calc', formula: 'б' },
        { key: 'б', label: 'Б', type: 'calc', formula: 'а' },
      ],
      'Замкнутый круг: «А» → «Б» → «А»',
    )
    await refused(
      [{ key: 'а', label: 'А', type: 'dictionary', dictionary: 'nowhere' }],
      'Нет справочника с кодом «nowhere»',
    )
    const many = Array.from({ length: 1000 }, (_, at): FormField => ({ key: `п${at}`, label: `П${at}`, type: 'text' }))
    await refused(many, 'Полей 1000: больше 300')
    const answer = await doctor.post('/examination-templates', {
      name: 'Огромный',
      form: formOf(
        Array.from({ length: 10_000 }, (_, at) => ({ key: `п${at}`, label: `П${at}`, type: 'text' as const })),
      ),
    })
    expect([400, 413, 422]).toContain(answer.status)
    expect(messageOf(answer)).not.toBe('')
  })

  describe("with the clinic's own picture", () => {
    const drawn = async (format: 'png' | 'jpeg' = 'png') =>
      `data:image/${format};base64,${(await picture(1500, 900)[format]().toBuffer()).toString('base64')}`
    const svg = (inner: string) =>
      `data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40">${inner}</svg>`).toString('base64')}`
    const upload = (given: string, by = doctor) => by.post('/examination-templates/pictures', { picture: given })
    const shown = (name: string, by: Caller = doctor) => by.get(`/examination-templates/pictures/${name}`)
    const field = (name: string): FormField => ({ key: 'схема', label: 'Схема', type: 'picture', picture: name })

    it('accepts PNG, JPEG and SVG, each rendered to a PNG of limited size', async () => {
      const evil = svg(
        '<script>alert(1)</script><image xlink:href="file:///etc/hostname" width="9" height="9"/><rect width="40" height="40" fill="#c00"/>',
      )
      for (const given of [await drawn(), await drawn('jpeg'), evil]) {
        const { name } = good(await upload(given), 201)
        const { status, bytes, headers } = await shown(name)
        expect([status, headers['content-type']]).toEqual([200, 'image/png'])
        const { format, width = 0 } = await sharp(bytes).metadata()
        expect([format, width <= 1200]).toEqual(['png', true])
        expect(Buffer.from(bytes).toString('latin1')).not.toContain('script')
      }
      // Equal pictures are stored once.
      expect(good(await upload(evil), 201).name).toBe(good(await upload(evil), 201).name)
    })

    it.each<[string, string]>([
      ['data:image/png;base64,AAAA', 'повреждён'],
      ['data:image/svg+xml;base64,AAAA', 'повреждён'],
      ['data:text/html;base64,PHA+', 'PNG, JPEG или SVG'],
      ['https://clinic.ru/a.png', 'PNG, JPEG или SVG'],
      [`data:image/png;base64,${'A'.repeat(800_000)}`, 'не больше 500 кБ'],
    ])('cannot be %.40s', async (given, words) => {
      const answer = await upload(given)
      expect([answer.status, messageOf(answer)]).toEqual([422, expect.stringContaining(words)])
    })

    it('is uploaded with the right to make templates and visible with the template', async () => {
      const { name } = good(await upload(await drawn()), 201)
      expect((await upload(await drawn(), reader)).status).toBe(403)
      expect((await shown(name, reader)).status).toBe(200)
      expect((await shown(name, stranger)).status).toBe(403)
      expect((await shown(name, clinic.anonymous)).status).toBe(401)
      expect((await shown('0'.repeat(64))).status).toBe(404)
    })

    it('keeps it in its versions and in examinations begun by them; a missing one is refused', async () => {
      const [first, second] = [
        good(await upload(svg('<circle r="9"/>')), 201).name,
        good(await upload(svg('<path d="M0 0h9"/>')), 201).name,
      ]
      const id = await template([field(first)])
      const exam = await begin(doctor, { idTemplate: id })
      good(await doctor.put(`/examination-templates/${id}`, { form: formOf([field(second)]) }))
      expect(good(await doctor.get(`/examinations/${exam.id}`)).form.sections[0].fields[0].picture).toBe(first)
      const { items } = good(await doctor.get(`/examination-templates/versions?filter[idTemplate]=${id}`))
      expect(
        items.map((one: { form: { sections: { fields: FormField[] }[] } }) => one.form.sections[0]?.fields[0]?.picture),
      ).toEqual([second, first])
      expect((await shown(first)).status).toBe(200)
      good(await save(doctor, exam.id, { 'values.схема': [{ x: 10, y: 20, text: 'Тут' }] }))
      const lacking = await doctor.put(`/examination-templates/${id}`, { form: formOf([field('f'.repeat(64))]) })
      expect([lacking.status, messageOf(lacking)]).toEqual([422, '«Схема»: такого рисунка нет, загрузите его'])
      const made = await doctor.post('/examination-templates', {
        name: 'Чужой рисунок',
        form: formOf([field('f'.repeat(64))]),
      })
      expect(made.status).toBe(422)
      const many = Array.from(
        { length: 21 },
        (_, at): FormField => ({ ...field(String(at).padStart(64, '0')), key: `с${at}` }),
      )
      const crowded = await doctor.put(`/examination-templates/${id}`, { form: formOf(many) })
      expect([crowded.status, messageOf(crowded)]).toEqual([422, expect.stringContaining('Своих рисунков больше 20')])
    })

    const bodyOf = (answer: string) =>
      `<p>{{ для каждого раздела }}</p><p>{{ для каждого поля осмотра }}</p>${answer}<p>{{ конец }}</p><p>{{ конец }}</p>`
    /** A template of the clinic's own, as requested for printing. */
    const ownPaper = async (answer: string, id: number) => {
      const paper = { name: `Бланк ${++serial}`, entity: 'examinations', body: bodyOf(answer) }
      return `/print-templates/${good(await boss.post('/print-templates', paper), 201).id}/pdf?record=${id}`
    }
    const inText = '<p>{{ Вопрос }}: {{ Ответ }}</p>'
    const inTable = '<table><tbody><tr><td>{{ Вопрос }}</td><td>{{ Ответ }}</td></tr></tbody></table>'

    it.each<[string, (id: number) => string | Promise<string>]>([
      ['the house’s own paper', (id) => `/examinations/${id}/print`],
      ['a template of the clinic’s', (id) => ownPaper(inText, id)],
      ['a table of such a template', (id) => ownPaper(inTable, id)],
    ])('is in %s with its marks, like the built-in pictures', async (_, door) => {
      const { name } = good(await upload(await drawn()), 201)
      const body: FormField = { key: 'тело', label: 'Тело', type: 'picture', picture: 'body' }
      const exam = await begin(doctor, { idTemplate: await template([field(name), body]) })
      const address = await door(exam.id)
      const paper = async () => {
        const { bytes } = await doctor.get(address)
        const page = await (await getDocumentProxy(new Uint8Array(bytes))).getPage(1)
        const { items } = await page.getTextContent()
        const { fnArray } = await page.getOperatorList()
        return {
          images:
            Buffer.from(bytes)
              .toString('latin1')
              .match(/\/Subtype \/Image/g)?.length ?? 0,
          paths: fnArray.filter((operator) => operator === CONSTRUCT_PATH).length,
          words: items.flatMap((item) => ('str' in item ? [item.str] : [])),
        }
      }
      const before = await paper()
      expect(before.images).toBe(0)
      good(await save(doctor, exam.id, { 'values.схема': [{ x: 10, y: 20, text: 'Киста' }] }))
      good(
        await save(doctor, exam.id, {
          'values.тело': [
            { x: 5, y: 5, text: 'Родинка' },
            { x: 95, y: 95, text: '' },
          ],
        }),
      )
      const after = await paper()
      expect(after.images).toBe(1)
      // Six parts of the two figures and three marks.
      expect(after.paths - before.paths).toBeGreaterThanOrEqual(9)
      expect(after.words.filter((word) => word === '1')).toHaveLength(2)
      expect(after.words.filter((word) => word === '2')).toHaveLength(1)
      for (const word of ['1. Киста', '1. Родинка', '2. без подписи'])
        expect(after.words.some((one) => one.endsWith(word))).toBe(true)
    })

    it('is shown with its marks in the template editor', async () => {
      const { name } = good(await upload(await drawn()), 201)
      const exam = await begin(doctor, { idTemplate: await template([field(name)]) })
      const { _version } = good(await save(doctor, exam.id, { 'values.схема': [{ x: 50, y: 50, text: '<Киста>' }] }))
      good(await doctor.post(`/examinations/${exam.id}/finish`, { _version }))
      const look = { entity: 'examinations', record: exam.id, body: bodyOf(inText) }
      const { body } = good(await boss.post('/print-templates/preview', look))
      const [, svg64 = ''] = /<img alt="" data-marked src="data:image\/svg\+xml;base64,([^"]+)">/.exec(body) ?? []
      const shownSvg = Buffer.from(svg64, 'base64').toString()
      expect(shownSvg).toContain('<image href="data:image/png;base64,')
      expect(shownSvg.match(/<circle/g)).toHaveLength(1)
      expect(shownSvg).not.toContain('Киста')
      expect(body).toContain('1. &lt;Киста&gt;')
    })

    it('is deleted a week after its last use, and kept while a former version uses it', async () => {
      const kept = good(await upload(svg('<circle r="7"/>')), 201).name
      const [unused, fresh, again] = [
        good(await upload(svg('<circle r="6"/>')), 201).name,
        good(await upload(svg('<circle r="5"/>')), 201).name,
        good(await upload(svg('<circle r="4"/>')), 201).name,
      ]
      const id = await template([field(kept)])
      good(await doctor.put(`/examination-templates/${id}`, { form: formOf([{ key: 'а', label: 'А', type: 'text' }]) }))
      const old = [kept, unused, again]
      await clinic.db.query({
        text: `update examination_pictures set "dateUsed" = now() - interval '8 days' where name = any ($1)`,
        values: [old],
      })
      good(await upload(svg('<circle r="4"/>')), 201)
      await clinic.context.jobs.run('examinations.pictures')
      const there = await Promise.all([kept, unused, fresh, again].map(async (name) => (await shown(name)).status))
      expect(there).toEqual([200, 404, 200, 200])
    })
  })

  it("is visible to its author, to all when shared, and with the right to others' templates", async () => {
    const id = await template(fields, { isShared: false })
    expect((await other.get(`/examination-templates/${id}`)).status).toBe(404)
    expect((await other.post('/examinations', { idCustomer, idTemplate: id })).status).toBe(422)
    expect(good(await boss.get(`/examination-templates/${id}`)).version).toBe(1)
    expect((await other.put(`/examination-templates/${idTemplate}`, { name: 'Чужой' })).status).toBe(403)
    expect(
      good(await boss.put(`/examination-templates/${idTemplate}`, { semdKind: 'Протокол консультации' })).semdKind,
    ).toBe('Протокол консультации')
    expect((await reader.post('/examination-templates', { name: 'Нет', form: formOf([]) })).status).toBe(403)
    expect((await stranger.get('/examination-templates')).status).toBe(403)
    // Without access to the template the examination still has its form.
    const exam = await begin(doctor, { idTemplate: id })
    await save(doctor, exam.id, { 'values.жалобы': 'Нет' })
    const { _version } = good(await doctor.get(`/examinations/${exam.id}`))
    good(await doctor.post(`/examinations/${exam.id}/finish`, { _version }))
    expect(good(await other.get(`/examinations/${exam.id}`)).form.sections).toHaveLength(1)
  })

  it('a disabled one begins no examination', async () => {
    const id = await template(fields, { active: false })
    const answer = await doctor.post('/examinations', { idCustomer, idTemplate: id })
    expect([answer.status, messageOf(answer)]).toEqual([422, 'Шаблон не действует: выберите другой'])
  })
})

describe('a draft', () => {
  it("begins with the template's values, and is saved in parts", async () => {
    const exam = await begin()
    expect(exam).toMatchObject({ status: 'draft', values: { рост: 170 }, number: 1, filled: 25 })
    const flu = { code: 'J11.1', name: 'Грипп', kind: 'main', type: 'preliminary' }
    const kept = good(
      await save(doctor, exam.id, {
        'values.вес': 80,
        'values.вывод': '<p onclick="x()">Здоров<script>alert(1)</script></p>',
        diagnoses: [flu],
        recommendations: ['Покой'],
      }),
    )
    expect(kept).toMatchObject({
      values: { рост: 170, вес: 80, вывод: '<p>Здоров</p>' },
      code: 'J11.1',
      diagnosis: 'J11.1 Грипп',
      filled: 75,
    })
    expect(good(await save(doctor, exam.id, { 'values.вес': null }, { 'values.вес': 80 })).values).not.toHaveProperty(
      'вес',
    )
    const history = good(await doctor.get(`/examinations/${exam.id}/history`)).items
    expect(history[0].changes.values).toEqual([null, null])
  })

  it('accepts parts from two people, and reports only conflicting ones', async () => {
    const { id } = await begin()
    good(await save(nurse, id, { 'values.вес': 80 }))
    const both = good(await save(doctor, id, { 'values.жалобы': 'Кашель' }))
    expect(both.values).toMatchObject({ вес: 80, жалобы: 'Кашель' })
    const answer = await save(
      doctor,
      id,
      { 'values.вес': 81, 'values.рост': 175 },
      { 'values.вес': null, 'values.рост': 170 },
    )
    expect(answer.status).toBe(409)
    expect(answer.body.code).toBe('dispute')
    expect(messageOf(answer)).toBe('Это изменил другой сотрудник: «Вес». Выберите, что оставить')
    // All or nothing; having seen the other's value, the user may overwrite it.
    expect(good(await doctor.get(`/examinations/${id}`)).values.рост).toBe(170)
    expect(good(await save(doctor, id, { 'values.вес': 81 }, { 'values.вес': 80 })).values.вес).toBe(81)
    // The same value twice is no conflict.
    expect((await save(nurse, id, { 'values.вес': 81 }, { 'values.вес': 80 })).status).toBe(200)
  })

  it('refuses an unknown part, at the part', async () => {
    const { id } = await begin()
    for (const [part, value] of [
      ['values.имт', 25],
      ['values.вес', 'много'],
      ['values.талия', 1],
      ['status', 'signed'],
      ['date', '2026-02-30'],
      ['diagnoses', [{ code: 'x' }]],
      ['values.__proto__', 'x'],
    ] as const) {
      const answer = await save(doctor, id, { [part]: value })
      expect([part, answer.status, answer.body[0]?.field]).toEqual([part, 422, part])
    }
    const long = await save(doctor, id, Object.fromEntries([['values.вывод', `<p>${'я'.repeat(25_000)}</p>`]]))
    expect(long.status).toBe(422)
    expect((await doctor.put(`/examinations/${id}`, { values: {} })).status).toBe(403)
  })

  it('is begun only for a visit of the same patient', async () => {
    const answer = await doctor.post('/examinations', { idCustomer, idTemplate, idAppointment: 999_999 })
    expect(answer.status).toBe(422)
  })

  it('is visible to its doctor or with a right; a finished one with the right to examinations', async () => {
    const { id } = await begin()
    const doors = [`/examinations/${id}`, `/examinations/${id}/print`, `/examinations/${id}/history`]
    for (const door of doors) {
      expect((await other.get(door)).status).toBe(404)
      expect((await reader.get(door)).status).toBe(404)
      expect((await stranger.get(door)).status).toBe(403)
      expect((await nurse.get(door)).status).toBe(200)
    }
    expect(good(await other.get(`/examinations?filter[id]=${id}&count=1`))).toMatchObject({
      items: [],
      _meta: { totalCount: 0 },
    })
    expect((await save(other, id, { 'values.вес': 1 })).status).toBe(404)
    expect((await other.delete(`/examinations/${id}`)).status).toBe(404)
    const { id: over } = await done()
    expect((await reader.get(`/examinations/${over}`)).status).toBe(200)
    expect(
      (await stranger.get(`/customers/${idCustomer}/thread`)).body.items.some(
        ({ kind }: { kind: string }) => kind === 'examinations',
      ),
    ).toBe(false)
    const told = good(await reader.get(`/customers/${idCustomer}/thread?kinds=examinations`)).items
    expect(told.some((line: { id: number }) => line.id === over)).toBe(true)
    expect(told.some((line: { id: number }) => line.id === id)).toBe(false)
  })

  it('of a restricted card is hidden until opened with a reason', async () => {
    const vip = await patient({ secretLevel: 'vip' })
    good(await doctor.post(`/customers/${vip}/open`, { reason: 'Приём' }), 204)
    const { id } = await begin(doctor, { idCustomer: vip })
    const { _version } = good(await save(doctor, id, { 'values.жалобы': 'Нет' }))
    good(await doctor.post(`/examinations/${id}/finish`, { _version }))
    expect((await reader.get(`/examinations/${id}`)).status).toBe(404)
    good(await reader.post(`/customers/${vip}/open`, { reason: 'Консилиум' }), 204)
    expect((await reader.get(`/examinations/${id}`)).status).toBe(200)
  })
})

describe('finishing and signing', () => {
  it('requires mandatory fields, and computes formulas on paper', async () => {
    const { id, _version } = await begin()
    const answer = await doctor.post(`/examinations/${id}/finish`, { _version })
    expect([answer.status, answer.body]).toEqual([422, [{ field: 'values.жалобы', message: 'Заполните: Жалобы' }]])
    const over = await done()
    expect(over.status).toBe('done')
    const paper = await reader.get(`/examinations/${over.id}/print`)
    expect(paper.headers['content-type']).toBe('application/pdf')
    expect(paper.text.startsWith('%PDF')).toBe(true)
    const lines = await clinic.db.query<{ action: string }>({
      text: `select "action" from access_log where "entityType" = 'examinations' and "idEntity" = $1 and "idCustomer" = $2`,
      values: [over.id, idCustomer],
    })
    expect(lines.map(({ action }) => action)).toContain('print')
  })

  it("prints the patient's name only with the right to customers", async () => {
    const named = await patient({ surname: 'Безымянский', cardNumber: 'К-77', birthday: '04.05.1980' })
    const { id } = await begin(doctor, { idCustomer: named })
    const { _version } = good(await save(doctor, id, { 'values.жалобы': 'Кашель' }))
    good(await doctor.post(`/examinations/${id}/finish`, { _version }))
    const paper = async (by: Caller) => {
      const { status, bytes } = await by.get(`/examinations/${id}/print`)
      expect(status).toBe(200)
      return (await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })).text
    }
    const whole = await paper(reader)
    for (const word of ['Безымянский', 'К-77', '04.05.1980', 'Кашель']) expect(whole).toContain(word)
    const nameless = await paper(boss)
    expect(nameless).toContain('Кашель')
    for (const word of ['Безымянский', 'К-77', '04.05.1980']) expect(nameless).not.toContain(word)
  })

  it('signs exactly the displayed content', async () => {
    const id = await template([
      { key: 'курит', label: 'Курит', type: 'choice', options: ['Нет', 'Да'] },
      { key: 'стаж', label: 'Стаж', type: 'number', showIf: { field: 'курит', is: 'equals', value: 'Да' } },
    ])
    const exam = await begin(doctor, { idTemplate: id })
    const { _version } = good(await save(doctor, exam.id, { 'values.курит': 'Нет', 'values.стаж': 20 }))
    expect(good(await doctor.post(`/examinations/${exam.id}/finish`, { _version })).values).toEqual({ курит: 'Нет' })
  })

  it('by the doctor only, for the displayed version, and once', async () => {
    const { id, _version } = await done()
    expect((await nurse.post(`/examinations/${id}/sign`, { _version })).status).toBe(403)
    expect((await reader.post(`/examinations/${id}/sign`, { _version })).status).toBe(403)
    // It is reopened and edited while the doctor reads.
    const again = good(await nurse.post(`/examinations/${id}/reopen`, { _version }))
    const early = await doctor.post(`/examinations/${id}/sign`, { _version })
    expect([early.status, messageOf(early)]).toEqual([409, 'Осмотр ещё правят: завершите его и подпишите'])
    expect((await doctor.post(`/examinations/${id}/finish`, { _version })).status).toBe(409)
    good(await save(nurse, id, { 'values.вес': 77 }, { 'values.вес': 80 }))
    const { _version: now } = good(await doctor.get(`/examinations/${id}`))
    expect(now).toBe(again._version + 1)
    const over = good(await doctor.post(`/examinations/${id}/finish`, { _version: now }))
    const stale = await doctor.post(`/examinations/${id}/sign`, { _version })
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
    const kept = good(await doctor.post(`/examinations/${id}/sign`, { _version: over._version }))
    expect(kept).toMatchObject({ status: 'signed', digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect((await doctor.post(`/examinations/${id}/sign`, { _version: kept._version })).status).toBe(409)
  })

  it('of two concurrent signatures one succeeds', async () => {
    const { id, _version } = await done()
    const answers = await Promise.all([1, 2, 3].map(() => doctor.post(`/examinations/${id}/sign`, { _version })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  it('makes it immutable: neither any call nor SQL changes a signed one', async () => {
    const { id, _version } = await signed()
    const late = await save(doctor, id, { 'values.вес': 1 })
    expect([late.status, messageOf(late)]).toEqual([
      409,
      'Осмотр уже подписан: ваша правка не записана и осталась у вас на экране',
    ])
    expect((await doctor.post(`/examinations/${id}/reopen`, { _version })).status).toBe(409)
    expect((await doctor.delete(`/examinations/${id}`)).status).toBeGreaterThanOrEqual(403)
    for (const set of [`"values" = '{}'`, `"status" = 'draft'`, `"deleted" = true`, `"date" = '2020-01-01'`])
      await expect(
        clinic.db.query({ text: `update examinations set ${set} where "id" = $1`, values: [id] }),
      ).rejects.toThrow('fixed')
  })

  it('is corrected by a version with a reason, which replaces it once signed', async () => {
    const first = await signed()
    expect((await doctor.post(`/examinations/${first.id}/correct`, { reason: ' ' })).status).toBe(422)
    expect((await other.post(`/examinations/${first.id}/correct`, { reason: 'Ошибка' })).status).toBe(403)
    const next = good(await doctor.post(`/examinations/${first.id}/correct`, { reason: 'Ошибка в весе' }), 201)
    expect(next).toMatchObject({
      status: 'draft',
      number: 2,
      idCorrected: first.id,
      correction: 'Ошибка в весе',
      values: first.values,
    })
    expect((await doctor.post(`/examinations/${first.id}/correct`, { reason: 'Ещё раз' })).body.code).toBe(
      `version:${next.id}`,
    )
    expect(good(await doctor.get(`/examinations/${first.id}`)).status).toBe('signed')
    let { _version } = good(await save(doctor, next.id, { 'values.вес': 90 }, { 'values.вес': 80 }))
    ;({ _version } = good(await doctor.post(`/examinations/${next.id}/finish`, { _version })))
    const last = good(await doctor.post(`/examinations/${next.id}/sign`, { _version }))
    const former = good(await doctor.get(`/examinations/${first.id}`))
    expect(former).toMatchObject({ status: 'corrected', digest: first.digest, values: { вес: 80 } })
    expect(last.digest).not.toBe(first.digest)
    expect((await doctor.post(`/examinations/${first.id}/correct`, { reason: 'Снова' })).status).toBe(409)
  })
})

describe("documents of the clinic's own templates", () => {
  const body = [
    '<p>{{ Осмотр }} / {{ Клиент.ФИО }}</p>{{ для каждого раздела }}<h3>{{ Заголовок }}</h3>',
    '<table><tbody><tr><td><p>{{ для каждого поля осмотра }}{{ Вопрос }}</p></td>',
    '<td><p>{{ Ответ }}{{ если Отклонение }}!{{ Отклонение }}{{ конец }}{{ конец }}</p></td></tr></tbody></table>{{ конец }}',
    '{{ для каждого поставленного диагноза }}<p>{{ № }}) {{ Код }} {{ Название }}, {{ Вид }}</p>{{ конец }}',
    '{{ для каждого назначения }}<p>{{ Что }}: {{ Как }} {{ Сколько }}</p>{{ конец }}',
    '{{ для каждой рекомендации }}<p>Совет: {{ Текст }}</p>{{ конец }}',
  ].join('')
  const paper = async () =>
    good(await boss.post('/print-templates', { name: `Бланк ${++serial}`, entity: 'examinations', body }), 201).id
  const printed = (by: Caller, idPaper: number, id: number) => by.get(`/print-templates/${idPaper}/pdf?record=${id}`)
  const filledIn = async () => {
    const idForm = await template([
      ...fields,
      { key: 'пульс', label: 'Пульс', type: 'number', unit: 'уд/мин', min: 60, max: 90 },
    ])
    const { id } = await begin(doctor, { idTemplate: idForm })
    good(
      await save(doctor, id, {
        'values.жалобы': 'Кашель',
        'values.вес': 80,
        'values.пульс': 120,
        'values.вывод': '<p>Первый абзац</p><p>Второй &lt;абзац&gt;</p>',
        diagnoses: [{ code: 'J20.9', name: 'Острый бронхит', kind: 'main', type: 'final' }],
        prescriptions: [{ name: 'Чай', how: 'пить тёплым', term: '5 дней' }],
        recommendations: ['Не переохлаждаться'],
      }),
    )
    return id
  }

  it('print the filled-in sections, as on the screen', async () => {
    const [idPaper, id] = [await paper(), await filledIn()]
    const { bytes, status } = await printed(doctor, idPaper, id)
    expect(status).toBe(200)
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })
    const said = text.replace(/\s+/g, ' ')
    for (const one of [
      'Осмотр Жалобы Кашель',
      'ИМТ 27,7',
      'Пульс 120 уд/мин!выше нормы',
      'Вывод Первый абзац Второй <абзац>',
      '1) J20.9 Острый бронхит, Основной',
      'Чай: пить тёплым 5 дней',
      'Совет: Не переохлаждаться',
    ])
      expect(said).toContain(one)
  })

  it("respect the scope: another's draft and its text are absent", async () => {
    const [idPaper, id] = [await paper(), await filledIn()]
    expect((await printed(other, idPaper, id)).status).toBe(404)
    expect((await printed(stranger, idPaper, id)).status).toBe(403)
    expect((await printed(nurse, idPaper, id)).status).toBe(200)
  })
})

describe('files', () => {
  it('of a draft are visible with the draft, and stay with a signed one', async () => {
    const exam = await begin()
    const form = new FormData()
    form.append('file', new Blob([Buffer.from('%PDF-1.4\n%EOF\n')], { type: 'application/pdf' }), 'снимок.pdf')
    const file = good(await doctor.post('/examinations/uploads', form), 201)
    const { id } = good(await doctor.post('/examinations/files', { idExamination: exam.id, idFile: file.id }), 201)
    expect((await other.get(`/examinations/uploads/${file.id}`)).status).toBe(404)
    expect((await other.get(`/files/${file.id}`)).status).toBe(404)
    expect((await nurse.get(`/files/${file.id}`)).status).toBe(200)
    let { _version } = good(await save(doctor, exam.id, { 'values.жалобы': 'Нет' }))
    ;({ _version } = good(await doctor.post(`/examinations/${exam.id}/finish`, { _version })))
    expect((await doctor.delete(`/examinations/files/${id}`)).status).toBe(403)
    const over = good(await doctor.post(`/examinations/${exam.id}/sign`, { _version }))
    expect(over.digest).toBe(digestOf(over, [file.id]))
    expect(over.digest).not.toBe(digestOf(over))
    expect(digestOf(over, [2, 1])).toBe(digestOf(over, [1, 2]))
    expect((await reader.get(`/files/${file.id}`)).status).toBe(200)
    const next = good(await doctor.post(`/examinations/${exam.id}/correct`, { reason: 'Дополнить' }), 201)
    expect(good(await doctor.get(`/examinations/files?filter[idExamination]=${next.id}`)).items).toHaveLength(1)
  })
})
