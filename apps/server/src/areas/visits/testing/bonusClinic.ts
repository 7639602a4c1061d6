/** A clinic with a bonus programme. */

import { Organization } from '@ordinator/model/areas/filials/organization'
import { dayIn } from '@ordinator/model/zone'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { billing } from './billing.ts'
import { worldOf } from './world.ts'

export let clinic: Clinic
export let keeper: Caller
export let cashier: Caller
export let desk: Awaited<ReturnType<typeof billing>>
export let idOrganization: number

export const today = () => dayIn('Europe/Moscow', Date.now())
export const program = async (more: object = {}) =>
  good(await keeper.post('/discounts/bonus-programs', { name: `Программа ${desk.key()}`, percent: 5, ...more }), 201)
    .id as number
export const read = async (idCustomer: number, more = '') =>
  good(await cashier.get(`/customers/${idCustomer}/bonuses?${more}`))
export const has = async (idCustomer: number): Promise<number> => (await read(idCustomer, 'limit=0')).available
export const add = (idCustomer: number, sum: number, more: object = {}) =>
  keeper.post(`/customers/${idCustomer}/bonuses`, { key: desk.key(), kind: 'add', sum, reason: 'Подарок', ...more })

export const chosen = (lines: readonly number[], sum: number) =>
  lines.map((idCouponService) => ({ idCouponService, sum }))
/** Checks that bonus records, the ledger account and the lines agree. */
export async function balanced(idCustomer: number) {
  const [row] = await clinic.db.query<{ left: number; held: number; spent: number; lines: number; least: number }>({
    text: `select (select coalesce(sum("left"), 0) from bonuses where "idCustomer" = $1)::float8 as left,
        (select coalesce(-sum(e."amount"), 0) / 100 from ledger_accounts a join ledger_entries e on e."idAccount" = a."id"
          and e."unit" = 'BONUS' where a."kind" = 'bonus' and a."idCustomer" = $1)::float8 as held,
        (select coalesce(sum(s."sum"), 0) / 100.0 from bonus_spends s join bonuses b on b."id" = s."idBonus"
          where b."idCustomer" = $1)::float8 as spent,
        (select coalesce(sum(l."bonus"), 0) from coupon_services l join coupons c on c."id" = l."idCoupon"
          join appointments a on a."id" = c."idAppointment" where a."idCustomer" = $1)::float8 as lines,
        (select coalesce(min("left"), 0) from bonuses where "idCustomer" = $1)::float8 as least`,
    values: [idCustomer],
  })
  expect(row?.held).toBeCloseTo(row?.left ?? -1, 6)
  expect(row?.lines).toBeCloseTo(row?.spent ?? -1, 6)
  expect(row?.least).toBeGreaterThanOrEqual(0)
}

/** Registers the set-up of the file's tests. */
export function openBonusClinic(): void {
  beforeAll(async () => {
    clinic = await testApp({
      async prepare(app) {
        await addPerson(app, 'keeper', [
          ...worldOf.rights,
          ...billing.rights,
          'viewDiscounts',
          'editDiscounts',
          'editBonuses',
        ])
        await addPerson(app, 'cashier', ['viewCustomers', 'takePayments', 'refundPayments', 'viewAllCashDesks'])
        await addPerson(app, 'nurse', ['viewCustomers'])
        const system = app.engine.for(systemActor)
        idOrganization = (await system.create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })).id
      },
    })
    keeper = clinic.as('keeper')
    cashier = clinic.as('cashier')
    await Promise.all([keeper.token(), cashier.token()])
    const { id } = good(await keeper.post('/discounts', { name: 'Оплата бонусами', kind: 'bonus', value: 30 }), 201)
    good(await keeper.put(`/discounts/${id}`, { status: 'active' }))
    desk = await billing(keeper, worldOf(clinic, keeper), idOrganization)
  })
  afterAll(() => clinic.close())
  beforeEach(async () => {
    await clinic.db.query({ text: 'update discounts_bonus_programs set "active" = false' })
  })
}
