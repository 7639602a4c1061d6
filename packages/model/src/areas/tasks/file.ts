import { many } from '../../entity.ts'
import { ref } from '../../fields/ref.ts'
import { attachment, storedFiles } from '../../storedFile.ts'
import { access } from './board.ts'

export const TaskUpload = storedFiles('tasks-management/files', {
  label: ['Файл', 'файла', 'файлов'],
  many: { tasks: many('tasks-management/task-files', 'idFile') },
  access: { view: access.view, delete: access.view },
  upload: { category: 'tasks' },
})

/** A file attached to a task. */
export const TaskFile = attachment('tasks-management/task-files', {
  label: ['Вложение', 'вложения', 'вложений'],
  of: {
    idTask: ref('tasks-management/tasks', {
      label: 'Задача',
      as: 'task',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
  },
  within: 'idTask',
  files: 'tasks-management/files',
  access,
})
