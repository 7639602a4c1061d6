/** Scope of payroll, its sums, and rules of changes. */
import {
  PayrollAdjustment,
  PayrollLine,
  PayrollPayout,
  PayrollPeriod,
  PayrollRun,
  PayrollSlip,
  PayScheme,
  ServiceCost,
  TimesheetDay,
} from '@ordinator/model/areas/payroll/payroll'
import { isCounting, type PeriodStatus } from '@ordinator/model/areas/payroll/states'
import sql, { raw, type Sql } from 'sql-template-tag'
import { isOpenCard } from '#areas/customers/index.ts'
import { soldFieldSql } from '#areas/money/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { type RowCondition, records } from '#records/define.ts'

/** SQL of the signed rubles of a slip's manual lines. @param which narrows them */
const adjustedSql = (row: Sql, which: Sql = raw('true')): Sql => sql`coalesce((
  select sum(case when j."kind" in ('bonus', 'extra') then j."sum" else -j."sum" end) from payroll_adjustments j
  where j."idSlip" = ${row}."id" and not j."deleted" and ${which}), 0)::numeric(14,2)`
const paidSql = (row: Sql): Sql =>
  sql`coalesce((select sum(o."sum") from payroll_payouts o where o."idSlip" = ${row}."id"), 0)::numeric(14,2)`
/** SQL of the total of a slip. */
export const slipTotalSql = (row: Sql): Sql =>
  sql`(${row}."salary" + ${row}."percent" + ${row}."kpi" + ${adjustedSql(row)})`
const periodOf = (row: Sql, what: Sql): Sql =>
  sql`(select ${what} from payroll_periods p join filials f on f."id" = p."idFilial" where p."id" = ${row}."idPeriod")`

/** A slip is visible to its person once its month is approved. */
const isOwnSlip: RowCondition = ({
  row,
  me,
}) => sql`(${row}."idUser" = ${me} and exists (select 1 from payroll_periods p
  where p."id" = ${row}."idPeriod" and not p."deleted" and p."status" in ('approved', 'paid', 'closed')))`
export const paySchemes = records(PayScheme, {
  computed: {
    isUsed: ({ row }) => sql`exists (select 1 from payroll_lines l join payroll_slips s on s."id" = l."idSlip"
      join payroll_periods p on p."id" = s."idPeriod" and p."status" = 'closed' where l."idScheme" = ${row}."id")`,
  },
  hooks: {
    prepare(value, before) {
      const { idUser, post, dateFrom, dateTo } = { ...before, ...value }
      if (!idUser && !post?.trim())
        throw new ValidationError([{ field: 'idUser', message: 'Выберите сотрудника или укажите должность' }])
      if (idUser && post?.trim())
        throw new ValidationError([{ field: 'post', message: 'Схема либо сотрудника, либо должности' }])
      if (dateFrom && dateTo && dateTo < dateFrom)
        throw new ValidationError([{ field: 'dateTo', message: 'Последний день раньше первого' }])
    },
    async beforeUpdate({ tx, actor }, value, before) {
      if (actor.system) return
      const closed = await tx.one<{ to: string }>(sql`
        select to_char((max(p."month") + interval '1 month' - interval '1 day')::date, 'YYYY-MM-DD') as to
        from payroll_lines l join payroll_slips s on s."id" = l."idSlip"
          join payroll_periods p on p."id" = s."idPeriod" and p."status" = 'closed' where l."idScheme" = ${before.id}`)
      if (!closed?.to) return
      for (const field of ['rules', 'accrual', 'over', 'idUser', 'post', 'idFilial', 'dateFrom'] as const)
        if (value[field] !== undefined && JSON.stringify(value[field]) !== JSON.stringify(before[field]))
          throw new ValidationError([
            {
              field,
              message: 'По этой схеме закрыт месяц: укажите день, по который она действует, и заведите новую',
            },
          ])
      if (value.dateTo && value.dateTo < closed.to)
        throw new ValidationError([{ field: 'dateTo', message: 'Этот месяц по схеме уже закрыт' }])
    },
  },
})

const monthSum = (row: Sql, what: Sql): Sql =>
  sql`coalesce((select sum(${what}) from payroll_slips s where s."idPeriod" = ${row}."id"), 0)::numeric(14,2)`

export const payrollPeriods = records(PayrollPeriod, {
  computed: {
    people: ({ row }) => sql`(select count(*)::int from payroll_slips s where s."idPeriod" = ${row}."id")`,
    total: ({ row }) => monthSum(row, slipTotalSql(raw('s'))),
    paid: ({ row }) => monthSum(row, paidSql(raw('s'))),
    left: ({ row }) => monthSum(row, sql`${slipTotalSql(raw('s'))} - ${paidSql(raw('s'))}`),
  },
  hooks: {
    prepare(value) {
      if ('month' in value && typeof value.month === 'string' && !value.month.endsWith('-01'))
        value.month = `${value.month.slice(0, 7)}-01`
    },
    async beforeDelete({ tx }, { id }) {
      const paid = await tx.one(sql`select 1 from payroll_payouts o join payroll_slips s on s."id" = o."idSlip"
        where s."idPeriod" = ${id} limit 1`)
      if (paid) throw new HttpError(409, 'По этому месяцу уже выплачивали', { code: 'kept' })
    },
  },
})

