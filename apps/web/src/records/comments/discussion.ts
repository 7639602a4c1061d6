import type { Entity } from '@ordinator/model/entity'
import type { FileMeta } from '@ordinator/model/storedFile'
import type { PersonLike } from '#kit/UserAvatar.tsx'
import type { Mentionable } from '../fields/mentionable.ts'

/**
 * Describes the comments of a subject. The entity has `message`, `dateCreate`, `dateChange` and `idUser`; with `replies`
 * also `idComment` and, with `files`, the list `files`.
 */
export interface Discussion {
  entity: Entity
  /** Fields that identify the subject: `{ type: 'task', idEntity: 5 }`. */
  subject: Record<string, string | number>
  /** Key of the subject among all drafts: 'task:5'. */
  key: string
  /** People who can be mentioned with @. */
  people?: readonly Mentionable[]
  replies?: boolean
  files?: {
    /** The entity of a comment's files: `idComment`, `idFile`. */
    links: Entity
    stored: Entity
  }
  /** Marks all up to this comment as read; returns the previous read position. */
  read?: (idComment: number) => Promise<{ before: number }>
  /** Path of a comment, under /app. */
  address?: (idComment: number) => string
  /** Applies to other people's comments; one's own can always be removed. */
  mayRemove?: boolean
  mayWrite?: boolean
}

export interface StoredFile {
  id: number
  name: string
  extension: string
  size: number
  url: string
  meta: FileMeta
}

export interface CommentRow {
  id: number
  _version: number
  message: string
  dateCreate: string
  dateChange: string | null
  idUser: number
  user: (PersonLike & { id: number }) | null
  isSystem?: boolean
  idComment?: number | null
  files?: { id: number; idFile: number; file: StoredFile | null }[]
}

/** A comment with its replies; `root` is absent when it was removed or is not loaded yet. */
export interface Thread {
  id: number
  root: CommentRow | undefined
  replies: CommentRow[]
}

/** Groups comments in any order into threads: oldest first, replies below their comment. */
export function threadsOf(comments: readonly CommentRow[]): Thread[] {
  const threads = new Map<number, Thread>()
  for (const comment of comments) {
    const id = comment.idComment ?? comment.id
    const thread = threads.get(id) ?? { id, root: undefined, replies: [] }
    threads.set(id, thread)
    if (comment.idComment) thread.replies.push(comment)
    else thread.root = comment
  }
  const all = [...threads.values()].sort((a, b) => a.id - b.id)
  for (const { replies } of all) replies.sort((a, b) => a.id - b.id)
  return all
}

/** Id of the thread below the marker «Новые»: the first with a later comment of another user. */
export function firstNew(threads: readonly Thread[], mark: number, idUser: number): number | undefined {
  return threads.find(({ root }) => root && isNew(root, mark, idUser))?.id
}

export const isNew = (comment: CommentRow, mark: number, idUser: number): boolean =>
  comment.id > mark && comment.idUser !== idUser && !comment.isSystem
