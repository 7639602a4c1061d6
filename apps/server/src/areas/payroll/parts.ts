/** Details of a slip: the services of an aggregated line, and uncounted violations of regulations. */
import { rubles } from '@ordinator/model/areas/money/rules'
import { partsOf } from '@ordinator/model/areas/payroll/calculate'
import { payrollCalls } from '@ordinator/model/areas/payroll/calls'
import { PayrollLine, PayrollSlip } from '@ordinator/model/areas/payroll/payroll'
import { lastDay } from '@ordinator/model/areas/payroll/timesheet'
import sql, { raw } from 'sql-template-tag'
import { ifOpen } from '#areas/customers/index.ts'
import { soldFieldSql } from '#areas/money/index.ts'
import { clinicZone } from '#areas/settings/index.ts'
import { operation } from '#records/operation.ts'
import { type Month, readFacts } from './facts.ts'

/** Maximum number of services listed for a line. */
const MAX_SERVICES = 2_000
const MAX_VIOLATIONS = 100

export const lineServices = operation(payrollCalls.lineServices, async ({ app, records, actor, params: { id } }) => {
  const line = await records.row(PayrollLine, id)
  const slip = await records.row(PayrollSlip, line.idSlip)
  const db = app.db.reads
  const month = await db.one<Month>(sql`
    select to_char("month", 'YYYY-MM-DD') as month, "idFilial", "payerIncome" from payroll_periods where "id" = ${line.idOfPeriod ?? slip.idPeriod}`)
  if (!month) return { base: 0, services: [] }
  const { facts } = await readFacts(db, month, { idUser: slip.idUser })
  const parts = partsOf(facts, { idUser: slip.idUser, idScheme: line.idScheme, rule: line.rule })
  const base = parts.reduce((sum, one) => sum + one.base, 0)
  const shown = parts.slice(0, MAX_SERVICES)
  const names = await db.query<{ id: number; service: string; patient: string | null }>(sql`
    select l."id", ${soldFieldSql(sql`l`, sql`s`, 'nameService')} as service, ${ifOpen(actor, raw('u'), sql`concat_ws(' ', u."surname", nullif(left(u."name", 1), '') || '.')`)} as patient
    from coupon_services l join services s on s."id" = l."idService" join coupons c on c."id" = l."idCoupon"
      join appointments a on a."id" = c."idAppointment" join customers u on u."id" = a."idCustomer"
    where l."id" = any (${shown.map(({ idLine }) => idLine)}::bigint[])`)
  const nameOf = new Map(names.map((one) => [one.id, one]))
  return {
    base: rubles(base),
    services: shown.map(({ idLine, day, base: own }) => ({
      id: idLine,
      day,
      service: nameOf.get(idLine)?.service ?? '',
      patient: nameOf.get(idLine)?.patient ?? null,
      base: rubles(own),
    })),
  }
})

export const violations = operation(payrollCalls.violations, async ({ app, records, params: { id } }) => {
  const { idUser, month } = await records.row(PayrollSlip, id)
  return app.db.reads.query<{
    id: number
    day: string
    description: string
    regulation: string
    deduction: number
  }>(sql`
    select v."id", to_char(v."dateCreate" at time zone ${clinicZone}, 'YYYY-MM-DD') as day, v."description",
      r."name" as regulation, v."deduction"::float8 as deduction
    from regulations_violations v join regulations r on r."id" = v."idRegulation"
    where v."idUser" = ${idUser} and v."state" = 'confirmed' and v."deduction" > 0 and not v."deleted"
      and (v."dateCreate" at time zone ${clinicZone})::date <= ${lastDay(month)}::date
      and not exists (select from payroll_adjustments j where j."idViolation" = v."id" and not j."deleted")
    order by v."dateCreate" limit ${MAX_VIOLATIONS}`)
})
