/** Invalid, concurrent and hostile input: a clear error, no lost data, no blocking of others. */
import type { FormField } from '@ordinator/model/areas/examinations/form'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let doctor: Caller
let nurse: Caller
let boss: Caller
let idCustomer: number

beforeAll(async () => {
  const writes = ['viewCustomers', 'viewExaminations', 'editExaminations', 'foreignExaminationDrafts'] as const
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'doctor', [...writes, 'editCustomers', 'examinationTemplatesSettings'])
      await addPerson(app, 'nurse', writes)
      await addPerson(app, 'boss', ['mainSettings', 'viewCustomers'])
    },
  })
  ;[doctor, nurse, boss] = [clinic.as('doctor'), clinic.as('nurse'), clinic.as('boss')]
  idCustomer = good(await doctor.post('/customers', { surname: 'Пациентова' }), 201).id
})
afterAll(() => clinic.close())

let serial = 0
const formOf = (fields: readonly object[]) => ({ sections: [{ title: 'Осмотр', fields }] })
const makeTemplate = (form: unknown) =>
  doctor.post('/examination-templates', { name: `Приём ${++serial}`, isShared: true, form })
const begin = async (fields: readonly FormField[]) => {
  const idTemplate = good(await makeTemplate(formOf(fields)), 201).id
  return good(await doctor.post('/examinations', { idCustomer, idTemplate }), 201)
}
const save = (by: Caller, id: number, changes: object, base: object = {}) =>
  by.post(`/examinations/${id}/save`, { changes, base })
const words = ({ body }: { body: { message?: string } | { message: string }[] }): string =>
  Array.isArray(body) ? body.map(({ message }) => message).join('; ') : (body.message ?? '')

test('a print template with nested loops ends with a message, without blocking others', async () => {
  for (let n = 0; n < 60; n++)
    good(await doctor.post('/customers/policies', { idCustomer, type: 'dms', number: String(1000 + n) }), 201)
  // Sixty times the maximum content of one template.
  const body = `<p>{{ для каждого полиса }}{{ Номер }} ${'слово '.repeat(20_000)}{{ конец }}</p>`
  const made = good(await boss.post('/print-templates', { name: 'Круги', entity: 'customers', body }), 201)
  const began = performance.now()
  const asked: Promise<Answer>[] = [
    boss.get(`/print-templates/${made.id}/pdf?record=${idCustomer}`),
    doctor.get('/customers'),
  ]
  const [printed, beside] = (await Promise.all(asked)) as [Answer, Answer]
  expect([printed.status, words(printed)]).toEqual([400, expect.stringContaining('Документ слишком велик')])
  expect(beside.status).toBe(200)
  expect(performance.now() - began).toBeLessThan(20_000)
})

test('cyclic formulas are refused, naming the cycle', async () => {
  const calc = (key: string, formula: string) => ({ key, label: key.toUpperCase(), type: 'calc', formula })
  const answer = await makeTemplate(formOf([calc('а', 'б + 1'), calc('б', 'в'), calc('в', 'а * 2')]))
  expect([answer.status, words(answer)]).toEqual([422, expect.stringMatching(/Замкнутый круг: «.» → «.» → «.» → «.»/)])
  const alone = await makeTemplate(formOf([calc('а', 'а')]))
  expect([alone.status, words(alone)]).toEqual([422, expect.stringContaining('Замкнутый круг')])
})

test('a form of ten thousand fields is refused at the cost of its parsing only', async () => {
  const fields = Array.from({ length: 10_000 }, (_, at) => ({ key: `п${at}`, label: 'П', type: 'text' }))
  const began = performance.now()
  const answer = await makeTemplate(formOf(fields))
  expect([answer.status, words(answer)]).toEqual([422, expect.stringMatching(/больше 300|не должно превышать/)])
  expect(performance.now() - began).toBeLessThan(5_000)
  // One above the maximum is small enough to be parsed, and refused by its number.
  const oneMore = await makeTemplate(formOf(fields.slice(0, 301)))
  expect([oneMore.status, words(oneMore)]).toEqual([422, expect.stringContaining('Полей 301: больше 300')])
})

