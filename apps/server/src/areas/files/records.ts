import { entities } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import { isStored } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { HttpError } from '#platform/errors.ts'
import { type Definition, type RowCondition, records, type Scope, type WriteContext } from '#records/define.ts'

/**
 * Stored files of an area. In every area an attached file cannot be deleted directly, because that would bypass the
 * rights of its holder; an unattached one is deleted by its author, or by users outside the scope's limits.
 * @param scope of visible files; absent: all that the declaration allows
 * @param own the thread they belong to
 */
export const fileRecords = (
  entity: Entity,
  scope: Pick<Scope, 'unless' | 'view'> = {},
  own: Pick<Definition, 'thread'> = {},
): Definition =>
  records(entity, {
    ...own,
    scope: { ...scope, delete: sentBy },
    computed: { url: ({ row }) => sql`'/files/' || ${row}."id"` },
    hooks: {
      async beforeDelete({ actor, tx }: WriteContext, { id }) {
        if (actor.system) return
        const held = await tx.one(sql`select 1 from (${join(holdersOf(entity, id), ' union all ')}) h limit 1`)
        if (held)
          throw new HttpError(409, 'Файл прикреплён к записи: сначала уберите его оттуда', { code: 'referenced' })
      },
    },
  })

const sentBy: RowCondition = ({ row, me }) => sql`${row}."idUser" = ${me}`

const quoted = (name: string): Sql => raw(`"${name}"`)

/** Fields of all entities that refer to a file of this one. */
export const holdersOfFiles = (files: Entity): { holder: Entity; field: string }[] =>
  (entities as readonly Entity[]).flatMap((holder) =>
    Object.entries(holder.fields)
      .filter(([, f]) => isStored(f) && isRef(f) && f.to === files.path)
      .map(([field]) => ({ holder, field })),
  )

const holdersOf = (files: Entity, id: number): Sql[] =>
  holdersOfFiles(files).map(
    ({ holder, field }) => sql`select 1 from ${quoted(holder.table)}
      where ${quoted(field)} = ${id} ${raw(holder.soft ? 'and not "deleted"' : '')}`,
  )
