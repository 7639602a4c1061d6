/** Payouts: advances before the approval, the rest after it, from a cash desk or a bank account. */
import { BankAccount } from '@ordinator/model/areas/filials/organization'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import { payrollCalls } from '@ordinator/model/areas/payroll/calls'
import { PayrollPayout, PayrollPeriod, PayrollSlip } from '@ordinator/model/areas/payroll/payroll'
import { isApproved, type PayoutSource, type PeriodStatus } from '@ordinator/model/areas/payroll/states'
import type { Create, Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { dayOf, organizationOf, payFromDesk, post } from '#areas/money/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { staffAccount } from './periods.ts'
import { slipTotalSql } from './records.ts'

interface Source {
  payFrom: PayoutSource
  idDesk?: number | undefined
  idBankAccount?: number | undefined
  localDate?: string | undefined
}

interface Held {
  idFilial: number
  month: string
  status: PeriodStatus
}

const LEFT = sql`(${slipTotalSql(raw('s'))} - coalesce((select sum(o."sum") from payroll_payouts o where o."idSlip" = s."id"), 0))`

async function holdPeriod(tx: Tx, idPeriod: number): Promise<Held> {
  const held = await tx.one<Held>(sql`select "idFilial", to_char("month", 'YYYY-MM-DD') as month, "status"
    from payroll_periods where "id" = ${idPeriod} and not "deleted" for update`)
  if (!held) throw new HttpError(404, 'Месяц не найден')
  if (held.status === 'closed') throw new HttpError(409, 'Месяц закрыт', { code: 'transition' })
  return held
}

export const payOut = operation(payrollCalls.payOut, {
  async once({ records: inside, tx, params: { id }, body }) {
    const slip = await inside.row(PayrollSlip, id)
    const period = await holdPeriod(tx, slip.idPeriod)
    if (body.kind === 'salary') {
      if (!isApproved(period.status))
        throw new HttpError(409, 'Месяц ещё не утверждён: до этого выдают только аванс', { code: 'transition' })
      const row = await tx.one<{ left: number }>(
        sql`select (${LEFT} * 100)::float8 as left from payroll_slips s where s."id" = ${id}`,
      )
      const left = row?.left ?? 0
      if (kopecks(body.sum) > left)
        throw new ValidationError([{ field: 'sum', message: `Осталось выплатить ${formatMoney(rubles(left))}` }])
    }
    return (await give(inside, tx, slip, period, body)).id
  },
  async answer({ records, params, id }) {
    await records.row(PayrollSlip, params.id)
    return records.asSystem.row(PayrollPayout, id as number)
  },
})

export const payAll = operation(payrollCalls.payAll, {
  async once({ records: inside, tx, params: { id }, body }) {
    await inside.row(PayrollPeriod, id)
    await payRests(inside, tx, id, body)
    return undefined
  },
  async answer({ app, records, params: { id }, body }) {
    await records.row(PayrollPeriod, id)
    return paidBy(app.db, body.key)
  },
})

/** Pays everyone in an approved month the rest of their pay. */
export async function payRests(
  inside: Records,
  tx: Tx,
  idPeriod: number,
  body: Source & { key: string; idAuthor?: number },
) {
  const period = await holdPeriod(tx, idPeriod)
  if (!isApproved(period.status)) throw new HttpError(409, 'Месяц ещё не утверждён', { code: 'transition' })
  const slips = await tx.query<{ id: number; idUser: number; left: number }>(sql`
    select s."id", s."idUser", (${LEFT} * 100)::float8 as left from payroll_slips s
    where s."idPeriod" = ${idPeriod} and ${LEFT} > 0 order by s."id"`)
  for (const slip of slips)
    await give(inside, tx, slip, period, {
      ...body,
      kind: 'salary',
      sum: rubles(slip.left),
      key: `${body.key}:${slip.id}`,
    })
  return { count: slips.length, sum: rubles(slips.reduce((all, { left }) => all + left, 0)) }
}

/** Sum and number of the payouts of one request. */
async function paidBy(db: Queryable, key: string) {
  const found = await db.one<{ count: number; sum: number }>(sql`
    select count(*)::int as count, coalesce(sum(e."amount"), 0)::float8 / 100 as sum
    from ledger_txs t join ledger_entries e on e."idTx" = t."id" and e."amount" > 0
    where starts_with(t."key", ${`payout:${key}:`})`)
  return found ?? { count: 0, sum: 0 }
}

async function give(
  inside: Records,
  tx: Tx,
  { id: idSlip, idUser }: Pick<Row<typeof PayrollSlip>, 'id' | 'idUser'>,
  period: Held,
  body: Source & { key: string; kind: 'advance' | 'salary'; sum: number; idAuthor?: number },
): Promise<Row<typeof PayrollPayout>> {
  const sum = kopecks(body.sum)
  const month = period.month.slice(0, 7)
  const reason = body.kind === 'advance' ? `Аванс за ${month}` : `Зарплата за ${month}`
  const made = {
    idSlip,
    kind: body.kind,
    sum: body.sum,
    payFrom: body.payFrom,
    idAuthor: body.idAuthor ?? inside.actor.id,
  }
  if (body.payFrom === 'desk') {
    if (!body.idDesk) throw new ValidationError([{ field: 'idDesk', message: 'Выберите кассу' }])
    const { idShift, localDate } = await payFromDesk(inside, tx, {
      idDesk: body.idDesk,
      key: `payout:${body.key}`,
      sum,
      reason,
      account: staffAccount(idUser),
    })
    return inside.asSystem.create(PayrollPayout, {
      ...made,
      localDate,
      idDesk: body.idDesk,
      idShift,
    } as Create<typeof PayrollPayout>)
  }
  if (!body.idBankAccount) throw new ValidationError([{ field: 'idBankAccount', message: 'Выберите счёт' }])
  const account = await inside.row(BankAccount, body.idBankAccount)
  const idOrganization = (await organizationOf(tx, period.idFilial)) ?? account.idOrganization
  const localDate = body.localDate ?? (await dayOf(tx, period.idFilial))
  await post(inside, tx, {
    key: `payout:${body.key}`,
    kind: 'payout',
    localDate,
    comment: reason,
    entries: [
      { account: { ...staffAccount(idUser), idOrganization }, amount: sum },
      { account: { kind: 'bank', idOrganization, mark: `account ${account.id}` }, amount: -sum },
    ],
  })
  return inside.asSystem.create(PayrollPayout, {
    ...made,
    localDate,
    idBankAccount: account.id,
  } as Create<typeof PayrollPayout>)
}
