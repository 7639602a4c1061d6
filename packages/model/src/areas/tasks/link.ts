import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { integer } from '../../fields/integer.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { access } from './board.ts'

/** Kinds of links of a task (spec §3), with their entities. */
export const linkTypes = {
  checklist: 'Чек-лист',
  clientlist: 'Список клиентов',
  poll: 'Опрос',
  liveassist: 'Чат',
  lead: 'Сделка',
} as const
export type LinkType = keyof typeof linkTypes

export const linkPaths: Record<LinkType, string> = {
  checklist: 'tasks-management/check-lists',
  clientlist: 'tasks-management/client-lists',
  poll: 'tasks-management/polls',
  liveassist: 'live-assist',
  lead: 'sales-management/leads',
}

/** A link of a task: check lists, client lists, polls, chats and deals. */
export const TaskLink = entity('tasks-management/entities', {
  label: ['Связь задачи', 'связи задачи', 'связей задачи'],
  fields: {
    idTask: ref('tasks-management/tasks', {
      label: 'Задача',
      as: 'task',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    type: choice(linkTypes, { label: 'Вид', required: true, fixed: true }),
    idEntity: integer({ label: 'Запись', required: true, fixed: true, min: 1 }),
    order: position({ group: ['idTask', 'type'], start: 'last' }),
  },
  access,
  within: 'idTask',
  unique: [['idTask', 'type', 'idEntity']],
  sort: 'order',
  soft: true,
})

/** The task in which a new check list, client list or poll is created, with its link. Absent: not linked. */
export const madeInTask = () =>
  ref('tasks-management/tasks', { label: 'Задача', as: 'task', virtual: true, fixed: true, required: false })
