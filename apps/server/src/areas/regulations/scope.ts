/** Scopes of regulations and their records, as SQL for the engine. */
import sql, { type Sql } from 'sql-template-tag'
import { withTaskAt } from '#areas/tasks/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { RowCondition, Scope } from '#records/define.ts'

/** Users with this right write regulations, and see all of them. */
const unless = 'editScripts'

/**
 * SQL condition: the regulation `r` is in force, or the user wrote it, is responsible for it, reviews it, had to read
 * it or has run it.
 */
const isOpen = (r: Sql, me: Sql): Sql => sql`(
  ${r}."status" = 'active' or ${r}."idUser" = ${me} or ${r}."idResponsibleUser" = ${me}
  or exists (select 1 from regulations_reviewers v where v."idRegulation" = ${r}."id" and v."idUser" = ${me})
  or exists (select 1 from regulations_reads d where d."idRegulation" = ${r}."id" and d."idUser" = ${me} and not d."deleted")
  or exists (select 1 from regulations_runs d where d."idRegulation" = ${r}."id" and d."idUser" = ${me} and not d."deleted"))`

/** SQL of the first version of the regulation `r`, which identifies all of its versions. */
export const familySql = (r: Sql): Sql => sql`coalesce(${r}."idFirst", ${r}."id")`

/** SQL condition: the user must read the regulation `r`, by name or by role. */
export const isAudience = (r: Sql, me: Sql): Sql => sql`exists (
  select 1 from regulations_audience a where a."idRegulation" = ${r}."id" and (a."idUser" = ${me}
    or a."idRole" in (select ur."idRole" from user_roles ur where ur."idUser" = ${me})))`

export const regulationScope: Scope = { unless, view: ({ row, me }) => isOpen(row, me) }

/** SQL condition for files: the user's own, or attached to a step that the user sees. */
const attachedWhere = (row: Sql, me: Sql, table: Sql): Sql => sql`exists (
  select 1 from ${table} a join regulations_steps s on s."id" = a."idStep" and not s."deleted"
  join regulations r on r."id" = s."idRegulation" and not r."deleted"
  where a."idFile" = ${row}."id" and ${isOpen(sql`r`, me)})`

export const regulationFileScope: Scope = {
  unless,
  view: ({ row, me }) => sql`(${row}."idUser" = ${me}
    or ${attachedWhere(row, me, sql`regulations_step_images`)} or ${attachedWhere(row, me, sql`regulations_step_documents`)})`,
}

/** SQL condition: the user may see the activity of others. */
const sees = (me: Sql): Sql => sql`(${holdsSql(me, 'viewViolationsReport')})`

/** Own rows, and all with the right to the report of violations. */
const ownOrReport: RowCondition = ({ row, me }) => sql`(${row}."idUser" = ${me} or ${sees(me)})`
const own: RowCondition = ({ row, me }) => sql`${row}."idUser" = ${me}`

/** The user is responsible for the regulation of the row. */
const keeps: RowCondition = ({ row, me }) => sql`exists (
  select 1 from regulations r where r."id" = ${row}."idRegulation" and r."idResponsibleUser" = ${me})`

/** Duties to read: own ones, and those of regulations the user is responsible for. */
export const readScope: Scope = {
  unless,
  view: (about) => sql`(${own(about)} or ${keeps(about)})`,
}

/** A run of a task is visible to all who see the task. */
export const runScope: Scope = {
  unless,
  view: (about) => sql`(${ownOrReport(about)} or ${keeps(about)}
    or ${about.row}."idTask" is not null and ${withTaskAt('view', sql`${about.row}."idTask"`, about)})`,
  create: own,
  update: own,
}

/** A confirmed violation is visible to payroll users. */
const reducesPay: RowCondition = ({ row, me }) => sql`(${row}."state" = 'confirmed' and ${holdsSql(me, 'payroll')})`

export const violationScope: Scope = {
  unless,
  view: (about) => sql`(${ownOrReport(about)} or ${keeps(about)} or ${reducesPay(about)})`,
  update: own,
}
