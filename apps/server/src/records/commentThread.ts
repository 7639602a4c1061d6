import type { AnyField, Create, Entity, Row, Update } from '@ordinator/model/entity'
import { mentionsOf } from '@ordinator/model/mentions'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { forbidden, ValidationError } from '../platform/errors.ts'
import type { Hooks, WriteContext } from './define.ts'
import { name } from './plan.ts'

/** More than this one comment does not call. */
const MAX_MENTIONS = 50

/** What every entity of comments has. */
type Comments = Entity<string, { message: AnyField; dateChange: AnyField; idUser: AnyField }>
/** … and those that keep threads: an answer names its comment, and the server may speak too. */
type Threaded = Entity<string, Comments['fields'] & { idComment: AnyField; isSystem: AnyField }>

interface Said {
  id: number
  message: string
  idUser: number
  idComment: number | null
  isSystem: boolean
}

export interface Thread<E extends Threaded> {
  /** The fields that name what is discussed: an answer is to a comment on the same. */
  subject: readonly (keyof E['fields'] & string)[]
  /** What an answer to a comment on something else is refused with. */
  foreign: string
  /** @returns those who are not to be told of the comment once more */
  tellMentioned(context: WriteContext, comment: Row<E>, idUsers: readonly number[]): Promise<readonly number[]>
  /** Tells the others whom a new comment concerns. `spoke`: who has spoken in its thread before; `told`: who knows. */
  tellOthers(
    context: WriteContext,
    comment: Row<E>,
    people: { spoke: readonly number[]; told: readonly number[] },
  ): Promise<void>
}

type Own<E extends Entity, K extends keyof Hooks<E>> = Required<Pick<Hooks<E>, K>>

/** A comment is changed by its author alone and says when; what the server said is nobody's to change or to take away. */
export function commentHooks<E extends Comments>(): Own<E, 'beforeUpdate' | 'beforeDelete'> {
  return {
    beforeUpdate({ actor }, value: Update<E>, before) {
      const was = before as unknown as Said
      const given = value as Partial<Said>
      // A scope may say so too, but not to those who pass every condition.
      if (!actor.system && (was.idUser !== actor.id || was.isSystem))
        throw forbidden('Изменить можно только свой комментарий')
      if (given.message !== undefined && given.message !== was.message)
        Object.assign(value, { dateChange: new Date().toISOString() })
    },
    beforeDelete({ actor }, comment) {
      if (!actor.system && (comment as unknown as Said).isSystem) throw forbidden('Системную запись нельзя удалить')
    },
  }
}

/** The rules of a discussion: answers one level deep, people named in it, people whom it concerns. */
export function commentThread<E extends Threaded>(
  entity: E,
  { subject, foreign, tellMentioned, tellOthers }: Thread<E>,
): Own<E, 'beforeCreate' | 'afterCreate' | 'beforeUpdate' | 'afterUpdate' | 'beforeDelete'> {
  const call = async (context: WriteContext, comment: Row<E>, ids: readonly number[]) => {
    const others = ids.slice(0, MAX_MENTIONS).filter((id) => id !== context.actor.id)
    return others.length ? tellMentioned(context, comment, others) : []
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
      // Threads are one level deep: the answer to an answer goes to the comment that began them.
      given.idComment = parent.idComment ?? parent.id
    },
    async afterCreate(context, comment) {
      const said = comment as unknown as Said
      if (said.isSystem) return
      const told = await call(context, comment, mentionsOf(said.message))
      await tellOthers(context, comment, { spoke: await spokeBefore(context, entity, said), told })
    },
    async afterUpdate(context, comment, before) {
      const known = mentionsOf((before as unknown as Said).message)
      const named = mentionsOf((comment as unknown as Said).message)
      await call(
        context,
        comment,
        named.filter((id) => !known.includes(id)),
      )
    },
  }
}

/** A file of a comment is put there and taken away by the comment's author. */
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

async function spokeBefore({ tx }: WriteContext, entity: Threaded, { id, idComment }: Said): Promise<number[]> {
  if (!idComment) return []
  const authors = await tx.query<{ idUser: number }>(sql`
    select distinct "idUser" from ${name(entity.table)}
    where ("id" = ${idComment} or "idComment" = ${idComment}) and "id" <> ${id} and "idUser" is not null ${living(entity)}`)
  return authors.map(({ idUser }) => idUser)
}

const living = (entity: Threaded): Sql =>
  entity.soft ? raw('and not "deleted" and not "isSystem"') : raw('and not "isSystem"')
