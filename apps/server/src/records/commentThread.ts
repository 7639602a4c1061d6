import type { AnyField, Create, Entity, Row, Update } from '@ordinator/model/entity'
import { mentionsOf } from '@ordinator/model/mentions'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { forbidden, ValidationError } from '#platform/errors.ts'
import type { Hooks, WriteContext } from './define.ts'
import { name } from './plan.ts'

/** Maximum mentions in one comment. */
const MAX_MENTIONS = 50

/** Fields common to all comment entities. */
type Comments = Entity<string, { message: AnyField; dateChange: AnyField; idUser: AnyField }>
/** Comment entities with threads: a reply refers to its comment, and the server may write comments too. */
type Threaded = Entity<string, Comments['fields'] & { idComment: AnyField; isSystem: AnyField }>

interface CommentRow {
  id: number
  message: string
  idUser: number
  idComment: number | null
  isSystem: boolean
}

export interface Thread<E extends Threaded> {
  /** Fields that identify the subject: a reply must have the same subject. */
  subject: readonly (keyof E['fields'] & string)[]
  /** Error for a reply to a comment on another subject. */
  foreign: string
  /** @returns users who must not be notified again */
  notifyMentioned(context: WriteContext, comment: Row<E>, idUsers: readonly number[]): Promise<readonly number[]>
  /** Notifies the other people concerned. `spoke`: earlier authors in the thread; `notified`: already notified. */
  notifyOthers(
    context: WriteContext,
    comment: Row<E>,
    people: { spoke: readonly number[]; notified: readonly number[] },
  ): Promise<void>
}

type Own<E extends Entity, K extends keyof Hooks<E>> = Required<Pick<Hooks<E>, K>>

/** Only its author may change a comment, which records the time; system comments cannot be changed or deleted. */
export function commentHooks<E extends Comments>(): Own<E, 'beforeUpdate' | 'beforeDelete'> {
  return {
    beforeUpdate({ actor }, value: Update<E>, before) {
      const was = before as unknown as CommentRow
      const given = value as Partial<CommentRow>
      // A scope may require this too, but not for users who bypass every condition.
      if (!actor.system && (was.idUser !== actor.id || was.isSystem))
        throw forbidden('Изменить можно только свой комментарий')
      if (given.message !== undefined && given.message !== was.message)
        Object.assign(value, { dateChange: new Date().toISOString() })
    },
    beforeDelete({ actor }, comment) {
      if (!actor.system && (comment as unknown as CommentRow).isSystem)
        throw forbidden('Системную запись нельзя удалить')
    },
  }
}

/** Rules of a discussion: one level of replies, mentions, notifications. */
export function commentThread<E extends Threaded>(
  entity: E,
  { subject, foreign, notifyMentioned, notifyOthers }: Thread<E>,
): Own<E, 'beforeCreate' | 'afterCreate' | 'beforeUpdate' | 'afterUpdate' | 'beforeDelete'> {
  const call = async (context: WriteContext, comment: Row<E>, ids: readonly number[]) => {
    const others = ids.slice(0, MAX_MENTIONS).filter((id) => id !== context.actor.id)
    return others.length ? notifyMentioned(context, comment, others) : []
  }
  return {
    ...commentHooks<E>(),
    async beforeCreate({ tx }, value: Create<E>) {
      const given = value as { idComment?: number | null }
      if (!given.idComment) return
      const same = subject.map((field) => sql`${name(field)} = ${(value as Record<string, unknown>)[field]}`)
      const parent = await tx.one<{ id: number; idComment: number | null }>(sql`
        select "id", "idComment" from ${name(entity.table)}
        where "id" = ${given.idComment} and ${join(same, ' and ')} ${living(entity)}`)
      if (!parent) throw new ValidationError([{ field: 'idComment', message: foreign }])
      // Threads have one level: a reply to a reply belongs to the first comment.
      given.idComment = parent.idComment ?? parent.id
    },
    async afterCreate(context, comment) {
      const written = comment as unknown as CommentRow
      if (written.isSystem) return
      const notified = await call(context, comment, mentionsOf(written.message))
      await notifyOthers(context, comment, { spoke: await spokeBefore(context, entity, written), notified })
    },
    async afterUpdate(context, comment, before) {
      const known = mentionsOf((before as unknown as CommentRow).message)
      const named = mentionsOf((comment as unknown as CommentRow).message)
      await call(
        context,
        comment,
        named.filter((id) => !known.includes(id)),
      )
    },
  }
}

/** Only the comment's author may attach and remove its files. */
export function commentFileHooks<E extends Entity>(comments: Comments): Own<E, 'beforeCreate' | 'beforeDelete'> {
  const ofAuthor = async ({ actor, tx }: WriteContext, file: unknown) => {
    if (actor.system) return
    const { idComment } = file as { idComment: number }
    const own = await tx.one(
      sql`select 1 from ${name(comments.table)} where "id" = ${idComment} and "idUser" = ${actor.id}`,
    )
    if (!own) throw forbidden('Файлы комментария меняет только его автор')
  }
  return { beforeCreate: ofAuthor, beforeDelete: ofAuthor }
}

async function spokeBefore({ tx }: WriteContext, entity: Threaded, { id, idComment }: CommentRow): Promise<number[]> {
  if (!idComment) return []
  const authors = await tx.query<{ idUser: number }>(sql`
    select distinct "idUser" from ${name(entity.table)}
    where ("id" = ${idComment} or "idComment" = ${idComment}) and "id" <> ${id} and "idUser" is not null ${living(entity)}`)
  return authors.map(({ idUser }) => idUser)
}

const living = (entity: Threaded): Sql =>
  entity.soft ? raw('and not "deleted" and not "isSystem"') : raw('and not "isSystem"')
