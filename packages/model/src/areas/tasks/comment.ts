import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { richText } from '../../fields/richText.ts'
import { access } from './board.ts'

export const commentSubjects = { board: 'Рабочее пространство', task: 'Задача' } as const

/** A word on a task or a workspace. System lines are the server's own: they tell what has become of the task. */
export const TaskComment = entity('tasks-management/comments', {
  label: ['Комментарий', 'комментария', 'комментариев'],
  fields: {
    message: richText({ label: 'Комментарий', required: true, max: 20_000 }),
    dateCreate: dateTime({ label: 'Написан', auto: 'created' }),
    /** Of the last edit of the text; empty when it never was. */
    dateChange: dateTime({ label: 'Изменён', readonly: true }),
    meta: json()({ label: 'Свойства', readonly: true }),
    isSystem: boolean({ label: 'Системный', readonly: true, default: false }),
    type: choice(commentSubjects, { label: 'К чему относится', required: true, fixed: true }),
    idEntity: integer({ label: 'Запись', required: true, fixed: true, min: 1 }),
    idComment: ref('tasks-management/comments', {
      label: 'Ответ на',
      as: 'parent',
      fixed: true,
      onDelete: 'cascade',
    }),
    idUser: ref('users', { label: 'Автор', as: 'user', auto: 'actor' }),
  },
  many: {
    children: many('tasks-management/comments', 'idComment'),
    files: many('tasks-management/comment-files', 'idComment'),
  },
  access,
  sort: 'id',
  soft: true,
})

export const TaskCommentFile = entity('tasks-management/comment-files', {
  label: ['Файл комментария', 'файла комментария', 'файлов комментария'],
  fields: {
    idComment: ref('tasks-management/comments', {
      label: 'Комментарий',
      as: 'comment',
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
  within: 'idComment',
  unique: [['idComment', 'idFile']],
  sort: 'id',
  soft: true,
})
