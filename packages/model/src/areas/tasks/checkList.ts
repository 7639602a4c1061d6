import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { access } from './board.ts'
import { madeInTask } from './link.ts'

export const CheckList = entity('tasks-management/check-lists', {
  label: ['Чек-лист', 'чек-листа', 'чек-листов'],
  fields: {
    name: text({ label: 'Название', required: true, max: 255 }),
    idUser: ref('users', { label: 'Создатель', as: 'user', auto: 'actor' }),
    idTask: madeInTask(),
  },
  many: { items: many('tasks-management/check-list-items', 'idCheckList') },
  access,
  title: 'name',
  sort: 'id',
  soft: true,
})

export const CheckListItem = entity('tasks-management/check-list-items', {
  label: ['Пункт чек-листа', 'пункта чек-листа', 'пунктов чек-листа'],
  fields: {
    name: text({ label: 'Пункт', required: true, max: 1000 }),
    isCheck: boolean({ label: 'Выполнен', default: false }),
    order: position({ group: ['idCheckList'], start: 'last' }),
    dateEnd: dateTime({ label: 'Срок' }),
    idCheckList: ref('tasks-management/check-lists', {
      label: 'Чек-лист',
      as: 'checkList',
      required: true,
      onDelete: 'cascade',
    }),
    idExecutor: ref('tasks-management/members', { label: 'Исполнитель', as: 'executor', onDelete: 'set null' }),
  },
  access,
  within: 'idCheckList',
  title: 'name',
  sort: 'order',
  soft: true,
})
