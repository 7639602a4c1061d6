/** Whose desk a branch's is (`filials/desks`): they keep its day, and its cash. */
import sql, { type Sql } from 'sql-template-tag'
import type { RowCondition } from '../../records/define.ts'

/** SQL of the branches whose desk is the user's. */
export const desksOf = (me: Sql): Sql =>
  sql`array(select d."idFilial" from filials_desks d where d."idUser" = ${me} and not d."deleted")`

/** Of rows with an `idFilial`: those of the branches whose desk is the asker's. */
export const atDesk: RowCondition = ({ row, me }) => sql`${row}."idFilial" = any (${desksOf(me)})`
