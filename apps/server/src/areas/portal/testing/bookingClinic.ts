/** A clinic that books patients online. */

import { afterAll, beforeAll } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { deskRights, onlineWorld } from '#testing/online.ts'
import { addPerson } from '#testing/people.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'

export let sms: SmsSimulator
export let clinic: Clinic
export let desk: Caller
export let world: ReturnType<typeof onlineWorld>
export let idConsent: number

export const person = { surname: 'Новикова', name: 'Ольга', birthday: '1990-05-06' }

/** Registers the set-up of the file's tests. */
export function openBookingClinic(): void {
  beforeAll(async () => {
    sms = await startSmsSimulator()
    clinic = await testApp({
      env: { SMS_URL: sms.url, TRUST_PROXY: '127.0.0.1' },
      prepare: (app) => addPerson(app, 'desk', deskRights),
    })
    desk = clinic.as('desk')
    good(await desk.put('/settings/common', { portalActive: true }))
    world = onlineWorld(clinic, desk, sms)
    idConsent = await world.consent()
  })
  afterAll(async () => {
    await clinic.close()
    await sms.close()
  })
}
