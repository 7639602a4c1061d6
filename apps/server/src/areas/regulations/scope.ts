/** Who sees which regulations and what belongs to them, as SQL for the engine. */
import sql, { type Sql } from 'sql-template-tag'
import { withTaskAt } from '#areas/tasks/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { RowCondition, Scope } from '#records/define.ts'

/** Holders write regulations, and see all of them. */
const unless = 'editScripts'

/** The regulation `r`: in force, or one that the user wrote, answers for, checks, was to read or has carried out. */
const isOpen = (r: Sql, me: Sql): Sql => sql`(
  ${r}."status" = 'active' or ${r}."idUser" = ${me} or ${r}."idResponsibleUser" = ${me}
  or exists (select 1 from regulations_reviewers v where v."idRegulation" = ${r}."id" and v."idUser" = ${me})
  or exists (select 1 from regulations_reads d where d."idRegulation" = ${r}."id" and d."idUser" = ${me} and not d."deleted")
  or exists (select 1 from regulations_runs d where d."idRegulation" = ${r}."id" and d."idUser" = ${me} and not d."deleted"))`

/** The first version of the regulation `r`, which stands for all of its versions. */
export const familySql = (r: Sql): Sql => sql`coalesce(${r}."idFirst", ${r}."id")`

/** The user is one of those who must read the regulation `r`: by name, or by a role. */
export const isAudience = (r: Sql, me: Sql): Sql => sql`exists (
  select 1 from regulations_audience a where a."idRegulation" = ${r}."id" and (a."idUser" = ${me}
    or a."idRole" in (select ur."idRole" from user_roles ur where ur."idUser" = ${me})))`

export const regulationScope: Scope = { unless, view: ({ row, me }) => isOpen(row, me) }

/** A file: of whoever sent it, and of whoever sees a step that it is attached to. */
const attachedWhere = (row: Sql, me: Sql, table: Sql): Sql => sql`exists (
  select 1 from ${table} a join regulations_steps s on s."id" = a."idStep" and not s."deleted"
  join regulations r on r."id" = s."idRegulation" and not r."deleted"
  where a."idFile" = ${row}."id" and ${isOpen(sql`r`, me)})`

export const regulationFileScope: Scope = {
  unless,
  view: ({ row, me }) => sql`(${row}."idUser" = ${me}
    or ${attachedWhere(row, me, sql`regulations_step_images`)} or ${attachedWhere(row, me, sql`regulations_step_documents`)})`,
}

/** The user may see what others did with regulations. */
const sees = (me: Sql): Sql => sql`(${holdsSql(me, 'viewViolationsReport')})`

/** One's own, and all of them for who reads the report of violations. */
const ownOrReport: RowCondition = ({ row, me }) => sql`(${row}."idUser" = ${me} or ${sees(me)})`
const own: RowCondition = ({ row, me }) => sql`${row}."idUser" = ${me}`

/** The user answers for the regulation that the row names. */
const keeps: RowCondition = ({ row, me }) => sql`exists (
  select 1 from regulations r where r."id" = ${row}."idRegulation" and r."idResponsibleUser" = ${me})`

/** Duties to read: one's own, and those of the regulations that one answers for. */
export const readScope: Scope = {
  unless,
  view: (about) => sql`(${own(about)} or ${keeps(about)})`,
}

/** Of a task: for all who see the task. */
export const runScope: Scope = {
  unless,
  view: (about) => sql`(${ownOrReport(about)} or ${keeps(about)}
    or ${about.row}."idTask" is not null and ${withTaskAt('view', sql`${about.row}."idTask"`, about)})`,
  create: own,
  update: own,
}

/** Pay is reduced for a confirmed violation by who counts it. */
const reducesPay: RowCondition = ({ row, me }) => sql`(${row}."state" = 'confirmed' and ${holdsSql(me, 'payroll')})`

export const violationScope: Scope = {
  unless,
  view: (about) => sql`(${ownOrReport(about)} or ${keeps(about)} or ${reducesPay(about)})`,
  update: own,
}
