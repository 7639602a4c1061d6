/** Whose cash desks somebody sees and uses: those of the branches whose desk is theirs. */
import sql from 'sql-template-tag'
import type { RowCondition, Scope } from '../../records/define.ts'
import { atDesk, desksOf } from '../filials/index.ts'

const unless = 'viewAllCashDesks'

export const deskScope: Scope = { unless, view: atDesk }

const ofOwnDesk: RowCondition = ({ row, me }) => sql`exists (select 1 from cash_desks k where k."id" = ${row}."idDesk"
    and k."idFilial" = any (${desksOf(me)}))`

/** Payments of those desks, and their parts; shifts and receipts stand within their desk. */
export const paymentScope: Scope = { unless, view: ofOwnDesk }

/** Accounts of those desks, and all that are of no desk. */
export const accountScope: Scope = {
  unless,
  view: (of) => sql`(${of.row}."idDesk" is null or ${ofOwnDesk(of)})`,
}
