/** A clinic with a template of examinations. */

import type { FormField } from '@ordinator/model/areas/examinations/form'
import { afterAll, beforeAll } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

export let clinic: Clinic
/** Two doctors, a nurse who may edit others' drafts, a reader, a person who sets up the clinic, a stranger. */
export let doctor: Caller
export let other: Caller
export let nurse: Caller
export let reader: Caller
export let boss: Caller
export let stranger: Caller
export let idCustomer: number
export let idTemplate: number

const own = [
  'viewCustomers',
  'editCustomers',
  'viewExaminations',
  'editExaminations',
  'examinationTemplatesSettings',
] as const

export const fields: FormField[] = [
  { key: 'жалобы', label: 'Жалобы', type: 'text', required: true, phrases: ['Нет'] },
  { key: 'рост', label: 'Рост', type: 'number', default: 170 },
  { key: 'вес', label: 'Вес', type: 'number' },
  { key: 'имт', label: 'ИМТ', type: 'calc', formula: 'вес / (рост / 100) ^ 2', digits: 1 },
  { key: 'вывод', label: 'Вывод', type: 'rich' },
]
export const formOf = (of: readonly FormField[]) => ({ sections: [{ title: 'Осмотр', fields: of }] })

let serial = 0
export const patient = async (body: object = {}, by = stranger): Promise<number> =>
  good(await by.post('/customers', { surname: `Пациентов${++serial}`, name: 'Иван', ...body }), 201).id
export const template = async (of: readonly FormField[], body: object = {}, by = doctor): Promise<number> =>
  good(
    await by.post('/examination-templates', { name: `Приём ${++serial}`, isShared: true, form: formOf(of), ...body }),
    201,
  ).id
export const begin = async (by = doctor, body: object = {}) =>
  good(await by.post('/examinations', { idCustomer, idTemplate, ...body }), 201)
export const save = (by: Caller, id: number, changes: object, base: object = {}) =>
  by.post(`/examinations/${id}/save`, { changes, base })

export const messageOf = ({ body }: { body: { message?: string } | { message: string }[] }) =>
  Array.isArray(body) ? body.map((one) => one.message).join('; ') : (body.message ?? '')

/** Registers the set-up of the file's tests. */
export function openExaminationClinic(): void {
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
}
