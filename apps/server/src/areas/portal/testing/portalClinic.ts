/** A clinic with patients of the portal. */

import { afterAll, beforeAll, expect } from 'vitest'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'

export let sms: SmsSimulator
export let clinic: Clinic
export let desk: Caller

let phones = 0
export const newPhone = () => `+7912${String(1_000_000 + ++phones)}`

/** A card of the clinic. */
export const card = async (body: object = {}) =>
  good(await desk.post('/customers', { surname: 'Орлов', name: 'Пётр', birthday: '01.02.1980', ...body }), 201)

let addresses = 0
/** A separate address, outside the limit of one. */
export const from = () => {
  const at = ++addresses
  return { headers: { 'x-forwarded-for': `10.1.${at >> 8}.${at & 255}` } }
}
export const ask = (phone: string, where = from()) => clinic.anonymous.post('/portal/code', { phone }, where)

export const codeTo = (phone: string): string | undefined =>
  /Код для входа: (\d{6})/.exec(sms.messages.filter(({ to }) => to === phone).at(-1)?.text ?? '')?.[1]

export const cookieOf = ({ headers }: Answer): string | undefined =>
  /ordinator_patient=([\w-]{43})/.exec([headers['set-cookie']].flat().join(';'))?.[1]

export const enter = (phone: string, code: string | undefined, birthday?: string) =>
  clinic.anonymous.post('/portal/session', { phone, code: code ?? '', ...(birthday && { birthday }) }, from())

export async function codeFor(phone: string): Promise<string> {
  expect((await ask(phone)).status).toBe(202)
  await clinic.context.jobs.drain()
  return codeTo(phone) as string
}

/** A signed-in patient. */
export async function signedIn(body: object = {}) {
  const phone = newPhone()
  const { id } = await card({ phone, ...body })
  const cookie = cookieOf(await enter(phone, await codeFor(phone))) as string
  const options = { cookies: { ordinator_patient: cookie } }
  return { id, phone, cookie, options, get: (url: string) => clinic.anonymous.get(url, options) }
}

/** Registers the set-up of the file's tests. */
export function openPortalClinic(): void {
  beforeAll(async () => {
    sms = await startSmsSimulator()
    clinic = await testApp({
      env: { SMS_URL: sms.url, TRUST_PROXY: '127.0.0.1' },
      prepare: (app) =>
        addPerson(app, 'desk', [
          ...([
            'viewCalendar',
            'viewAllAppointments',
            'createAppointments',
            'editAppointments',
            'viewCustomers',
          ] as const),
          ...(['editCustomers', 'mainSettings', 'editServices', 'editShifts', 'editUsers', 'viewAccessLog'] as const),
        ]),
    })
    desk = clinic.as('desk')
    good(await desk.put('/settings/common', { portalActive: true }))
  })
  afterAll(async () => {
    await clinic.close()
    await sms.close()
  })
}
