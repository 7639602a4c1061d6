/** The books of the network at the end of its day: what was acknowledged is there once, and what is kept twice agrees. */
import type pg from 'pg'
import { STOCK_DIFFERENCES } from '../apps/server/src/areas/warehouse/testing/stockBooks.ts'
import { doubleBookings } from './day.ts'
import { good } from './networkFill.ts'
import type { Work } from './networkWork.ts'
import { keptMessages, wrongCalls, wrongCounters } from './outage.ts'
import { type Line, none } from './table.ts'

/** Each query gives the rows that disagree. `$1`, where there is one: what was acknowledged. */
const EQUATIONS: readonly [what: string, text: string][] = [
  [
    'transactions of the ledger that do not balance',
    `select 1 from ledger_entries group by "idTx", "unit" having sum("amount") <> 0`,
  ],
  [
    'patients whose balance is not that of their lines and credits',
    `select 1 from ledger_accounts a
       join (select "idAccount", sum("amount") as sum from ledger_entries where "unit" = 'RUB' group by 1) e on e."idAccount" = a."id"
       left join (select "idAccount", sum("charged" - "allocated") as sum from ledger_lines group by 1) l on l."idAccount" = a."id"
       left join (select "idAccount", sum("free") as sum from ledger_credits group by 1) c on c."idAccount" = a."id"
     where a."kind" = 'patient' and e.sum <> coalesce(l.sum, 0) - coalesce(c.sum, 0)`,
  ],
  [
    'desks and methods whose ledger is not that of their payments',
    `select 1 from (select a."idDesk", a."method", sum(e."amount") as sum from ledger_accounts a
         join ledger_entries e on e."idAccount" = a."id" where a."kind" = 'desk' group by 1, 2) l
       full join (select p."idDesk", t."method", sum(case p."kind" when 'payment' then t."sum" else -t."sum" end) * 100 as sum
         from payments p join payments_parts t on t."idPayment" = p."id" where p."idStatus" = 2 group by 1, 2) p using ("idDesk", "method")
     where coalesce(l.sum, 0) <> coalesce(p.sum, 0)`,
  ],
  [
    'desks whose terminal did not charge what the ledger has, each once',
    `select 1 from (select a."idDesk", sum(e."amount") as sum from ledger_accounts a join ledger_entries e on e."idAccount" = a."id"
         where a."kind" = 'desk' and a."method" = 'card' group by 1) l
       full join (select "idDesk", sum("amount" * "times") as sum, max("times") as most from simulated_charges where "kind" = 'pay' group by 1) c
         using ("idDesk") where coalesce(l.sum, 0) <> coalesce(c.sum, 0) or c.most > 1`,
  ],
  [
    'payments without their one printed receipt',
    `select 1 from payments p where p."kind" = 'payment' and (select count(*) from fiscal_tasks f
       join simulated_documents d on d."idDesk" = f."idDesk" and d."key" = f."key" and d."fd" = f."fd"
       where f."idPayment" = p."id" and f."kind" = 'sell' and f."status" = 'done') <> 1`,
  ],
  [
    'documents of the registers that nobody queued, or queued and not printed',
    `select 1 from fiscal_tasks f full join simulated_documents d on d."idDesk" = f."idDesk" and d."key" = f."key"
     where f."id" is null or d."key" is null`,
  ],
  ['differences in the books of stock', STOCK_DIFFERENCES],
]

/** Acknowledged records that are not there, or not in the state they were left in. */
const ACKNOWLEDGED: readonly [what: string, of: 'visits' | 'payments' | 'orders' | 'documents', text: string][] = [
  ['visits', 'visits', `select "id" from appointments where not "deleted"`],
  ['payments', 'payments', `select "id" from payments where "idStatus" = 2`],
  [
    'orders of analyses that are done',
    'orders',
    `select "id" from laboratory_orders where "status" in ('done', 'issued')`,
  ],
  ['posted documents of stock', 'documents', `select "id" from warehouse_documents where "status" = 'posted'`],
]

export async function booksOfNetwork(client: pg.Client, { done, network }: Work): Promise<Line[]> {
  const lines: Line[] = []
  for (const [what, text] of EQUATIONS) lines.push(none(what, (await client.query(text)).rows.length))
  for (const [what, of, text] of ACKNOWLEDGED) {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n from unnest($1::bigint[]) a(id) where a.id not in (${text})`,
      [done[of]],
    )
    const twice = done[of].length - new Set(done[of]).size
    lines.push(
      none(`${what} of ${done[of].length} acknowledged that are not there once`, (rows[0]?.n ?? Number.NaN) + twice),
    )
  }
  let drawers = 0
  for (const { idDesk, idShift, staff } of network.branches) {
    const { drawer } = good(await staff.registrar.ask('GET', `/cash-shifts/${idShift}/report`))
    const { rows } = await client.query<{ sum: number }>(
      `select coalesce(sum(t."sum"), 0)::float8 as sum from payments p join payments_parts t on t."idPayment" = p."id"
       where p."idDesk" = $1 and p."kind" = 'payment' and p."idStatus" = 2 and t."method" = 'cash'`,
      [idDesk],
    )
    if (drawer !== rows[0]?.sum) drawers++
  }
  lines.push(none(`drawers of ${network.branches.length} that do not hold the cash of their payments`, drawers))
  lines.push(none('visits over another', await doubleBookings(client, network.idService)))
  lines.push(none(`times of ${done.rivals} that two asked for and not one got`, done.wrongRivals))
  const kept = await keptMessages(client)
  const wrong = (lists: readonly string[][], of: (at: number) => readonly string[] | undefined) =>
    lists.filter((list, at) => JSON.stringify(list) !== JSON.stringify(of(at))).length
  const count = (all: readonly string[][]) => all.reduce((sum, { length }) => sum + length, 0)
  lines.push(
    none(
      `chats whose ${count(done.sent)} questions are lost, doubled or out of order`,
      wrong(done.sent, (at) => kept(at, 'visitor')),
    ),
    none(
      `  whose ${count(done.answered)} answers are`,
      wrong(done.answered, (at) => kept(at, 'staff')),
    ),
    none(
      '  whose visitor got the answers otherwise than they were given',
      wrong(done.answered, (at) => done.got[at]),
    ),
    none('chats whose counters are not what SQL counts', await wrongCounters(client)),
    none(
      `calls of ${done.sessions.length} that are not in the journal once, and over`,
      (await wrongCalls(client, done.sessions)).length,
    ),
  )
  return lines
}
