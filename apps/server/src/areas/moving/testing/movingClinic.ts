/** A clinic that moves in, and its administrators. */

import { dayIn, plusDays } from '@ordinator/model/zone'
import { afterAll, beforeAll } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { MOVER } from './moves.ts'

export let clinic: Clinic
export let admin: Caller
export const SENDERS = ['sender1', 'sender2', 'sender3', 'sender4']

export const query = <R>(text: string, ...values: unknown[]) => clinic.db.query<R>({ text, values })
export const customersOf = async (surname: string) =>
  good(
    await admin.get(
      `/customers?filter[surname]=${encodeURIComponent(surname)}&sort=id&expand=policies,relations&limit=100`,
    ),
  ).items as Record<string, any>[]
export const later = plusDays(dayIn('Europe/Moscow', Date.now()), 5)

/** Registers the set-up of the file's tests. */
export function openMovingClinic(): void {
  beforeAll(async () => {
    clinic = await testApp({
      prepare: async (app) => {
        // One person may upload sixty files in a minute.
        for (const login of ['mover', ...SENDERS]) await addPerson(app, login, [...MOVER])
        await addPerson(app, 'desk', ['viewCustomers', 'editCustomers'])
      },
    })
    admin = clinic.as('mover')
  })
  afterAll(() => clinic.close())
}
