import { Assigned } from '@ordinator/model/areas/tasks/task'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { FoundSql } from '#records/define.ts'

/** The first card of a task in the user's scope. */
const cardOf = ({ visible }: FoundSql, idTask: Sql): Sql => sql`from tasks_management_assigned ca
  join tasks_management_columns cc on cc."id" = ca."idColumn" and not cc."deleted"
  join tasks_management_boards cb on cb."id" = cc."idBoard" and not cb."deleted"
  where ca."idTask" = ${idTask} and ${visible(Assigned, raw('ca'))} order by ca."id" limit 1`

/** SQL of the address of a task; null if it is on no visible board. */
export const cardAddress = (about: FoundSql, idTask: Sql): Sql =>
  sql`(select '/tasks?board=' || cb."id" || '&assignedColumn=' || ca."id" ${cardOf(about, idTask)})`

/** SQL of the place of a task: the names of its board and column. */
export const cardPlace = (about: FoundSql, idTask: Sql): Sql =>
  sql`(select cb."name" || ' · ' || cc."name" ${cardOf(about, idTask)})`
