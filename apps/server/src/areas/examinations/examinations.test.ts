import type { FormField } from '@ordinator/model/areas/examinations/form'
import sharp from 'sharp'
import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { picture } from '#testing/files.ts'
import { good } from '#testing/good.ts'
import type { Caller } from '#testing/harness.ts'
import {
  begin,
  boss,
  clinic,
  doctor,
  fields,
  formOf,
  idCustomer,
  idTemplate,
  messageOf,
  nurse,
  openExaminationClinic,
  other,
  reader,
  save,
  stranger,
  template,
} from './testing/examinationClinic.ts'

openExaminationClinic()

let serial = 0

/** Operator number of path drawing in pdf.js. */
const CONSTRUCT_PATH = 91

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
    ])('is in %s with its marks, like the built-in pictures', async (_, render) => {
      const { name } = good(await upload(await drawn()), 201)
      const body: FormField = { key: 'тело', label: 'Тело', type: 'picture', picture: 'body' }
      const exam = await begin(doctor, { idTemplate: await template([field(name), body]) })
      const address = await render(exam.id)
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
    const content = text.replace(/\s+/g, ' ')
    for (const one of [
      'Осмотр Жалобы Кашель',
      'ИМТ 27,7',
      'Пульс 120 уд/мин!выше нормы',
      'Вывод Первый абзац Второй <абзац>',
      '1) J20.9 Острый бронхит, Основной',
      'Чай: пить тёплым 5 дней',
      'Совет: Не переохлаждаться',
    ])
      expect(content).toContain(one)
  })

  it("respect the scope: another's draft and its text are absent", async () => {
    const [idPaper, id] = [await paper(), await filledIn()]
    expect((await printed(other, idPaper, id)).status).toBe(404)
    expect((await printed(stranger, idPaper, id)).status).toBe(403)
    expect((await printed(nurse, idPaper, id)).status).toBe(200)
  })
})
