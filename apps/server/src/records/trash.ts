import { isRef } from '@ordinator/model/fields/ref'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { fromPgError } from '#platform/errors.ts'
import { previewKey } from '#platform/storage.ts'
import type { AppContext } from './context.ts'
import type { Definition } from './define.ts'
import { TRASH_DAYS } from './engine.ts'
import { oneByOne } from './oneByOne.ts'
import { name } from './plan.ts'

const AT_ONCE = 500
const BYTES = 'records.bytes'

/**
 * Removes contents of stored files once the transaction that forgets them commits: in the background, repeated until it
 * succeeds. A transaction that fails keeps its files.
 */
export const removeFiles = async (
  { jobs }: Pick<AppContext, 'jobs'>,
  tx: Queryable,
  keys: readonly string[],
): Promise<void> => {
  if (keys.length > 0) await jobs.send(BYTES, { keys }, { tx })
}

/** Nightly purge: deletes records whose time in the trash is over, with their parts. History is kept. */
export function registerTrash(app: AppContext): void {
  const { jobs, db, registry, log, files } = app
  // Sent in the purge's transaction: file contents are removed exactly when their record is.
  jobs.register<{ keys: string[] }>(BYTES, {
    async handler({ keys }) {
      for (const key of keys) await files.remove(key)
    },
  })
  const isInUse = (error: unknown) => fromPgError(error)?.code === 'referenced'
  async function empty(d: Definition, signal: AbortSignal): Promise<void> {
    // Continue after the records that remain.
    for (let last = 0, isMore = true; isMore && !signal.aborted; ) {
      const old: { id: number }[] = await db.query(
        sql`select "id" from ${name(d.entity.table)} where "deleted" and "id" > ${last}
            and "_deletedAt" < now() - make_interval(days => ${TRASH_DAYS}) order by "id" limit ${AT_ONCE}`,
      )
      // A record referenced by a living one stays until that is gone too.
      const purgeOne = ({ id }: { id: number }) =>
        db
          .tx((tx) => purge(app, tx, d, [id]))
          .catch((error) => {
            if (!isInUse(error)) throw error
            log.debug({ path: d.entity.path, id }, 'trash: still in use')
          })
      await oneByOne(app, 'records.trash', old, purgeOne, signal)
      last = old.at(-1)?.id ?? last
      isMore = old.length === AT_ONCE
    }
  }
  jobs.register('records.trash', {
    cron: '40 3 * * *',
    async handler(_, { signal }) {
      await db.query({ text: "select ensure_month_partitions('history')" })
      for (const d of registry.definitions.filter(({ entity }) => entity.soft)) await empty(d, signal)
    },
  })
}

/** Deletes records with their parts and files, without the trash. History is kept. */
export async function purge(app: AppContext, tx: Queryable, d: Definition, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  for (const part of app.registry.definitions) {
    const by = part.entity.within
    const reference = by && part.entity.fields[by]
    if (!by || !reference || !isRef(reference) || reference.to !== d.entity.path) continue
    const parts = await tx.query<{ id: number }>(
      sql`select "id" from ${name(part.entity.table)} where ${name(by)} = any(${ids}::bigint[])`,
    )
    await purge(
      app,
      tx,
      part,
      parts.map((p) => p.id),
    )
  }
  const gone = sql`delete from ${name(d.entity.table)} where "id" = any(${ids}::bigint[])`
  if (!d.entity.upload) return void (await tx.query(gone))
  const stored = await tx.query<{ key: string; meta: { previews?: string[] } }>(sql`${gone} returning "key", "meta"`)
  const keys = stored.flatMap(({ key, meta }) => [key, ...(meta.previews ?? []).map((size) => previewKey(key, size))])
  await removeFiles(app, tx, keys)
}
