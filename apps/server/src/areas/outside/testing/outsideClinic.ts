/** A clinic that sells its times through aggregators. */

import { afterAll, beforeAll } from 'vitest'
import { type Aggregators, startAggregators } from '#testing/aggregatorsSimulator.ts'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { deskRights, newPhone, onlineWorld } from '#testing/online.ts'
import { addPerson } from '#testing/people.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'

let sms: SmsSimulator
export let sellers: Aggregators
export let clinic: Clinic
export let desk: Caller
export let world: ReturnType<typeof onlineWorld>

let serial = 0
export const number = () => `A-${++serial}`

/** A seller of a branch, with its key. */
export async function seller(idFilial: number, more: object = {}) {
  const { id } = good(await desk.post('/booking-channels', { name: `Площадка ${++serial}`, idFilial, ...more }), 201)
  const { token } = good(await desk.post(`/booking-channels/${id}/token`))
  const headers = { authorization: `Bearer ${token}` }
  const call = (method: string, path: string, body?: object): Promise<Answer> =>
    clinic.anonymous.call(method, `/booking/${path}`, body, { headers })
  return {
    id: id as number,
    token: token as string,
    get: (path: string) => call('GET', path),
    post: (path: string, body?: object) => call('POST', path, body),
  }
}

export const someone = (more: object = {}) => ({
  surname: 'Новикова',
  name: 'Ольга',
  birthday: '1990-05-06',
  phone: newPhone(),
  ...more,
})

export const heldOf = async (outerId: string) =>
  good(await desk.get(`/outside-bookings?filter[outerId][like]=${outerId}`)).items[0]

/** Registers the set-up of the file's tests. */
export function openOutsideClinic(): void {
  beforeAll(async () => {
    sms = await startSmsSimulator()
    sellers = await startAggregators()
    clinic = await testApp({
      env: {
        SMS_URL: sms.url,
        TRUST_PROXY: '127.0.0.1',
        MEDFLEX_URL: `${sellers.url}/medflex`,
        NAPOPRAVKU_URL: `${sellers.url}/rta/api/v1`,
        YANDEX_ORDERS_URL: `${sellers.url}/yandex/orders`,
      },
      prepare: (app) => addPerson(app, 'desk', [...deskRights, 'viewAppeals', 'editAppeals']),
    })
    desk = clinic.as('desk')
    world = onlineWorld(clinic, desk, sms)
  })
  afterAll(async () => {
    await clinic.close()
    await sms.close()
    await sellers.close()
  })
}
