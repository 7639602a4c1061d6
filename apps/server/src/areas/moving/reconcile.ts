/** The sums of the files beside the same of our own ledger and records. */
import { movingCalls } from '@ordinator/model/areas/moving/calls'
import { Move } from '@ordinator/model/areas/moving/move'
import { type MoveSum, type MoveTableKey, moveSums, moveTableKeys } from '@ordinator/model/areas/moving/tables'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { operation } from '#records/operation.ts'
import { sumsOf } from './calls.ts'
import { sourceOf } from './file.ts'
import { LEDGER } from './tables/money.ts'

/** What each table has made, by the database. */
const hereOf: Readonly<Record<MoveTableKey, { path: string; table: string }>> = {
  users: { path: 'users', table: 'users' },
  services: { path: 'services', table: 'services' },
  performers: { path: 'service-performers', table: 'service_performers' },
  customers: { path: 'customers', table: 'customers' },
  relations: { path: 'customers/relations', table: 'customers_relations' },
  policies: { path: 'customers/policies', table: 'customers_policies' },
  balances: { path: 'moving/balances', table: 'customers' },
  certificates: { path: 'certificates', table: 'certificates' },
  visits: { path: 'customers/past-visits', table: 'customers_past_visits' },
  appointments: { path: 'appointments', table: 'appointments' },
  plans: { path: 'customer-plans', table: 'customer_plans' },
  files: { path: 'customers/attachments', table: 'customers_attachments' },
}

export const reconcile = operation(movingCalls.reconcile, async ({ app, records, params: { id } }) => {
  const move = await records.row(Move, id)
  const db = app.db
  const files = await db.query<{
    id: number
    table: MoveTableKey
    total: number
    created: number
    updated: number
    same: number
    both: number
    wrong: number
  }>(sql`
    select * from moving_files where "idMove" = ${id} and not "deleted" and "state" = 'done' order by "id"`)
  const source = sourceOf(move)
  const here = await db.query<{ key: MoveTableKey; here: number }>(
    join(
      moveTableKeys.map((key) => {
        const { path, table } = hereOf[key]
        return sql`select ${key}::text as key, count(*)::int as here from external_ids e join ${raw(`"${table}"`)} x on x."id" = e."idEntity"
          and not x."deleted" where e."source" = ${source} and e."path" = ${path}`
      }),
      ' union all ',
    ),
  )
  const ids = files.map((file) => file.id)
  const [fileSums, ours] = await Promise.all([sumsOf(db, ids), sumsHere(db, ids, source)])
  return {
    tables: moveTableKeys.flatMap((key) => {
      const own = files.filter(({ table }) => table === key)
      if (own.length === 0) return []
      const sum = (of: (file: (typeof own)[number]) => number) => own.reduce((all, file) => all + of(file), 0)
      return [
        {
          key,
          rows: sum(({ total }) => total),
          taken: sum(({ created, updated }) => created + updated),
          same: sum(({ same }) => same),
          left: sum(({ wrong }) => wrong),
          both: sum(({ both }) => both),
          here: here.find((one) => one.key === key)?.here ?? 0,
        },
      ]
    }),
    sums: (Object.keys(moveSums) as MoveSum[]).flatMap((kind) => {
      const file = fileSums.find((one) => one.kind === kind)
      const own = ours.find((one) => one.kind === kind)
      if (!file && !own) return []
      return [
        {
          kind,
          people: file?.people ?? 0,
          file: file?.file ?? 0,
          left: file?.left ?? 0,
          unread: file?.unread ?? 0,
          here: own?.here ?? 0,
          peopleHere: own?.people ?? 0,
        },
      ]
    }),
  }
})

/** Sums of the move in our own ledger, in rubles. */
async function sumsHere(
  db: Queryable,
  ids: readonly number[],
  source: string,
): Promise<{ kind: MoveSum; people: number; here: number }[]> {
  // The key shows how a balance was posted: a debt that became smaller is no advance.
  const owners: [MoveSum, Sql][] = [
    ['debt', sql`a."idCustomer"`],
    ['advance', sql`a."idCustomer"`],
    ['bonus', sql`a."idCustomer"`],
    ['certificate', sql`a."mark"::bigint`],
  ]
  const ledger = owners.map(
    ([
      kind,
      who,
    ]) => sql`select ${kind}::text as kind, count(*)::int as people, (sum(abs(q.sum)) / 100.0)::float8 as here from (
        select ${who} as who, sum(e."amount") as sum from moving_made m join ledger_txs t on t."id" = m."idEntity"
          and t."key" like ${`moving:%:${kind}`} join ledger_entries e on e."idTx" = t."id"
          join ledger_accounts a on a."id" = e."idAccount" and a."kind" <> 'opening'
        where m."idFile" = any (${ids}::bigint[]) and m."path" = ${LEDGER} group by 1) q where q.sum <> 0 having count(*) > 0`,
  )
  const records = [
    sql`select 'visit', count(distinct x."idCustomer")::int, sum(x."sum")::float8 from external_ids e
      join customers_past_visits x on x."id" = e."idEntity" and not x."deleted"
      where e."source" = ${source} and e."path" = 'customers/past-visits' and x."status" = 'held' having sum(x."sum") is not null`,
    sql`select 'plan', count(distinct x."idCustomer")::int, sum(i."price" * i."qty")::float8 from external_ids e
      join customer_plans x on x."id" = e."idEntity" and not x."deleted"
      join customer_plans_stages s on s."idPlan" = x."id" and not s."deleted"
      join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
      where e."source" = ${source} and e."path" = 'customer-plans' having sum(i."price") is not null`,
  ]
  return db.query(join([...ledger, ...records], ' union all '))
}
