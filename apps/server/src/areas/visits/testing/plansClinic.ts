/** A clinic with treatment plans. */

import { Organization } from '@ordinator/model/areas/filials/organization'
import { dayIn } from '@ordinator/model/zone'
import { afterAll, beforeAll } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'
import { billing } from './billing.ts'
import { worldOf } from './world.ts'

const own = ['viewPlans', 'editPlans', 'viewCustomers', 'editCustomers'] as const
export const today = dayIn('Europe/Moscow', Date.now())
export let sms: SmsSimulator
export let clinic: Clinic
export let keeper: Caller
export let worlds: ReturnType<typeof worldOf>
export let desk: Awaited<ReturnType<typeof billing>>
let idOrganization = 0
export const doctors: number[] = []

export interface Wanted {
  idCustomer?: number
  idFilial?: number
  by?: Caller
  idDoctor?: number
  items?: object[]
  plan?: object
}

/** A plan with one stage at the desk's branch; its service costs 1000 ₽ there. */
export async function plan({
  idCustomer,
  by = keeper,
  idDoctor = desk.idUser,
  items = [{}],
  plan: more = {},
}: Wanted = {}) {
  const patient = idCustomer ?? (await worlds.patient())
  const body = { name: 'Курс', idCustomer: patient, idDoctor, idFilial: desk.idFilial, ...more }
  const { id } = good(await by.post('/customer-plans', body), 201)
  const stage = good(await by.post('/customer-plans/stages', { idPlan: id, name: 'Первый' }), 201)
  const ids: number[] = []
  for (const item of items) {
    const row = { idStage: stage.id, idService: desk.idService, ...item }
    ids.push(good(await by.post('/customer-plans/items', row), 201).id)
  }
  return { id: id as number, idCustomer: patient, idStage: stage.id as number, items: ids }
}

export const of = async (id: number, by = keeper) => good(await by.get(`/customer-plans/${id}`))

/** Registers the set-up of the file's tests. */
export function openPlansClinic(): void {
  beforeAll(async () => {
    sms = await startSmsSimulator()
    clinic = await testApp({
      env: { SMS_URL: sms.url },
      async prepare(app) {
        await addPerson(app, 'keeper', [
          ...worldOf.rights,
          ...billing.rights,
          'viewCustomerPlansReport',
          'editPlans',
          'discountPlans',
          'agreePlans',
          'viewAccessLog',
          'viewDiscounts',
          'editDiscounts',
          'viewMemberships',
        ])
        for (const login of ['one', 'two']) doctors.push((await addPerson(app, login, own)).id)
        await addPerson(app, 'desk', ['viewPlans', 'agreePlans', 'viewCustomers'])
        await addPerson(app, 'stranger', ['viewCustomers'])
        const system = app.engine.for(systemActor)
        idOrganization = (await system.create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })).id
      },
    })
    keeper = clinic.as('keeper')
    await keeper.token()
    worlds = worldOf(clinic, keeper)
    desk = await billing(keeper, worlds, idOrganization)
  })
  afterAll(async () => {
    await clinic.close()
    await sms.close()
  })
}
