/** Trying a programme, and who pays for the services of a visit. */

import { Service } from '@ordinator/model/areas/catalogue/service'
import { InsuranceProgramme, Organization } from '@ordinator/model/areas/filials/organization'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import { payerCalls } from '@ordinator/model/areas/payers/calls'
import { PayerContract } from '@ordinator/model/areas/payers/contract'
import { InsuredPerson } from '@ordinator/model/areas/payers/insured'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { formatDay, formatMoney } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { dayOf } from '#areas/money/index.ts'
import { taskFrom } from '#areas/tasks/index.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { assertVisible } from '#records/reference.ts'
import { escaped } from '#records/sanitize.ts'
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

export const letterTask = operation(payerCalls.letterTask, ({ records, params: { id }, body }) =>
  records.tx(async (inside, tx) => {
    const visit = await inside.row(Appointment, id)
    const { insured, lines } = await coverageOfVisit(tx, id)
    const wanted = lines.filter(({ needsLetter, isCovered }) => needsLetter && !isCovered)
    if (!insured || wanted.length === 0)
      throw new HttpError(409, 'В этой записи нет услуг, которым нужно письмо', { code: 'transition' })
    const services = await tx.query<{ name: string; code: string | null }>(sql`
      select s."nameService" as name, s."medicalCode" as code from coupon_services l join services s on s."id" = l."idService"
      where l."id" = any (${wanted.map((line) => line.id)}::bigint[]) order by l."id"`)
    const patient = await tx.one<{ fio: string; birthday: string | null }>(sql`
      select concat_ws(' ', p."surname", p."name", p."middleName") as fio, to_char(p."birthday", 'DD.MM.YYYY') as birthday
      from customers p where p."id" = ${visit.idCustomer} and p."secretLevel" = 'none'`)
    const total = wanted.reduce((sum, line) => sum + kopecks(line.total), 0)
    // A restricted card is not named in a task: the payer knows the person by the policy.
    const who = [patient?.fio, patient?.birthday && `${patient.birthday} г. р.`].filter(Boolean).join(', ')
    const text = [
      `Просим выдать гарантийное письмо по полису ${insured.policy}, программа «${insured.programme}»${who && `: ${who}`}.`,
      `Услуги на ${formatDay(visit.localDate)}: ${services.map(({ name, code }) => (code ? `${code} ${name}` : name)).join('; ')}.`,
      `Сумма ${formatMoney(rubles(total))}.`,
    ]
    const idTask = await taskFrom(inside, {
      ...body,
      description: [`Кому: ${insured.payer}`, ...text].map((line) => `<p>${escaped(line)}</p>`).join(''),
      ...(patient && visit.idCustomer !== null && { idCustomer: visit.idCustomer }),
    })
    return { id: idTask }
  }),
)
