import { Comment, CommentFile } from '@ordinator/model/areas/tasks/comment'
import sql from 'sql-template-tag'
import { records } from '../../records/define.ts'
import { aboutTask } from './links.ts'
import { commentScope } from './scope.ts'

export const comments = records(Comment, {
  scope: commentScope,
  about: aboutTask((row) => sql`(case when ${row}."type" = 'task' then ${row}."idEntity" end)`),
})

export const commentFiles = records(CommentFile)
