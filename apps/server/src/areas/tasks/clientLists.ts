import { ClientList, ClientListItem } from '@ordinator/model/areas/tasks/clientList'
import sql from 'sql-template-tag'
import { records } from '../../records/define.ts'
import { aboutTask, linkToTask, taskOfLinked } from './links.ts'
import { linkedScope } from './scope.ts'

export const clientLists = records(ClientList, {
  scope: linkedScope('clientlist'),
  about: aboutTask((row) => taskOfLinked('clientlist', sql`${row}."id"`)),
  hooks: { afterCreate: linkToTask('clientlist') },
})

export const clientListItems = records(ClientListItem, {
  about: aboutTask((row) => taskOfLinked('clientlist', sql`${row}."idClientList"`)),
})
