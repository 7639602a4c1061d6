import { customerCalls, DUPLICATES_PAGE } from '@ordinator/model/areas/customers/calls'
import { Customer } from '@ordinator/model/areas/customers/customer'
import type { SameReason } from '@ordinator/model/areas/customers/similar'
import sql, { raw } from 'sql-template-tag'
import { fioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import type { JobRun } from '#platform/jobs.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { ifOpen } from './customers.ts'
import { becauseSql, keysSql, soughtBecause } from './keys.ts'

/** Cards whose pairs are computed in one transaction. */
const BATCH = 200
/** Batches per run of the job; the next run continues. */
const MOST_BATCHES = 500
/** Maximum number of pairs of a card: a placeholder phone is on thousands of cards. */
const MOST_OF_ONE = 20

const [a, b] = [raw('a'), raw('b')]

/**
 * Recomputes the pairs of cards written since, newest first. A pair that no longer matches is deleted; one marked as
 * two patients stays so until the cards have more in common.
 * @returns the number of processed cards
 */
async function settlePairs(db: Queryable): Promise<number> {
  const due = await db.query<{ id: number }>(sql`delete from customer_pairs_due where "idCustomer" in (
      select "idCustomer" from customer_pairs_due order by 1 desc limit ${BATCH} for update skip locked)
    returning "idCustomer"::int as id`)
  if (due.length === 0) return 0
  await db.query(sql`
    with found as (
      select least(x.a, x.b) as "idFirst", greatest(x.a, x.b) as "idSecond", array_agg(distinct x.why order by x.why) as because
      from (
        select a."id" as a, o."id" as b, o.why from customers a cross join lateral (
          select b."id", unnest(${becauseSql(a, b)}) as why from customers b
          where ${keysSql(b)} && ${keysSql(a)} and b."id" <> a."id" and not b."deleted" limit ${raw(String(MOST_OF_ONE))}
        ) o where a."id" = any (${due.map(({ id }) => id)}::bigint[]) and not a."deleted"
        union all
        select p."idCustomer", o."idCustomer", 'policy' from customers_policies p cross join lateral (
          select q."idCustomer" from customers_policies q join customers b on b."id" = q."idCustomer" and not b."deleted"
          where q."number" = p."number" and not q."deleted" and q."type" = 'oms' and q."idCustomer" <> p."idCustomer"
          limit ${raw(String(MOST_OF_ONE))}
        ) o join customers a on a."id" = p."idCustomer" and not a."deleted"
        where p."idCustomer" = any (${due.map(({ id }) => id)}::bigint[]) and not p."deleted" and p."type" = 'oms'
      ) x group by 1, 2
    ), gone as (
      delete from customer_pairs p
      where (p."idFirst" = any (${due.map(({ id }) => id)}::bigint[]) or p."idSecond" = any (${due.map(({ id }) => id)}::bigint[]))
        and p."dismissedAt" is null
        and not exists (select from found f where f."idFirst" = p."idFirst" and f."idSecond" = p."idSecond")
    )
    insert into customer_pairs ("idFirst", "idSecond", "because", "certain")
    select "idFirst", "idSecond", because, because && array['snils', 'policy'] from found order by 1, 2
    on conflict ("idFirst", "idSecond") do update set "because" = excluded."because", "certain" = excluded."certain",
      "dismissedAt" = case when excluded."because" <@ customer_pairs."because" then customer_pairs."dismissedAt" end`)
  return due.length
}

/** Registers the job that processes all pending cards in batches. */
export function startPairs(app: AppContext): void {
  app.jobs.register('customers.pairs', {
    cron: '* * * * *',
    handler: async (_, job: JobRun) => {
      for (let batch = 0; batch < MOST_BATCHES && !job.signal.aborted; batch++)
        if ((await app.db.tx(settlePairs)) < BATCH) return
    },
  })
}

const card = (actor: ServerActor, row: string) => {
  const c = raw(row)
  const unlessSealed = (value: string) => ifOpen(actor, c, raw(value))
  return sql`jsonb_build_object('id', ${c}."id", 'fio', ${fioSql(c)}, 'birthday', ${unlessSealed(`to_char(${row}."birthday", 'DD.MM.YYYY')`)},
    'phone', ${unlessSealed(`coalesce(${row}."phone", ${row}."phoneMother", ${row}."phoneFather")`)}, 'cardNumber', ${c}."cardNumber",
    'snils', ${unlessSealed(`${row}."snils"`)}, 'dateCreate', ${c}."dateCreate")`
}

export const duplicates = operation(customerCalls.duplicates, async ({ app, actor, query }) => {
  // Includes recent writes; the job processes the rest.
  await app.db.tx(settlePairs)
  const from = query.after
    ? sql`and (p."certain", p."id") < (select "certain", "id" from customer_pairs where "id" = ${query.after})`
    : sql``
  const rows = await app.db.query<Pair>(sql`
    select p."id"::int as id, ${soughtBecause(raw('p."because"'))} as "because", p."certain", ${card(actor, 'a')} as first, ${card(actor, 'b')} as second
    from customer_pairs p join customers a on a."id" = p."idFirst" join customers b on b."id" = p."idSecond"
    where p."dismissedAt" is null and not a."deleted" and not b."deleted"
      and cardinality(${soughtBecause(raw('p."because"'))}) > 0 ${from}
    order by p."certain" desc, p."id" desc limit ${DUPLICATES_PAGE + 1}`)
  const items = rows.slice(0, DUPLICATES_PAGE)
  await app.journal(
    ...[...new Set(items.flatMap(({ first, second }) => [first.id, second.id]))].map((id) => ({
      ...journalActor(actor),
      action: 'view' as const,
      entityType: Customer.path,
      idEntity: id,
      idCustomer: id,
      basis: 'Возможные дубли',
    })),
  )
  return { items, next: rows.length > DUPLICATES_PAGE ? (items.at(-1)?.id ?? null) : null }
})

interface Card {
  id: number
  fio: string
  birthday: string | null
  phone: string | null
  cardNumber: string | null
  snils: string | null
  dateCreate: string
}
interface Pair {
  id: number
  because: SameReason[]
  certain: boolean
  first: Card
  second: Card
}

export const dismissPair = operation(customerCalls.dismissPair, async ({ app, records, params, body }) => {
  const rows = await app.db.query(sql`update customer_pairs
    set "dismissedAt" = ${body.different ? sql`now()` : sql`null`}, "dismissedBy" = ${body.different ? records.actor.id : null}
    where "id" = ${params.id} returning "id"`)
  if (rows.length === 0) throw new HttpError(404, 'Этой пары уже нет: карты изменили или объединили')
})
