/** Scope of cash desks: those of the user's branches. */
import sql from 'sql-template-tag'
import { atDesk, desksOf } from '#areas/filials/index.ts'
import type { Scope } from '#records/define.ts'

const unless = 'viewAllCashDesks'

export const deskScope: Scope = { unless, view: atDesk }

/** Payments of the desks in scope, and their parts; shifts and receipts are within their desk. */
export const paymentScope: Scope = {
  unless,
  view: ({ row, me }) => sql`exists (select 1 from cash_desks k where k."id" = ${row}."idDesk"
    and k."idFilial" = any (${desksOf(me)}))`,
}
