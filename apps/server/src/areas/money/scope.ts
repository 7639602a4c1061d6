/** Whose cash desks somebody sees and uses: those of the branches whose desk is theirs. */
import sql from 'sql-template-tag'
import type { Scope } from '../../records/define.ts'
import { atDesk, desksOf } from '../filials/index.ts'

const unless = 'viewAllCashDesks'

export const deskScope: Scope = { unless, view: atDesk }

/** Payments of those desks, and their parts; shifts and receipts stand within their desk. */
export const paymentScope: Scope = {
  unless,
  view: ({ row, me }) => sql`exists (select 1 from cash_desks k where k."id" = ${row}."idDesk"
    and k."idFilial" = any (${desksOf(me)}))`,
}
