/**
 * Stored task visibility, in `tasks_management_sights`: database triggers (migration `sight`) keep the rows of a task
 * equal to the view `tasks_management_sights_due` at every write by any path. A row names a principal; a user is
 * several of them. `scope.ts` computes the same row by row; rights.property.test.ts checks that all three (this one,
 * that one and the pure rules) are equal.
 */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Asker, Sight } from '#records/define.ts'

/** Placeholders for a user in the lower half of a principal, as in the migration. */
const WHOLE = raw('0::bigint')
const NOBODY = raw('4294967295')
const TEMPLATES = raw('4294967294')

/** All principals of the user: of own workspaces, of the memberships by their level, and oneself. */
const principals = (me: Sql): Sql => sql`array(
  select b."id" << 32 | w.who from tasks_management_boards b cross join (values (${WHOLE}), (${TEMPLATES})) w(who)
  where b."idUser" = ${me} and not b."deleted"
  union all
  select m."idBoard" << 32 | w.who from tasks_management_members m
  join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> ${me}
  cross join lateral (values (${TEMPLATES}, true), (${WHOLE}, m."permissionToViewTasks" = 'all'),
    (${me}, m."permissionToViewTasks" in ('my', 'emptymy')), (${NOBODY}, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
  where m."idUser" = ${me} and not m."deleted" and w.holds
  union all select ${me})`

const table = 'tasks_management_sights'

/** Of a task: by any of its active cards. */
export const taskSight: Sight = {
  table,
  id: 'idTask',
  principals,
  of: (k, row) => sql`${k}."idTask" = ${row}."id" and not ${k}."isGone"`,
  living: (k) => sql`not ${k}."isGone" and not ${k}."deleted"`,
  again: (k, earlier) => ({
    condition: sql`${k}."isAgain"`,
    earlier: sql`${earlier}."idTask" = ${k}."idTask" and ${earlier}."idAssigned" < ${k}."idAssigned" and not ${earlier}."isGone"`,
  }),
}

/** Of a card: by itself only, deleted or not. */
export const cardSight: Sight = {
  table,
  id: 'idAssigned',
  fields: ['idColumn'],
  principals,
  of: (k, row) => sql`${k}."idTask" = ${row}."idTask" and ${k}."idAssigned" = ${row}."id" and not ${k}."deleted"`,
  living: (k) => sql`${k}."idAssigned" is not null and not ${k}."isGone" and not ${k}."deleted"`,
}

/** SQL condition: the user sees the active task of this id. */
export const seesTask = (id: Sql, { me, principals: found }: Asker): Sql => sql`exists (select 1 from ${raw(table)} sk
  where sk."idTask" = ${id} and ${taskSight.living(raw('sk'))} and sk."principal" = any(${found?.(taskSight) ?? principals(me)}) offset 0)`
