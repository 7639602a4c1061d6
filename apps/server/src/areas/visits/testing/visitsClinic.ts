/** A clinic with doctors, rooms and services. */

import type { Slot } from '@ordinator/model/areas/visits/calls'
import { afterAll, beforeAll } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { dayAfter, registryRights, worldOf } from './world.ts'

export let clinic: Clinic
/** Has all rights except those under test. */
export let keeper: Caller
export let registry: Caller
export let worlds: ReturnType<typeof worldOf>

export const DAY = dayAfter(30)
export const world: typeof worlds.make = async (wanted) => {
  const made = await worlds.make(wanted)
  return { ...made, book: (start, more, coupon, by = registry) => made.book(start, more, coupon, by) }
}
export const placesOf = (alternatives: Slot[]) => alternatives.map(({ idUser, localStart }) => [idUser, localStart])

/** Errors of a refused call, by field. */
export const errors = (answer: { status: number; body: { field: string; message: string }[] }) => [
  answer.status,
  answer.body?.[0]?.field,
  answer.body?.[0]?.message,
]

/** Registers the set-up of the file's tests. */
export function openVisitsClinic(): void {
  beforeAll(async () => {
    clinic = await testApp({
      prepare: async (app) => {
        await addPerson(app, 'keeper', [...worldOf.rights, 'editVisitPrices'])
        await addPerson(app, 'registry', registryRights)
        await addPerson(app, 'over', [...registryRights, 'overbookAppointments', 'editPastAppointments', 'reopenVisit'])
      },
    })
    keeper = clinic.as('keeper')
    registry = clinic.as('registry')
    await Promise.all([keeper.token(), registry.token()])
    worlds = worldOf(clinic, keeper)
  })
  afterAll(() => clinic.close())
}
