/** A clinic with payers, their programmes and insured patients. */

import { Organization } from '@ordinator/model/areas/filials/organization'
import { dayIn } from '@ordinator/model/zone'
import { afterAll, beforeAll } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { billing } from './billing.ts'
import { worldOf } from './world.ts'

export const today = dayIn('Europe/Moscow', Date.now())
export const year = today.slice(0, 4)
export let clinic: Clinic
export let keeper: Caller
export let worlds: ReturnType<typeof worldOf>
export let desk: Awaited<ReturnType<typeof billing>>
export let idOrganization = 0

/** The visit of an arrived patient takes place. */
export async function finish(id: number): Promise<Answer> {
  await desk.to(id, 'inProgress')
  return desk.to(id, 'completed')
}

let serial = 0

/** The tenth digit of an organization's ИНН checks the others. */
function innOf(number: number): string {
  const digits = String(770_000_000 + number)
  const sum = [2, 4, 10, 3, 5, 9, 4, 6, 8].reduce((all, weight, at) => all + weight * Number(digits[at]), 0)
  return `${digits}${(sum % 11) % 10}`
}

/** An insurer with a contract, a programme and its rules. */
export async function payer(contract: object = {}, rules: object[] = [{ kind: 'allow' }]) {
  const number = ++serial
  const inn = innOf(number)
  const { id: idPayer } = good(
    await keeper.post('/organizations', { shortName: `Страховая ${number}`, kind: 'insurer', inn }),
    201,
  )
  const body = { idPayer, idOrganization, number: `Д-${number}`, dateFrom: `${year}-01-01`, ...contract }
  const { id: idContract } = good(await keeper.post('/payer-contracts', body), 201)
  const { id: idProgramme } = good(
    await keeper.post('/organizations/programmes', { idOrganization: idPayer, name: 'Стандарт' }),
    201,
  )
  for (const rule of rules) good(await keeper.post('/programme-rules', { idProgramme, ...rule }), 201)
  return { idPayer: idPayer as number, idContract: idContract as number, idProgramme: idProgramme as number, inn }
}
type Payer = Awaited<ReturnType<typeof payer>>

export async function insure({ idContract, idProgramme }: Payer, idCustomer?: number) {
  const who = idCustomer ?? (await worlds.patient())
  const body = {
    idContract,
    idProgramme,
    policy: `П-${++serial}`,
    surname: 'Иванов',
    dateFrom: `${year}-01-01`,
    idCustomer: who,
  }
  good(await keeper.post('/insured-persons', body), 201)
  return who
}
export const claim = async ({ idPayer }: Payer): Promise<number> => {
  const [row] = await clinic.db.query<{ sum: number }>({
    text: `select coalesce(sum(e."amount"), 0)::float8 / 100 as sum from ledger_accounts a
      join ledger_entries e on e."idAccount" = a."id" where a."kind" = 'insurer' and a."idInsurer" = $1`,
    values: [idPayer],
  })
  return row?.sum ?? 0
}

/** Gives a line of a registry all that it may lack. */
export async function complete(idContract: number) {
  await clinic.db.query({
    text: `update services set "medicalCode" = 'B01.047.001' where "id" = $1`,
    values: [desk.idService],
  })
  await clinic.db.query({
    text: `update payer_registries_lines z set "values" = z."values" || '{"diagnosis": "K02.1", "birthday": "01.01.1980", "code": "B01.047.001"}'
      from payer_registries y where y."id" = z."idRegistry" and y."idContract" = $1`,
    values: [idContract],
  })
}

/** The patient lets the clinic hand the diagnosis over. */
export const consent = (idCustomer: number) =>
  clinic.db.query({
    text: `with t as (insert into consents_templates ("name", "type") values ($2, 'payer') returning "id"),
      v as (insert into consents_versions ("idTemplate", "number", "dateFrom", "purpose", "text", "idUser")
        select "id", 1, '2026-01-01', 'ДМС', 'ДМС', (select min("id") from users) from t returning "id")
      insert into consents ("idCustomer", "idVersion", "name", "type", "purpose", "signedAt", "idUser")
        select $1, "id", 'ДМС', 'payer', 'ДМС', now(), (select min("id") from users) from v`,
    values: [idCustomer, `ДМС ${++serial}`],
  })

/** A branch with free times becomes the desk of the tests that follow. */
export async function anotherDesk(): Promise<void> {
  desk = await billing(keeper, worlds, idOrganization)
}

/** Registers the set-up of the file's tests. */
export function openPayersClinic(): void {
  beforeAll(async () => {
    clinic = await testApp({
      async prepare(app) {
        const rights = [
          'viewPayers',
          'editPayers',
          'viewPaymentsReport',
          'editExpenses',
          'viewTasksManagement',
          'payroll',
        ] as const
        await addPerson(app, 'keeper', [...worldOf.rights, ...billing.rights, ...rights])
        const system = app.engine.for(systemActor)
        idOrganization = (await system.create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })).id
      },
    })
    keeper = clinic.as('keeper')
    await keeper.token()
    worlds = worldOf(clinic, keeper)
    desk = await billing(keeper, worlds, idOrganization)
  })
  afterAll(() => clinic.close())
}
