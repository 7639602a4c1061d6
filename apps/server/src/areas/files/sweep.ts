import type { Entity } from '@ordinator/model/entity'
import { isStored } from '@ordinator/model/fields/field'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { sideOf } from '#records/fields/registry.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { sweepQuota } from './quota.ts'
import { holdersOfFiles } from './records.ts'

/** Files that one night puts into the trash at most. */
const AT_ONCE = 1_000

/**
 * Each night: a file that is attached to nothing a day after its upload goes to the trash, and from there, when the
 * trash lets it go, its bytes. An attachment that lies in the trash still holds its file, for it may come back. What
 * killed servers have left half-way goes at the start, and each night too.
 */
export function registerSweep(app: AppContext, entities: readonly Entity[]): void {
  // A killed server leaves what was on its way.
  app.onReady(() => app.scratch.sweep())
  app.onReady(() => app.files.sweep())
  app.jobs.register('files.sweep', {
    cron: '20 3 * * *',
    async handler() {
      const records = app.engine.for(systemActor)
      for (const entity of entities) {
        await oneByOne(app, 'files.sweep', await loose(app, entity), ({ id }) => records.asSystem.remove(entity, id))
      }
      await sweepQuota(app)
      await app.files.sweep()
    },
  })
}

function loose({ db, registry }: AppContext, entity: Entity): Promise<{ id: number }[]> {
  const quoted = (name: string): Sql => raw(`"${name}"`)
  const fields = registry.definitions.flatMap((d) =>
    Object.entries(d.entity.fields)
      .filter(([, f]) => isStored(f))
      .map(([name, f]) => ({ table: quoted(d.entity.table), column: quoted(name), f })),
  )
  const holders = holdersOfFiles(entity).map(({ holder, field }) => {
    const column = quoted(field)
    return sql`select ${column} as "id" from ${quoted(holder.table)} where ${column} is not null`
  })
  // A picture in a text is held by its address alone.
  const texts = fields.flatMap(({ table, column, f }) =>
    sideOf(f).showsFiles
      ? [
          sql`select (regexp_matches(${column}, '/files/(\\d{1,15})', 'g'))[1]::bigint from ${table} where ${column} like '%/files/%'`,
        ]
      : [],
  )
  const held = join([...holders, ...texts, sql`select null::bigint where false`], ' union ')
  return db.query<{ id: number }>(sql`with held as (${held}), old as (
      select f."id" from ${quoted(entity.table)} f
      where not f."deleted" and f."dateCreate" < now() - interval '1 day'
    )
    select "id" from old except select "id" from held order by "id" limit ${AT_ONCE}`)
}
