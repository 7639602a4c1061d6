/** A customer's account as recorded in the ledger. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Organization } from '@ordinator/model/areas/filials/organization'
import { moneyCalls } from '@ordinator/model/areas/money/calls'
import type { TxKind } from '@ordinator/model/areas/money/ledger'
import { Payment } from '@ordinator/model/areas/money/payment'
import { advanceOf, debtOf, kopecks, rubles } from '@ordinator/model/areas/money/rules'
import { formatMoney } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { assertOpen } from '#areas/customers/index.ts'
import { ifFound, shortFioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { journal, journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { assertVisible } from '#records/reference.ts'
import { balanceOf, dayOf, lockCustomers, post } from './ledger.ts'
import { settle } from './lines.ts'

interface Line {
  id: number
  localDate: string
  dateCreate: string
  kind: TxKind
  comment: string | null
  idPayment: number | null
  organization: string | null
  idAuthor: number | null
  author: string | null
  sum: string
  idOrganization: number
}

export const account = operation(moneyCalls.account, async ({ app, records, actor, params: { id }, query }) => {
  const { before, limit } = query
  await records.asSystem.view(Customer, id, { fields: 'id' })
  await assertOpen(app.db, actor, id)
  const db = app.db.reads
  const organizations = await balances(db, id)
  if (limit === 0) return { ...sumsOf(organizations), organizations, lines: [], next: null }
  await journal(app.db, {
    ...journalActor(actor),
    action: 'view',
    entityType: Payment.path,
    idCustomer: id,
    basis: 'счёт клиента',
  })
  const lines = await db.query<Line>(sql`
    select l."id", l."idOrganization", t."localDate", t."dateCreate", t."kind",
      coalesce(t."comment", p."comment") as comment, t."idPayment",
      o."shortName" as organization, u."id"::int as "idAuthor", ${ifFound(sql`u`, shortFioSql)} as author, l.amount::text as sum
    from (select e."idTx" as id, a."idOrganization", sum(e."amount") as amount
      from ledger_accounts a join ledger_entries e on e."idAccount" = a."id" and e."unit" = 'RUB'
        and (${before ?? null}::bigint is null or e."idTx" < ${before ?? null}::bigint)
      where a."kind" = 'patient' and a."idCustomer" = ${id}
      group by 1, 2 order by 1 desc limit ${limit + 1}) l
    join ledger_txs t on t."id" = l."id" left join payments p on p."id" = t."idPayment"
    left join organizations o on o."id" = l."idOrganization" left join users u on u."id" = t."idUser"
    order by l."id" desc`)
  // The newest line gets the current debt; each older line gets the debt before the next one.
  const then = before === undefined ? organizations : await balances(db, id, before)
  const owed = new Map(then.map((one) => [one.id, kopecks(one.debt) - kopecks(one.advance)]))
  const shown = lines.slice(0, limit).map(({ sum, idOrganization, ...line }) => {
    const balance = owed.get(idOrganization) ?? 0
    owed.set(idOrganization, balance - Number(sum))
    return { ...line, sum: rubles(Number(sum)), balance: rubles(balance) }
  })
  return {
    ...sumsOf(organizations),
    organizations,
    lines: shown,
    next: lines.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
})

/** The debt or advance of a patient at each organization: now, or before a transaction. */
export async function balances(db: Queryable, idCustomer: number, before?: number) {
  const rows = await db.query<{ id: number; name: string; balance: string }>(sql`
    select a."idOrganization" as id, o."shortName" as name, sum(e."amount")::text as balance
    from ledger_accounts a join ledger_entries e on e."idAccount" = a."id" and e."unit" = 'RUB'
      and (${before ?? null}::bigint is null or e."idTx" < ${before ?? null}::bigint)
    join organizations o on o."id" = a."idOrganization"
    where a."kind" = 'patient' and a."idCustomer" = ${idCustomer} group by 1, 2 order by 2`)
  return rows.map(({ id, name, balance }) => ({
    id,
    name,
    debt: rubles(debtOf(Number(balance))),
    advance: rubles(advanceOf(Number(balance))),
  }))
}

/** Total debt of each patient over all organizations, in rubles; computed with the clinic's own rights. */
export async function debtsOf(db: Queryable, idCustomers: readonly number[]): Promise<Map<number, number>> {
  const rows = await db.query<{ id: number; debt: string }>(sql`
    select b."idCustomer" as id, sum(greatest(b.balance, 0))::text as debt from (
      select a."idCustomer", sum(e."amount") as balance from ledger_accounts a
      join ledger_entries e on e."idAccount" = a."id" and e."unit" = 'RUB'
      where a."kind" = 'patient' and a."idCustomer" = any(${idCustomers}::bigint[])
      group by a."idCustomer", a."idOrganization") b group by 1`)
  return new Map(rows.map(({ id, debt }) => [id, rubles(Number(debt))]))
}

/** An advance at one organization does not pay a debt to another, so both can be non-zero. */
export const sumsOf = (organizations: readonly { debt: number; advance: number }[]) => ({
  debt: rubles(organizations.reduce((sum, { debt }) => sum + kopecks(debt), 0)),
  advance: rubles(organizations.reduce((sum, { advance }) => sum + kopecks(advance), 0)),
})

export const correct = operation(moneyCalls.correct, {
  async once({ records: inside, tx, body }) {
    const { idCustomer, idOrganization, kind } = body
    await assertVisible(inside.asSystem, Customer, idCustomer, 'idCustomer')
    await assertVisible(inside.asSystem, Organization, idOrganization, 'idOrganization')
    const own = await inside.asSystem.row(Organization, idOrganization)
    if (own.kind !== 'own')
      throw new ValidationError([{ field: 'idOrganization', message: 'Счёт ведёт своя организация клиники' }])
    await lockCustomers(tx, [idCustomer])
    const owed = debtOf(await balanceOf(tx, idCustomer, idOrganization))
    const amount = kopecks(body.sum)
    if (kind === 'writeOff' && amount > owed)
      throw new ValidationError([{ field: 'sum', message: `Списать можно только долг: ${formatMoney(rubles(owed))}` }])
    const sign = kind === 'charge' ? 1 : -1
    await post(inside, tx, {
      key: `correct:${body.key}`,
      kind: kind === 'charge' ? 'correction' : 'writeOff',
      localDate: await dayOf(tx, null),
      comment: body.reason,
      entries: [
        { account: { kind: 'patient', idCustomer, idOrganization }, amount: sign * amount },
        { account: { kind: kind === 'charge' ? 'revenue' : 'writeOff', idOrganization }, amount: -sign * amount },
      ],
    })
    await settle(tx, idCustomer, idOrganization)
    return undefined
  },
  async answer({ app, body }) {
    const balance = await balanceOf(app.db, body.idCustomer, body.idOrganization)
    return { debt: rubles(debtOf(balance)), advance: rubles(advanceOf(balance)) }
  },
})
