/** State of a cash desk and of its queue, for the screen. */

import { moneyCalls } from '@ordinator/model/areas/money/calls'
import { CashDesk } from '@ordinator/model/areas/money/desk'
import type { FiscalKind, FiscalStatus } from '@ordinator/model/areas/money/fiscal'
import { rubles } from '@ordinator/model/areas/money/rules'
import sql from 'sql-template-tag'
import { ifFound, shortFioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { operation } from '#records/operation.ts'
import { isWaitingSql, openRegister, printQueue } from './fiscal.ts'
import { type DeskRow, drawerOf, isOverdue } from './shifts.ts'
import { readSigns, signsOfDesk } from './signs.ts'

/** Maximum number of queued documents shown. */
const MOST_SHOWN = 20

export const deskState = operation(moneyCalls.deskState, async ({ app, records, params: { id } }) =>
  stateOf(app.db.reads, await records.row(CashDesk, id)),
)

/** Manual control of the queue: retry it now, or open the register's shift first. */
export const deskQueue = operation(moneyCalls.deskQueue, async ({ app, records, params: { id }, body }) => {
  const desk = await records.row(CashDesk, id)
  if (body.act === 'openShift') {
    const shift = await app.db.one<{ id: number }>(
      sql`select "id"::int as id from cash_shifts where "idDesk" = ${id} and "dateClosed" is null`,
    )
    await openRegister(app, records, desk, shift?.id ?? null)
  }
  await printQueue(app, id)
  await readSigns(app, id)
  return stateOf(app.db, desk)
})

async function stateOf(db: Queryable, desk: DeskRow) {
  const { id } = desk
  const shift = await db.one<{
    id: number
    number: number
    dateOpened: string
    idCashier: number | null
    cashier: string | null
  }>(sql`
    select s."id", s."number", s."dateOpened", u."id"::int as "idCashier", ${ifFound(sql`u`, shortFioSql)} as cashier
    from cash_shifts s left join users u on u."id" = s."idCashier"
    where s."idDesk" = ${id} and s."dateClosed" is null`)
  const queue = await db.one<{ waiting: number; unknown: number; trouble: string | null }>(sql`select
    count(*) filter (where "status" = 'queued')::int as waiting,
    count(*) filter (where "status" in ('sending', 'unknown'))::int as unknown,
    (array_agg("error" order by "id") filter (where "error" is not null))[1] as trouble
    from fiscal_tasks where "idDesk" = ${id} and ${isWaitingSql}`)
  const waiting = await db.query<{
    id: number
    kind: FiscalKind
    status: FiscalStatus
    idPayment: number | null
    error: string | null
  }>(sql`select "id"::int as id, "kind", "status", "idPayment"::int as "idPayment", "error"
    from fiscal_tasks where "idDesk" = ${id} and ${isWaitingSql} order by "id" limit ${MOST_SHOWN}`)
  return {
    shift: shift ?? null,
    overdue: shift !== undefined && isOverdue(shift),
    drawer: rubles(await drawerOf(db, desk)),
    waiting: queue?.waiting ?? 0,
    unknown: queue?.unknown ?? 0,
    trouble: queue?.trouble ?? null,
    warnings: await signsOfDesk(db, id),
    queue: waiting,
  }
}
