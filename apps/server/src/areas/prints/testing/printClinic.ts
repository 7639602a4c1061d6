/** A clinic with print templates. */

import { afterAll, beforeAll } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

export let clinic: Clinic
export let keeper: Caller
export let desk: Caller
export let stranger: Caller
export let other: Caller
export let diary: Caller
export let nurse: Caller
export let filials: { one: number; two: number }

let serial = 0
export const template = async (body: object = {}) =>
  good(
    await keeper.post('/print-templates', {
      name: `Бумага ${++serial}`,
      entity: 'customers',
      body: '<p>{{ ФИО }}</p>',
      ...body,
    }),
    201,
  )
export const patient = async (body: object = {}) =>
  good(
    await keeper.post('/customers', { surname: 'Орлова', name: 'Анна', middleName: `Номер${++serial}`, ...body }),
    201,
  )

/** Registers the set-up of the file's tests. */
export function openPrintClinic(): void {
  beforeAll(async () => {
    clinic = await testApp({
      prepare: async (app) => {
        await addPerson(app, 'keeper', ['viewCustomers', 'editCustomers', 'mainSettings', 'viewAccessLog', 'editUsers'])
        await addPerson(app, 'desk', ['viewCustomers', 'editCustomers'])
        await addPerson(app, 'stranger', ['viewServices'])
        await addPerson(app, 'other', ['viewCustomers', 'viewAllAppointments'])
        await addPerson(app, 'diary', ['viewAllAppointments'])
        await addPerson(app, 'nurse', ['viewCustomers'])
      },
    })
    keeper = clinic.as('keeper')
    desk = clinic.as('desk')
    stranger = clinic.as('stranger')
    other = clinic.as('other')
    diary = clinic.as('diary')
    nurse = clinic.as('nurse')
    const branch = async (nameFilial: string, filialCode: string) =>
      good(await keeper.post('/filials', { nameFilial, filialCode }), 201).id
    filials = { one: await branch('Ленинский', 'ЛЕН'), two: await branch('Заречный', 'ЗАР') }
  })
  afterAll(() => clinic.close())
}
