import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { access } from './board.ts'

/** A task as part of another one. A task may have several parents; cycles are forbidden. */
export const Subtask = entity('tasks-management/subtasks', {
  label: ['Подзадача', 'подзадачи', 'подзадач'],
  fields: {
    idParentTask: ref('tasks-management/tasks', {
      label: 'Родительская задача',
      as: 'parentTask',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idTask: ref('tasks-management/tasks', {
      label: 'Задача',
      as: 'task',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    index: position({ group: ['idParentTask'], start: 'last' }),
    /** Viewers of the subtask see the parent's title, even without access to the parent. */
    canViewUpperTask: boolean({ label: 'Показывать родительскую задачу', default: true }),
    nameParentTask: text({ label: 'Название родительской задачи', computed: true }),
  },
  access,
  unique: [['idParentTask', 'idTask']],
  sort: 'index',
  soft: true,
})
