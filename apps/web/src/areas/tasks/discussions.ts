import { TaskComment, TaskCommentFile } from '@ordinator/model/areas/tasks/comment'
import { TaskUpload as StoredFile } from '@ordinator/model/areas/tasks/file'
import { api } from '#base/api.ts'
import type { Discussion } from '#records/comments/discussion.ts'
import type { Mentionable } from '#records/fields/mentionable.ts'
import type { MemberRow } from './people.ts'

/** Comments of a task or workspace. */
export function discussionOf(
  type: 'task' | 'board',
  idEntity: number,
  members: readonly MemberRow[],
): Discussion & { read: NonNullable<Discussion['read']> } {
  return {
    entity: TaskComment,
    subject: { type, idEntity },
    key: `${type}:${idEntity}`,
    people: members.flatMap(({ user }): Mentionable[] => (user ? [user] : [])),
    replies: true,
    files: { links: TaskCommentFile, stored: StoredFile },
    read: (idComment) =>
      api('POST /tasks-management/comments/read', { body: { type, idEntity, idComment } }, { forbidden: 'silent' }),
  }
}
