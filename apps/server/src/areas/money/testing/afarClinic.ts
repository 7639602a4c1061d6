/** A clinic with the simulators of ЮKassa and of АТОЛ Онлайн. */

import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { type AtolOnlineSimulator, startAtolOnlineSimulator } from '#testing/atolOnlineSimulator.ts'
import { good } from '#testing/good.ts'
import type { Caller, Clinic } from '#testing/harness.ts'
import { startYookassaSimulator, type YookassaSimulator } from '#testing/yookassaSimulator.ts'
import { type CashWorld, cashWorld } from './cashWorld.ts'

export let kassa: YookassaSimulator
export let cloud: AtolOnlineSimulator
export let world: CashWorld
export let clinic: Clinic
export let keeper: Caller
export let cashier: Caller

export const online = {
  onlineGroup: 'group-1',
  onlineLogin: 'login',
  onlinePassword: 'password',
  onlineAddress: 'https://clinic.test',
}
export const byLinks = (more: object = {}) =>
  world.desk({ kktMode: 'none', terminalMode: 'yookassa', payShop: '123456', paySecret: 'test_key', ...more })
export const link = async (idDesk: number, sum: number, more: object = {}) =>
  good(
    await cashier.post('/payment-links/make', {
      key: world.key(),
      idDesk,
      idCustomer: await world.patient(),
      sum,
      contact: 'p@mail.test',
      ...more,
    }),
    201,
  )
export const open = (url: string) => clinic.anonymous.get(new URL(url).pathname)
/** Opens the page of a link. @returns the id of its payment at ЮKassa */
export async function opened(url: string): Promise<string> {
  const { status, headers } = await open(url)
  expect(status).toBe(303)
  return String(headers.location).split('/').at(-1) as string
}
export const ask = async (id: number) => good(await cashier.post(`/payment-links/${id}/ask`))

export const printed = (idPayment: number, status: string) =>
  expect
    .poll(
      async () => {
        await clinic.context.jobs.run('money.receipts')
        return good(await keeper.get(`/fiscal-tasks?filter[idPayment]=${idPayment}`)).items[0]?.status
      },
      { timeout: 40_000, interval: 200 },
    )
    .toBe(status)

/** Registers the set-up of the file's tests. */
export function openAfarClinic(): void {
  beforeAll(async () => {
    ;[kassa, cloud] = await Promise.all([startYookassaSimulator(), startAtolOnlineSimulator()])
    world = await cashWorld('Далёкая', 'Europe/Moscow', {
      env: { YOOKASSA_URL: kassa.url, ATOL_ONLINE_URL: cloud.url },
    })
    ;({ clinic, keeper, cashier } = world)
    good(
      await keeper.put(`/organizations/${world.idOrganization}`, {
        inn: '7707083893',
        taxSystem: 'usnIncome',
        email: 'a@clinic.test',
      }),
    )
  })
  beforeEach(() => {
    kassa.mood = 'works'
    cloud.mood = 'works'
  })
  afterAll(async () => {
    await clinic.close()
    await Promise.all([kassa.close(), cloud.close()])
  })
}
