import { entity, many } from '../../entity.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { access } from './board.ts'
import { madeInTask } from './link.ts'

/** Customers of a task: to call, to remind. */
export const ClientList = entity('tasks-management/client-lists', {
  label: ['Список клиентов', 'списка клиентов', 'списков клиентов'],
  fields: {
    name: text({ label: 'Название', required: true, max: 255 }),
    idUser: ref('users', { label: 'Создатель', as: 'user', auto: 'actor' }),
    idTask: madeInTask(),
  },
  many: { items: many('tasks-management/client-list-items', 'idClientList') },
  access,
  title: 'name',
  sort: 'id',
  soft: true,
})

export const ClientListItem = entity('tasks-management/client-list-items', {
  label: ['Клиент списка', 'клиента списка', 'клиентов списка'],
  fields: {
    idClientList: ref('tasks-management/client-lists', {
      label: 'Список клиентов',
      as: 'clientList',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    /** Users without access to customers see only the count. */
    idCustomer: ref('customers', {
      label: 'Клиент',
      as: 'customer',
      required: true,
      fixed: true,
      hidden: 'viewCustomers',
      whenDeleted: 'stays',
    }),
    order: position({ group: ['idClientList'], start: 'last' }),
  },
  access,
  within: 'idClientList',
  unique: [['idClientList', 'idCustomer']],
  sort: 'order',
  soft: true,
})
