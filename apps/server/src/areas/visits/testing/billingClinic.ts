/** A clinic with a desk that bills visits. */

import { Organization } from '@ordinator/model/areas/filials/organization'
import { afterAll, beforeAll } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { billing } from './billing.ts'
import { worldOf } from './world.ts'

export let clinic: Clinic
export let keeper: Caller
export let desk: Awaited<ReturnType<typeof billing>>

export const paid = async (idVisit: number) => (await desk.linesOf(idVisit)).map((line) => line.paid)

/** Registers the set-up of the file's tests. */
export function openBillingClinic(): void {
  beforeAll(async () => {
    let idOrganization = 0
    clinic = await testApp({
      async prepare(app) {
        await addPerson(app, 'keeper', [
          ...[...worldOf.rights, ...billing.rights],
          ...(['viewDiscounts', 'editDiscounts', 'correctReceipts'] as const),
        ])
        const system = app.engine.for(systemActor)
        idOrganization = (await system.create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })).id
      },
    })
    keeper = clinic.as('keeper')
    await keeper.token()
    desk = await billing(keeper, worldOf(clinic, keeper), idOrganization)
  })
  afterAll(() => clinic.close())
}
