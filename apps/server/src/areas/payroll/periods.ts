/** Status changes of a month; the approval is posted to the ledger, and reversed by reopening. */
import { rubles } from '@ordinator/model/areas/money/rules'
import { payrollCalls } from '@ordinator/model/areas/payroll/calls'
import { PayrollPeriod } from '@ordinator/model/areas/payroll/payroll'
import { nextPeriodStatuses, type PeriodStatus, periodStatuses } from '@ordinator/model/areas/payroll/states'
import { lastDay } from '@ordinator/model/areas/payroll/timesheet'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { organizationOf, post, reverse } from '#areas/money/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { slipTotalSql } from './records.ts'
import { monthCalendar, workDays } from './workDays.ts'

/** The ledger account of an employee at the clinic. */
export const staffAccount = (idUser: number) => ({ kind: 'staff' as const, mark: `user ${idUser}` })

export const setStatus = operation(payrollCalls.setStatus, ({ records, params: { id }, body }) =>
  records.tx(async (inside, tx) => {
    await inside.row(PayrollPeriod, id)
    await tx.query(sql`select 1 from payroll_periods where "id" = ${id} for update`)
    const period = await inside.asSystem.row(PayrollPeriod, id)
    const status: PeriodStatus = body.status
    if (!nextPeriodStatuses[period.status].includes(status))
      throw new HttpError(
        409,
        `Месяц в состоянии «${periodStatuses[period.status]}»: перевести его в «${periodStatuses[status]}» нельзя`,
        { code: 'transition' },
      )
    if (status === 'approved' && period.status === 'checked') await approve(inside, tx, period)
    if (status === 'checked' && period.status === 'approved') await takeBack(inside, tx, period)
    if (status === 'paid') await assertPaid(tx, id)
    const now = new Date().toISOString()
    return inside.asSystem.update(PayrollPeriod, id, {
      status,
      ...(status === 'approved' &&
        period.status === 'checked' && { dateApproved: now, idApprover: inside.actor.id || null }),
      ...(status === 'closed' && { dateClosed: now }),
    })
  }),
)

/** Posts the month's pay as a debt of the clinic: one transaction, an entry per person. */
export async function approve(inside: Records, tx: Tx, period: Row<typeof PayrollPeriod>): Promise<void> {
  const slips = await tx.query<{ idUser: number; total: number }>(sql`
    select s."idUser", (${slipTotalSql(raw('s'))} * 100)::float8 as total from payroll_slips s
    where s."idPeriod" = ${period.id} order by s."idUser"`)
  const negative = slips.find(({ total }) => total < 0)
  if (negative) {
    const person = await tx.one<{ name: string }>(
      sql`select ${shortFioSql(raw('u'))} as name from users u where u."id" = ${negative.idUser}`,
    )
    throw new HttpError(
      409,
      `${person?.name ?? 'Сотрудник'}: к выплате ${formatMoney(rubles(negative.total))}, меньше нуля. Перенесите удержание на следующий месяц`,
      { code: 'negative' },
    )
  }
  const idOrganization = await organizationOf(tx, period.idFilial)
  if (idOrganization === undefined)
    throw new HttpError(409, 'Нет своей организации: заведите её, чтобы провести зарплату', { code: 'organization' })
  const sum = slips.reduce((all, { total }) => all + total, 0)
  const before = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from ledger_txs where "key" like ${`payroll:${period.id}:%`}`,
  )
  await post(inside, tx, {
    key: `payroll:${period.id}:${before?.count ?? 0}`,
    kind: 'payroll',
    localDate: lastDay(period.month),
    comment: `Зарплата за ${period.month.slice(0, 7)}`,
    entries: [
      ...slips.map(({ idUser, total }) => ({ account: { ...staffAccount(idUser), idOrganization }, amount: -total })),
      { account: { kind: 'wages', idOrganization, mark: `filial ${period.idFilial}` }, amount: sum },
    ],
  })
}

async function takeBack(inside: Records, tx: Tx, period: Row<typeof PayrollPeriod>): Promise<void> {
  const paid = await tx.one(sql`select 1 from payroll_payouts o join payroll_slips s on s."id" = o."idSlip"
    where s."idPeriod" = ${period.id} and o."kind" = 'salary' limit 1`)
  if (paid) throw new HttpError(409, 'Зарплату этого месяца уже выплачивали', { code: 'transition' })
  const posted = await tx.one<{ id: number }>(sql`select t."id" from ledger_txs t
    where t."key" like ${`payroll:${period.id}:%`} and t."kind" = 'payroll'
      and not exists (select 1 from ledger_txs r where r."reverses" = t."id") order by t."id" desc limit 1`)
  if (posted)
    await reverse(inside, tx, posted.id, { key: `payroll-back:${posted.id}`, localDate: lastDay(period.month) })
}

async function assertPaid(tx: Tx, id: number): Promise<void> {
  const row = await tx.one<{ left: number }>(sql`
    select coalesce(sum(greatest(0, ${slipTotalSql(raw('s'))}
      - coalesce((select sum(o."sum") from payroll_payouts o where o."idSlip" = s."id"), 0))), 0)::float8 as left
    from payroll_slips s where s."idPeriod" = ${id}`)
  if ((row?.left ?? 0) > 0) throw new HttpError(409, `Осталось выплатить ${formatMoney(row?.left)}`, { code: 'unpaid' })
}

export const timesheet = operation(payrollCalls.timesheet, async ({ app, records, params: { id } }) => {
  const { month, idFilial } = await records.row(PayrollPeriod, id)
  const [from, to] = [month, lastDay(month)]
  const [days, { off, norm }] = await Promise.all([
    workDays(app.db.reads, idFilial, from, to),
    monthCalendar(app.db.reads, from, to),
  ])
  const people = await app.db.reads.query<{ idUser: number; name: string; post: string | null }>(sql`
    select u."id" as "idUser", ${shortFioSql(raw('u'))} as name, u."post" from users u
    where not u."deleted" and (u."id" = any (${[...days.keys()]}::bigint[])
      or exists (select 1 from payroll_slips s where s."idPeriod" = ${id} and s."idUser" = u."id"))
    order by u."surname", u."name", u."id" limit 1000`)
  return {
    ...norm,
    daysOff: [...off],
    people: people.map((person) => ({
      ...person,
      days: [...(days.get(person.idUser)?.values() ?? [])]
        .map(({ isShift, ...day }) => ({ ...day, shift: isShift }))
        .toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    })),
  }
})
