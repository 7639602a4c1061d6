import { CheckList, CheckListItem } from '@ordinator/model/areas/tasks/checkList'
import type { Row, Update } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { forbidden, ValidationError } from '#platform/errors.ts'
import { records, type WriteContext } from '#records/define.ts'
import { aboutTask, mayChangePart, partHooks, taskOfLinked } from './links.ts'
import { checkListItemScope, linkedScope } from './scope.ts'

export const checkLists = records(CheckList, {
  scope: linkedScope('checklist'),
  about: aboutTask((row) => taskOfLinked('checklist', sql`${row}."id"`)),
  hooks: partHooks('checklist'),
})

/** Written by editors of the task; the executor of an item may only tick it. */
export const checkListItems = records(CheckListItem, {
  scope: checkListItemScope,
  about: aboutTask((row) => taskOfLinked('checklist', sql`${row}."idCheckList"`)),
  hooks: {
    createTakesHooks: (value) => value.idExecutor != null,
    async beforeCreate({ tx }, value) {
      if (value.idExecutor) await checkExecutor(tx, value.idCheckList, value.idExecutor)
    },
    async beforeUpdate(context, value, before) {
      const idCheckList = value.idCheckList ?? before.idCheckList
      await checkHand(context, value, before, idCheckList)
      if (value.idExecutor && value.idExecutor !== before.idExecutor)
        await checkExecutor(context.tx, idCheckList, value.idExecutor)
      else if (idCheckList !== before.idCheckList && before.idExecutor && value.idExecutor === undefined) {
        // In another task's list the executor may not be a member.
        if (!(await isOfBoard(context.tx, idCheckList, before.idExecutor))) value.idExecutor = null
      }
    },
  },
})

/** @throws HttpError 403 unless the actor edits both lists, or only ticks an own item */
async function checkHand(
  context: WriteContext,
  value: Update<typeof CheckListItem>,
  before: Row<typeof CheckListItem>,
  idCheckList: number,
): Promise<void> {
  const only = Object.entries(value).every(
    ([field, to]) => field === 'isCheck' || to === before[field as keyof typeof before],
  )
  if (only) return
  const lists = new Set([before.idCheckList, idCheckList])
  for (const id of lists)
    if (!(await mayChangePart(context, 'checklist', id)))
      throw forbidden('Исполнитель может только отмечать свой пункт выполненным')
}

async function checkExecutor(tx: Queryable, idCheckList: number, idMember: number): Promise<void> {
  if (await isOfBoard(tx, idCheckList, idMember)) return
  throw new ValidationError([
    { field: 'idExecutor', message: 'Исполнителем может быть только участник рабочего пространства задачи' },
  ])
}

/** Whether the member is of a board with a card of a task linked to the list. */
async function isOfBoard(tx: Queryable, idCheckList: number, idMember: number): Promise<boolean> {
  const found = await tx.one(sql`select 1 from tasks_management_entities le
    join tasks_management_assigned a on a."idTask" = le."idTask" and not a."deleted"
    join tasks_management_columns c on c."id" = a."idColumn" and not c."deleted"
    join tasks_management_members m on m."idBoard" = c."idBoard" and not m."deleted"
    where le."type" = 'checklist' and le."idEntity" = ${idCheckList} and not le."deleted" and m."id" = ${idMember} limit 1`)
  return found !== undefined
}
