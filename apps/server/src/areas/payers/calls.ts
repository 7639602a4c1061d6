/** Trying a programme, and who pays for the services of a visit. */

import { Service } from '@ordinator/model/areas/catalogue/service'
import { InsuranceProgramme, Organization } from '@ordinator/model/areas/filials/organization'
import { rubles } from '@ordinator/model/areas/money/rules'
import { payerCalls } from '@ordinator/model/areas/payers/calls'
import { PayerContract } from '@ordinator/model/areas/payers/contract'
import { InsuredPerson } from '@ordinator/model/areas/payers/insured'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import sql from 'sql-template-tag'
import { dayOf } from '#areas/money/index.ts'
import { ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { assertVisible } from '#records/reference.ts'
import { coverageOfVisit, decide } from './coverage.ts'

export const check = operation(payerCalls.check, async ({ app, records, params: { id }, body }) => {
  const contract = await records.row(PayerContract, id)
  await assertVisible(records.asSystem, Service, body.idService, 'idService')
  await assertVisible(records.asSystem, InsuranceProgramme, body.idProgramme, 'idProgramme')
  const programme = await records.asSystem.row(InsuranceProgramme, body.idProgramme)
  if (programme.idOrganization !== contract.idPayer)
    throw new ValidationError([{ field: 'idProgramme', message: 'Это программа другого плательщика' }])
  const { shortName } = await records.asSystem.row(Organization, contract.idPayer)
  const day = body.day ?? (await dayOf(app.db.reads, null))
  const found = await decide(
    app.db.reads,
    { id: 0, idService: body.idService, idCustomer: 0, idFilial: 0, day, qty: 1, diagnosis: body.diagnosis || null },
    {
      ...{ id: 0, idContract: id, idProgramme: body.idProgramme, idPayer: contract.idPayer, policy: '' },
      ...{
        payer: shortName,
        programme: programme.name,
        copay: contract.copay ?? 0,
        letter: contract.letter ?? 'listed',
      },
    },
  )
  return {
    ...{ isCovered: found.isCovered, needsLetter: found.needsLetter, words: found.words, rule: found.idRule },
    ...{ total: rubles(found.total), payer: rubles(found.share), patient: rubles(found.total - found.share) },
  }
})

export const closeAbsent = operation(payerCalls.closeAbsent, ({ records, params: { id }, body }) =>
  records.tx(async (inside, tx) => {
    await inside.row(PayerContract, id)
    const { day, dryRun } = body
    const listed = await tx.one<{ kept: number; closed: number }>(sql`
      select count(*) filter (where "dateListed" = ${day}::date)::int as kept,
        count(*) filter (where "dateListed" is distinct from ${day}::date)::int as closed
      from insured_persons where "idContract" = ${id} and not "deleted" and coalesce("dateTo" >= ${day}::date, true)`)
    const { kept = 0, closed = 0 } = listed ?? {}
    if (kept === 0) throw new ValidationError([{ field: 'day', message: 'Полного списка этого дня не загружали' }])
    if (!dryRun)
      await inside.asSystem.updateWhere(
        InsuredPerson,
        ({
          row,
        }) => sql`${row}."idContract" = ${id} and not ${row}."deleted" and coalesce(${row}."dateTo" >= ${day}::date, true)
          and ${row}."dateListed" is distinct from ${day}::date`,
        { dateTo: day },
        { pastHooks: 'The list of the payer says so' },
      )
    return { closed, kept }
  }),
)

export const coverage = operation(payerCalls.coverage, async ({ app, records, params: { id } }) => {
  await records.row(Appointment, id)
  return coverageOfVisit(app.db.reads, id)
})
