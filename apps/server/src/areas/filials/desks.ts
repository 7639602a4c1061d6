/** Desk staff of a branch (`filials/desks`): they manage its day and its cash. */
import sql, { type Sql } from 'sql-template-tag'
import type { RowCondition } from '#records/define.ts'

/** SQL of the branches whose desk is the user's. */
export const desksOf = (me: Sql): Sql =>
  sql`array(select d."idFilial" from filials_desks d where d."idUser" = ${me} and not d."deleted")`

/** For rows with an `idFilial`: those of the branches whose desk is the user's. */
export const atDesk: RowCondition = ({ row, me }) => sql`${row}."idFilial" = any (${desksOf(me)})`

/**
 * SQL condition: the user works in one of the branches: in all, if the card names none; else in those named, and those
 * with a shift.
 */
export const worksIn = (idUser: Sql, filials: Sql): Sql => sql`(exists (select 1 from users w where w."id" = ${idUser}
    and (coalesce(cardinality(w."filials"), 0) = 0 and cardinality(${filials}) > 0 or w."filials" && ${filials}))
  or exists (select 1 from staff_events s where s."idUser" = ${idUser} and s."type" = 'shift' and not s."deleted"
    and s."idFilial" = any (${filials})))`

/**
 * For rows with a doctor and an optional branch: the same, and without a branch those of doctors who work at the user's
 * desk.
 */
export const atDeskOf =
  (doctor: (row: Sql) => Sql): RowCondition =>
  (about) =>
    sql`(${atDesk(about)} or (${about.row}."idFilial" is null and ${worksIn(doctor(about.row), desksOf(about.me))}))`