test('a formula that divides by zero prints nothing and does not prevent finishing', async () => {
  const exam = await begin([
    { key: 'рост', label: 'Рост', type: 'number' },
    { key: 'вес', label: 'Вес', type: 'number' },
    { key: 'имт', label: 'Индекс', type: 'calc', formula: 'вес / рост', digits: 1 },
  ])
  const { _version } = good(await save(doctor, exam.id, { 'values.рост': 0, 'values.вес': 80 }))
  good(await doctor.post(`/examinations/${exam.id}/finish`, { _version }))
  const { bytes, status } = await doctor.get(`/examinations/${exam.id}/print`)
  expect(status).toBe(200)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })
  expect(text).toContain('Вес: 80')
  expect(text).not.toMatch(/Индекс|Infinity|NaN|∞/)
})

test.each<[string, unknown]>([
  ['no object', 'форма'],
  ['no sections', {}],
  ['a field of no known type', formOf([{ key: 'а', label: 'А', type: 'script' }])],
  ['two fields of one key', formOf([1, 2].map(() => ({ key: 'а', label: 'А', type: 'text' })))],
  ['a key that objects have of themselves', formOf([{ key: '__proto__', label: 'А', type: 'text' }])],
  ['what no form has', formOf([{ key: 'а', label: 'А', type: 'text', onClick: 'alert(1)' }])],
  [
    'a condition on a field that is not there',
    formOf([{ key: 'а', label: 'А', type: 'text', showIf: { field: 'б', is: 'filled' } }]),
  ],
  ['a formula that is none', formOf([{ key: 'а', label: 'А', type: 'calc', formula: 'process.exit()' }])],
])('importing a handmade template with %s is refused at its form', async (_, form) => {
  const answer = await makeTemplate(form)
  expect([answer.status, answer.body[0]?.field]).toEqual([422, 'form'])
  expect(words(answer)).not.toBe('')
})

test('two people editing one draft concurrently lose no part of either', async () => {
  const keys = Array.from({ length: 20 }, (_, at) => `п${at}`)
  const exam = await begin(keys.map((key): FormField => ({ key, label: key, type: 'text' })))
  const written = keys.map((key, at) => save(at % 2 ? doctor : nurse, exam.id, { [`values.${key}`]: `слово ${at}` }))
  for (const answer of await Promise.all(written)) expect(answer.status).toBe(200)
  const { values } = good(await doctor.get(`/examinations/${exam.id}`))
  expect(values).toEqual(Object.fromEntries(keys.map((key, at) => [key, `слово ${at}`])))
  // For one part written concurrently, one of them gets the other's value.
  const both = await Promise.all(
    [doctor, nurse].map((by, at) => save(by, exam.id, { 'values.п0': `иначе ${at}` }, { 'values.п0': 'слово 0' })),
  )
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('a signature during an edit: one succeeds, the other gets an error, and the text is kept', async () => {
  for (let round = 0; round < 5; round++) {
    const exam = await begin([{ key: 'жалобы', label: 'Жалобы', type: 'text' }])
    let { _version } = good(await save(doctor, exam.id, { 'values.жалобы': 'Кашель' }))
    ;({ _version } = good(await doctor.post(`/examinations/${exam.id}/finish`, { _version })))
    const [signing, reopening] = await Promise.all([
      doctor.post(`/examinations/${exam.id}/sign`, { _version }),
      nurse.post(`/examinations/${exam.id}/reopen`, { _version }),
    ])
    expect([signing.status, reopening.status].sort()).toEqual([200, 409])
    const writing = await save(nurse, exam.id, { 'values.жалобы': 'Насморк' }, { 'values.жалобы': 'Кашель' })
    const { status, values } = good(await doctor.get(`/examinations/${exam.id}`))
    if (signing.status === 200) {
      expect([writing.status, words(writing)]).toEqual([409, expect.stringContaining('уже подписан')])
      expect([status, values.жалобы]).toEqual(['signed', 'Кашель'])
    } else expect([writing.status, status, values.жалобы]).toEqual([200, 'draft', 'Насморк'])
  }
})
