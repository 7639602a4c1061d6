import { entity, many } from '../../entity.ts'
import { ref } from '../../fields/ref.ts'
import { fileAccess, fileFields, MAX_FILE } from '../files/file.ts'
import { access } from './board.ts'

/** A file of the tasks: seen by who sent it, and by all who see a task it is attached to. */
export const TaskUpload = entity('tasks-management/files', {
  label: ['Файл', 'файла', 'файлов'],
  fields: fileFields(),
  many: { tasks: many('tasks-management/task-files', 'idFile') },
  access: fileAccess('viewTasksManagement'),
  title: 'name',
  sort: '-id',
  soft: true,
  upload: { category: 'tasks', maxSize: MAX_FILE },
})

/** A file attached to a task. */
export const TaskFile = entity('tasks-management/task-files', {
  label: ['Вложение', 'вложения', 'вложений'],
  fields: {
    idTask: ref('tasks-management/tasks', {
      label: 'Задача',
      as: 'task',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idFile: ref('tasks-management/files', {
      label: 'Файл',
      as: 'file',
      required: true,
      fixed: true,
      onDelete: 'restrict',
    }),
  },
  access,
  within: 'idTask',
  unique: [['idTask', 'idFile']],
  sort: 'id',
  soft: true,
})