export const payrollSlips = records(PayrollSlip, {
  // Users with `payroll` see all of it; others their own. Lines and payouts are within their slip.
  scope: { unless: 'payroll', view: isOwnSlip },
  computed: {
    month: ({ row }) => periodOf(row, raw('p."month"')),
    nameFilial: ({ row }) => periodOf(row, raw('f."nameFilial"')),
    status: ({ row }) => periodOf(row, raw('p."status"')),
    bonus: ({ row }) => adjustedSql(row, raw(`j."kind" in ('bonus', 'extra')`)),
    deduction: ({ row }) => adjustedSql(row, raw(`j."kind" in ('reduction', 'deduction')`)),
    total: ({ row }) => slipTotalSql(row),
    paid: ({ row }) => paidSql(row),
    left: ({ row }) => sql`(${slipTotalSql(row)} - ${paidSql(row)})`,
  },
  hooks: {
    async beforeCreate({ tx }, { idPeriod }) {
      await countingPeriod(tx, idPeriod)
    },
  },
})

const lineFrom = raw(`from coupon_services l join coupons c on c."id" = l."idCoupon"
  join appointments a on a."id" = c."idAppointment"`)

export const payrollLines = records(PayrollLine, {
  computed: {
    ofMonth: ({ row }) => sql`(select p."month" from payroll_periods p where p."id" = ${row}."idOfPeriod")`,
    service: ({
      row,
    }) => sql`(select ${soldFieldSql(sql`l`, sql`s`, 'nameService')} from coupon_services l join services s on s."id" = l."idService"
      where l."id" = ${row}."idCouponService")`,
    patient: ({ row, me }) => sql`(select concat_ws(' ', u."surname", nullif(left(u."name", 1), '') || '.') ${lineFrom}
      join customers u on u."id" = a."idCustomer" where l."id" = ${row}."idCouponService"
        and ${isOpenCard({ row: raw('u'), me })})`,
  },
})

/** The month of a slip, locked while the slip may change. @throws HttpError 409 once it is checked */
async function countingSlip(tx: Tx, idSlip: number): Promise<void> {
  const slip = await tx.one<{ idPeriod: number }>(sql`select "idPeriod" from payroll_slips where "id" = ${idSlip}`)
  if (slip) await countingPeriod(tx, slip.idPeriod)
}

export async function countingPeriod(tx: Tx, idPeriod: number): Promise<void> {
  const period = await tx.one<{ status: PeriodStatus }>(
    sql`select "status" from payroll_periods where "id" = ${idPeriod} and not "deleted" for update`,
  )
  if (!period) throw new HttpError(404, 'Месяц не найден')
  if (!isCounting(period.status))
    throw new HttpError(409, 'Месяц уже проверен: верните его в расчёт, чтобы изменить', { code: 'transition' })
}

/** @throws ValidationError unless it is a confirmed violation by the slip's person that only reduces a bonus */
async function confirmedViolation(tx: Tx, idSlip: number, idViolation: number, kind: string): Promise<void> {
  if (kind !== 'reduction')
    throw new ValidationError([
      { field: 'kind', message: 'За нарушение снижают премию: удерживать из зарплаты нельзя' },
    ])
  const found = await tx.one(sql`select 1 from regulations_violations v join payroll_slips s on s."idUser" = v."idUser"
    where s."id" = ${idSlip} and v."id" = ${idViolation} and v."state" = 'confirmed' and not v."deleted"`)
  if (!found)
    throw new ValidationError([
      { field: 'idViolation', message: 'Нарушение не подтверждено или оно другого сотрудника' },
    ])
}

export const payrollAdjustments = records(PayrollAdjustment, {
  computed: {
    amount: ({ row }) => sql`(case when ${row}."kind" in ('bonus', 'extra') then ${row}."sum" else -${row}."sum" end)`,
  },
  hooks: {
    async beforeCreate({ tx }, value) {
      await countingSlip(tx, value.idSlip)
      if (value.idViolation) await confirmedViolation(tx, value.idSlip, value.idViolation, value.kind)
    },
    beforeUpdate: ({ tx }, _value, { idSlip }) => countingSlip(tx, idSlip),
    beforeDelete: ({ tx }, { idSlip }) => countingSlip(tx, idSlip),
    afterRestore: ({ tx }, { idSlip }) => countingSlip(tx, idSlip),
  },
})

export const payrollPayouts = records(PayrollPayout)
export const payrollRuns = records(PayrollRun)

/** Rejects changes of a day in a checked month. */
async function openDay(tx: Tx, { idFilial, localDate }: { idFilial: number; localDate: string }): Promise<void> {
  const checked = await tx.one(sql`select 1 from payroll_periods where "idFilial" = ${idFilial} and not "deleted"
    and "month" = date_trunc('month', ${localDate}::date)::date and "status" not in ('open', 'calculated')`)
  if (checked) throw new ValidationError([{ field: 'localDate', message: 'Месяц уже проверен: верните его в расчёт' }])
}

export const timesheetDays = records(TimesheetDay, {
  hooks: {
    prepare(value, before) {
      const { hours, nightHours } = { ...before, ...value }
      if ((nightHours ?? 0) > (hours ?? 0))
        throw new ValidationError([{ field: 'nightHours', message: 'Ночных часов больше, чем всех' }])
    },
    beforeCreate: ({ tx }, value) => openDay(tx, value),
    beforeUpdate: ({ tx }, _value, before) => openDay(tx, before),
    beforeDelete: ({ tx }, row) => openDay(tx, row),
  },
})

export const serviceCosts = records(ServiceCost)
