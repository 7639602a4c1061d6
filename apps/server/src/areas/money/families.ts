/**
 * Family accounts: the payer's advance in the ledger pays for the members within their limits. What a member has used is
 * counted from the payments, so that a refund, a decline and joined cards need no copy. Writers hold the money locks of
 * both cards, so that of two desks at the last rubles one wins.
 */
import { Family, FamilyMember } from '@ordinator/model/areas/money/family'
import { AWAITING, DECLINED, DONE, IN_WORK } from '@ordinator/model/areas/money/payment'
import { kopecks } from '@ordinator/model/areas/money/rules'
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'

/**
 * SQL of the rubles of a payer's advance that have paid for a customer in the month of a day: payments less refunds, each
 * refund in the month of its payment.
 */
export const familySpentSql = (idPayer: Sql, idCustomer: Sql, day: Sql): Sql => sql`coalesce((
  select sum(case fp."kind" when 'payment' then ft."sum" else -ft."sum" end)
  from payments fp join payments_parts ft on ft."idPayment" = fp."id" and ft."method" = 'advance'
    left join payments fo on fo."id" = fp."idRefundOf"
  where fp."idPayer" = ${idPayer} and fp."idCustomer" = ${idCustomer}
    and (fp."idStatus" = ${raw(String(DONE))} or fp."kind" = 'payment' and fp."idStatus" in (${raw(`${IN_WORK}, ${AWAITING}`)}))
    and fp."idStatus" <> ${raw(String(DECLINED))}
    and date_trunc('month', coalesce(fo."localDate", fp."localDate")) = date_trunc('month', ${day}::date)), 0)::numeric(14,2)`

const headOf = (row: Sql): Sql => sql`(select f."idHead" from families f where f."id" = ${row}."idFamily")`

export const families = records(Family, {
  computed: {
    members: ({ row }) =>
      sql`(select count(*)::int from families_members m where m."idFamily" = ${row}."id" and not m."deleted")`,
    advance: ({ row }) => sql`coalesce((select sum(greatest(0, -b.sum)) from (select sum(e."amount") / 100.0 as sum
      from ledger_accounts a join ledger_entries e on e."idAccount" = a."id" and e."unit" = 'RUB'
      where a."kind" = 'patient' and a."idCustomer" = ${row}."idHead" group by a."idOrganization") b), 0)::numeric(14,2)`,
    spent: ({
      row,
    }) => sql`coalesce((select sum(${familySpentSql(sql`${row}."idHead"`, raw('m."idCustomer"'), clinicToday)})
      from families_members m where m."idFamily" = ${row}."id" and not m."deleted"), 0)::numeric(14,2)`,
  },
  hooks: {
    async beforeCreate({ tx }, { idHead }) {
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`family of ${idHead}`}, 0))`)
      const before = await tx.one<{ id: number }>(
        sql`select "id" from families where "idHead" = ${idHead} and not "deleted"`,
      )
      if (before)
        throw new ValidationError([{ field: 'idHead', message: 'У этого плательщика уже есть семейный счёт' }])
    },
  },
})

export const familyMembers = records(FamilyMember, {
  computed: {
    spent: ({ row }) => familySpentSql(headOf(row), sql`${row}."idCustomer"`, clinicToday),
  },
  hooks: {
    async beforeCreate({ tx }, { idFamily, idCustomer }) {
      const family = await tx.one<{ idHead: number }>(
        sql`select "idHead"::int as "idHead" from families where "id" = ${idFamily}`,
      )
      if (family?.idHead === idCustomer)
        throw new ValidationError([
          { field: 'idCustomer', message: 'Это сам плательщик: за себя он платит без лимита' },
        ])
    },
  },
})

/**
 * Kopecks that a payer's family account still allows for a customer on the day; undefined: the payer has none, and the
 * cashier decides as for any other payer. Both cards are locked for money.
 * @returns a reason in Russian why it does not pay
 */
export async function familyRoom(
  db: Queryable,
  { idPayer, idCustomer, day }: { idPayer: number; idCustomer: number; day: string },
): Promise<{ room: number } | string | undefined> {
  // A joined card may head two.
  const accounts = await db.query<{ state: string; isMember: boolean; room: number | null }>(sql`
    select f."state", m."id" is not null as "isMember",
      (m."limitMonth" - ${familySpentSql(sql`${idPayer}`, sql`${idCustomer}`, sql`${day}`)})::float8 as room
    from families f left join families_members m on m."idFamily" = f."id" and m."idCustomer" = ${idCustomer} and not m."deleted"
    where f."idHead" = ${idPayer} and not f."deleted" order by f."id"`)
  if (accounts.length === 0) return undefined
  if (accounts.some(({ state }) => state === 'blocked')) return 'Семейный счёт плательщика заблокирован'
  const own = accounts.filter(({ isMember }) => isMember)
  if (own.length === 0) return 'Этого клиента нет в семейном счёте плательщика'
  const rooms = own.flatMap(({ room }) => (room === null ? [] : [Math.max(0, kopecks(room))]))
  return rooms.length ? { room: Math.min(...rooms) } : undefined
}

/**
 * Kopecks that a refund of a payment can still take out of its account: less when its advance has paid for others.
 * @returns undefined for a payment without a credit of its own, as the sale of a certificate
 */
export async function leftOf(tx: Tx, idPayment: number): Promise<number | undefined> {
  const row = await tx.one<{ left: number }>(sql`
    select (own.allocated + (select sum(k."free") from ledger_credits k join ledger_accounts x on x."id" = k."idAccount"
      where x."kind" = 'patient' and x."idCustomer" = a."idCustomer" and x."idOrganization" = a."idOrganization"))::float8 as left
    from ledger_credits c join ledger_accounts a on a."id" = c."idAccount"
      cross join lateral (select coalesce(sum(g."sum"), 0) as allocated from ledger_allocations g where g."idTx" = c."idTx") own
    where c."idPayment" = ${idPayment}`)
  return row?.left
}
