import { commentFiles, comments } from '../../comments.ts'
import { many } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { access } from './board.ts'

export const commentSubjects = { board: 'Рабочее пространство', task: 'Задача' } as const

/** A comment on a task or a workspace. */
export const TaskComment = comments('tasks-management/comments', {
  label: ['Комментарий', 'комментария', 'комментариев'],
  more: { meta: json()({ label: 'Свойства', readonly: true }) },
  of: {
    type: choice(commentSubjects, { label: 'К чему относится', required: true, fixed: true }),
    idEntity: integer({ label: 'Запись', required: true, fixed: true, min: 1 }),
  },
  many: { files: many('tasks-management/comment-files', 'idComment') },
  access,
})

export const TaskCommentFile = commentFiles('tasks-management/comment-files', {
  label: ['Файл комментария', 'файла комментария', 'файлов комментария'],
  comments: 'tasks-management/comments',
  files: 'tasks-management/files',
  access,
})
