/** A clinic with a chief and a person without rights. */

import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

export let clinic: Clinic
export let chief: Caller
export let idChief: number
export let plain: Caller
export let idPlain: number
let made = 0

export const newcomer = (more: object = {}) => addPerson(clinic.context, `new${++made}`, [], more)

/** Registers the set-up of the file's tests. */
export function openStaffClinic(): void {
  beforeAll(async () => {
    clinic = await testApp()
    idChief = (await addPerson(clinic.context, 'chief', ['editUsers'])).id
    idPlain = (await addPerson(clinic.context, 'plain', ['viewTasksManagement'], { birthday: '01.02.1990' })).id
    chief = clinic.as('chief')
    plain = clinic.as('plain')
  })
  afterAll(() => clinic.close())
  beforeEach(() => clinic.db.query({ text: 'delete from login_attempts' }))
}
