import { holds } from '@ordinator/model/access'
import { ClientList, ClientListItem } from '@ordinator/model/areas/tasks/clientList'
import sql from 'sql-template-tag'
import { forbidden } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { aboutTask, partHooks, taskOfLinked } from './links.ts'
import { linkedScope } from './scope.ts'

export const clientLists = records(ClientList, {
  scope: linkedScope('clientlist'),
  about: aboutTask((row) => taskOfLinked('clientlist', sql`${row}."id"`)),
  hooks: partHooks('clientlist'),
})

export const clientListItems = records(ClientListItem, {
  about: aboutTask((row) => taskOfLinked('clientlist', sql`${row}."idClientList"`)),
  hooks: {
    beforeCreate({ actor }) {
      if (!actor.system && !holds(actor, 'viewCustomers')) throw forbidden('У вас нет права видеть клиентов')
    },
  },
})
