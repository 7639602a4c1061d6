/** Test clinic with a branch, an organization of its own and staff who handle its money. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { Organization } from '@ordinator/model/areas/filials/organization'
import type { Permission } from '@ordinator/model/permissions'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, type TestOptions, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

const MANAGE: readonly Permission[] = [
  'mainSettings',
  'viewAllCashDesks',
  'viewCashDesk',
  'editAccount',
  'correctReceipts',
]
const HANDLE: readonly Permission[] = ['takePayments', 'refundPayments', 'cashInOut', 'viewAllCashDesks']

export type CashWorld = Awaited<ReturnType<typeof cashWorld>>

/**
 * @param name of its branch
 * @returns `keeper` sets up desks and corrects the ledger, `cashier` takes and refunds, `chief` refunds above the
 * limit of a desk, `nurse` has none of these rights and has not signed in; `one` has the rights of the first two
 */
export async function cashWorld(name: string, timeZone = 'Europe/Moscow', options: TestOptions = {}) {
  let idFilial = 0
  let idOrganization = 0
  const clinic: Clinic = await testApp({
    ...options,
    async prepare(app) {
      await addPerson(app, 'keeper', MANAGE)
      await addPerson(app, 'cashier', HANDLE)
      await addPerson(app, 'chief', ['refundAbove', 'viewCashDesk', 'takePayments', 'viewAllCashDesks'])
      await addPerson(app, 'one', [...new Set([...MANAGE, ...HANDLE])])
      await addPerson(app, 'nurse')
      const system = app.engine.for(systemActor)
      idFilial = (await system.create(Filial, { nameFilial: name, timeZone })).id
      idOrganization = (await system.create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })).id
    },
  })
  const [keeper, cashier, chief, one] = ['keeper', 'cashier', 'chief', 'one'].map((login) => clinic.as(login)) as [
    Caller,
    Caller,
    Caller,
    Caller,
  ]
  await Promise.all([keeper, cashier, chief, one].map((who) => who.token()))
  let serial = 0
  const key = (): string => `money-key-${++serial}`
  /** A desk with a simulated register and terminal, its shift closed. */
  const desk = async (more: object = {}): Promise<number> => {
    const devices = { kktMode: 'simulator', terminalMode: 'simulator' }
    const body = { name: `Касса ${++serial}`, idFilial, idOrganization, ...devices, ...more }
    return good(await keeper.post('/cash-desks', body), 201).id
  }
  return {
    ...{ clinic, keeper, cashier, chief, one, idFilial, idOrganization, key, desk },
    patient: async (): Promise<number> =>
      (await clinic.context.engine.for(systemActor).create(Customer, { surname: `Пациент${++serial}` })).id,
    /** A desk as above with an open shift. */
    async openDesk(more: object = {}): Promise<{ idDesk: number; idShift: number }> {
      const idDesk = await desk(more)
      return { idDesk, idShift: good(await cashier.post('/cash-shifts/open', { key: key(), idDesk }), 201).id }
    },
    /** Charges rubles to a patient. */
    charge: async (idCustomer: number, sum: number) =>
      good(
        await keeper.post('/ledger/correct', {
          ...{ key: key(), idCustomer, idOrganization, kind: 'charge', sum },
          reason: 'Остаток из прежней программы',
        }),
        201,
      ),
  }
}
