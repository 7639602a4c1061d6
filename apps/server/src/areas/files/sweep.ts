import type { Entity } from '@ordinator/model/entity'
import { isStored } from '@ordinator/model/fields/field'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { sideOf } from '#records/fields/registry.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { sweepQuota } from './quota.ts'
import { holdersOfFiles } from './records.ts'

/** Maximum number of files moved to the trash per night. */
const AT_ONCE = 1_000

/**
 * Nightly: moves files unattached for a day to the trash, and deletes the bytes of those purged from it. A deleted
 * attachment still holds its file, because it may be restored. Leftovers of killed servers are deleted at the start,
 * and nightly too.
 */
export function registerSweep(app: AppContext, entities: readonly Entity[]): void {
  // A killed server leaves partial files.
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
  // A picture in a text is referenced by its address only.
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
