import { CheckList, CheckListItem } from '@ordinator/model/areas/tasks/checkList'
import sql from 'sql-template-tag'
import { records } from '../../records/define.ts'
import { aboutTask, linkToTask, taskOfLinked } from './links.ts'
import { checkListItemScope, linkedScope } from './scope.ts'

export const checkLists = records(CheckList, {
  scope: linkedScope('checklist'),
  about: aboutTask((row) => taskOfLinked('checklist', sql`${row}."id"`)),
  hooks: { afterCreate: linkToTask('checklist') },
})

export const checkListItems = records(CheckListItem, {
  scope: checkListItemScope,
  about: aboutTask((row) => taskOfLinked('checklist', sql`${row}."idCheckList"`)),
})
