/** Whose cash desks somebody sees and uses: those of the branches whose desk is theirs. */
import sql from 'sql-template-tag'
import { atDesk, desksOf } from '#areas/filials/index.ts'
import type { Scope } from '#records/define.ts'

const unless = 'viewAllCashDesks'

export const deskScope: Scope = { unless, view: atDesk }

/** Payments of those desks, and their parts; shifts and receipts stand within their desk. */
export const paymentScope: Scope = {
  unless,
  view: ({ row, me }) => sql`exists (select 1 from cash_desks k where k."id" = ${row}."idDesk"
    and k."idFilial" = any (${desksOf(me)}))`,
}
