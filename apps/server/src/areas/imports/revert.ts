import { Import, type importStates } from '@ordinator/model/areas/imports/import'
import type { ImportChanged } from '@ordinator/model/areas/imports/wire'
import { entityAt } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { backgroundRun, RunStopped } from '#records/run.ts'
import { importerOf } from './importer.ts'
import { LOST_AFTER, SLICE_MS } from './slice.ts'

/** Records undone per transaction. */
const PORTION = 50
const NAMED = 100

interface Undo {
  /** The final state of the import. */
  to: keyof typeof importStates
  /** Include records changed by others since. */
  force: boolean
  /** The place, and the number of records kept before it. */
  below?: number
  kept?: number
}

interface MadeRow {
  id: number
  row: number
  path: string
  idEntity: number
  key: string | null
  /** By field, the former value and the one written by the import; null: the import created the record. */
  changes: Record<string, [from: unknown, to: unknown]> | null
}

/**
 * Undoes an import: deletes its records, the last first, and restores former values field by field, unless changed
 * since. Kept records are counted and listed.
 */
export const importUndos = backgroundRun<typeof Import>(Import, {
  job: 'imports.revert',
  going: ['reverting'],
  seconds: LOST_AFTER,
  after: 'resume',
  failed: (message) => ({ state: 'failed', message, dateEnd: new Date().toISOString() }),
  broken: 'Отмена не удалась: отмените ещё раз',
  async work(app, run) {
    const { id, idUser, kind } = run.row
    const { to, force, ...before } = run.data as Undo
    // History names the import's own user; the rights were checked when the undo was requested.
    const engine = app.engine.for({ ...systemActor, id: idUser })
    const importer = importerOf(app, kind)
    let kept = before.kept ?? 0
    const until = Date.now() + SLICE_MS
    for (let below = before.below ?? Number.MAX_SAFE_INTEGER; ; ) {
      if (run.signal.aborted) throw new RunStopped()
      if (Date.now() > until) return 'more'
      const part = await app.db.query<MadeRow>(sql`select * from import_records
        where "idImport" = ${id} and "id" < ${below} order by "id" desc limit ${PORTION}`)
      if (part.length === 0) break
      below = (part.at(-1) as MadeRow).id
      kept = await engine.tx(async (records, tx) => {
        let left = kept
        let removed = 0
        for (const made of part) {
          const { fate, why } = made.changes
            ? await giveBack(records, tx, made, made.changes)
            : (await importer.isHeld?.(tx, { path: made.path, id: made.idEntity }))
              ? keptBecause('в ней есть чужое')
              : await removeOne(records, tx, made, idUser, force, left)
          if (fate === 'kept') {
            left++
            await noteKept(records, tx, id, made, why ?? '')
          }
          if (fate === 'removed' && made.key === null) removed++
        }
        const now = await run.hold(tx)
        await records.asSystem.update(Import, id, { created: Math.max(0, now.created - removed) })
        await run.keep(tx, { to, force, below, kept: left })
        return left
      })
    }
    await engine.tx(async (records, tx) => {
      const { message } = await run.hold(tx)
      await run.finish(
        {
          state: to,
          dateEnd: new Date().toISOString(),
          created: kept,
          message: kept > 0 ? `Осталось записей: ${kept}. Их изменили после импорта или в них есть чужое` : message,
        },
        { records, tx },
      )
    })
  },
})

interface Fate {
  fate: 'removed' | 'kept' | 'gone'
  /** Reason why it is kept. */
  why?: string
}
const keptBecause = (why: string): Fate => ({ fate: 'kept', why })

/** Maximum number of records listed individually. */
const MAX_LISTED = 1_000

/** Lists a kept record. */
async function noteKept(records: Records, tx: Tx, id: number, made: MadeRow, why: string): Promise<void> {
  const entity = entityAt(made.path) as Entity
  const listed = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from import_errors where "idImport" = ${id} and "kept"`,
  )
  if ((listed?.count ?? 0) >= MAX_LISTED) return
  const title = entity.title ?? 'id'
  const row = (await records.rows(entity, { 'filter[id]': made.idEntity, fields: title, limit: 1 }))[0]
  const named = String((row as Record<string, unknown> | undefined)?.[title] ?? `№ ${made.idEntity}`)
  await tx.query(sql`insert into import_errors ("idImport", "row", "field", "message", "note", "kept")
    values (${id}, ${made.row}, ${entity.label[0]}, ${`«${named.slice(0, 200)}»: ${why}`}, true, true)`)
}

/** Restores the fields that still have the import's value. */
async function giveBack(
  records: Records,
  tx: Tx,
  made: MadeRow,
  changes: NonNullable<MadeRow['changes']>,
): Promise<Fate> {
  const entity = entityAt(made.path) as Entity
  if (!(await isAlive(tx, entity, made.idEntity))) return { fate: 'gone' }
  const now = (await records.asSystem.row(entity, made.idEntity)) as Record<string, unknown>
  const back: Record<string, unknown> = {}
  const later: string[] = []
  for (const [field, [from, to]] of Object.entries(changes)) {
    const known = entity.fields[field]
    if (!known || JSON.stringify(from) === JSON.stringify(to)) continue
    if (JSON.stringify(now[field] ?? null) === JSON.stringify(to)) back[field] = from
    else if (JSON.stringify(now[field] ?? null) !== JSON.stringify(from)) later.push(known.options.label)
  }
  if (Object.keys(back).length > 0) {
    const refused = await tried(tx, () => records.asSystem.update(entity, made.idEntity, back))
    if (refused) return keptBecause(`прежние значения не вернулись: ${refused.message}`)
  }
  return later.length > 0 ? keptBecause(`изменено после импорта: ${later.join(', ')}`) : { fate: 'removed' }
}

const isAlive = async (tx: Tx, entity: Entity, id: number): Promise<boolean> =>
  (await tx.one(
    sql`select 1 from ${raw(`"${entity.table}"`)} x where x."id" = ${id} ${entity.soft ? sql`and not x."deleted"` : raw('')}`,
  )) !== undefined

async function removeOne(
  records: Records,
  tx: Tx,
  made: MadeRow,
  idUser: number,
  force: boolean,
  kept: number,
): Promise<Fate> {
  const entity = entityAt(made.path) as Entity
  if (!(await isAlive(tx, entity, made.idEntity))) return { fate: 'gone' }
  if (made.key !== null && kept > 0) return keptBecause('в ней осталось изменённое')
  if (!force && (await tx.one(changeByOthers(sql`${made.path}::text`, sql`${made.idEntity}::bigint`, idUser))))
    return keptBecause('изменили другие')
  const refused = await tried(tx, () => records.remove(entity, made.idEntity))
  if (!refused) return { fate: 'removed' }
  return refused.status === 404 ? { fate: 'gone' } : keptBecause(refused.message)
}

/** Runs a write in a savepoint. @returns the error of a refused one, which leaves no changes */
async function tried(tx: Tx, write: () => Promise<unknown>): Promise<HttpError | undefined> {
  await tx.query(sql`savepoint taken_back`)
  try {
    await write()
    return undefined
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error
    await tx.query(sql`rollback to savepoint taken_back`)
    return error
  }
}

/** Active records of an import changed by others since, directly or in a part. */
export async function changedByOthers(
  { db, engine }: Pick<AppContext, 'db' | 'engine'>,
  id: number,
  idUser: number,
): Promise<{ total: number; items: ImportChanged[] }> {
  const paths = await db.query<{ path: string }>(
    sql`select distinct "path" from import_records where "idImport" = ${id} and "changes" is null`,
  )
  const items: ImportChanged[] = []
  let total = 0
  for (const { path } of paths) {
    const entity = entityAt(path) as Entity
    const found = await db.query<{ idEntity: number; user: string; total: number }>(sql`
      select r."idEntity", btrim(concat_ws(' ', u."surname", u."name")) as user, count(*) over ()::int as total
      from import_records r
      join ${raw(`"${entity.table}"`)} x on x."id" = r."idEntity" ${entity.soft ? sql`and not x."deleted"` : raw('')}
      join lateral (${changeByOthers(sql`${path}::text`, sql`r."idEntity"`, idUser)}) h on true
      join users u on u."id" = h."idUser"
      where r."idImport" = ${id} and r."path" = ${path} and r."changes" is null order by r."id" limit ${NAMED}`)
    if (found.length === 0) continue
    total += found[0]?.total ?? 0
    const title = entity.title ?? 'id'
    const named = await engine.for({ ...systemActor, id: idUser }).rows(entity, {
      'filter[id][in]': found.map(({ idEntity }) => idEntity).join(','),
      fields: title,
      limit: NAMED,
    })
    const titles = new Map(named.map((row) => [row.id, String((row as Record<string, unknown>)[title] ?? '')]))
    items.push(...found.map(({ idEntity, user }) => ({ path, idEntity, title: titles.get(idEntity) ?? '', user })))
  }
  return { total, items: items.slice(0, NAMED) }
}

/** The last change of a record or of its parts by another person; no row if there is none. */
const changeByOthers = (path: Sql, idEntity: Sql, idUser: number): Sql => sql`
  select o."idUser" from (
    select h."id", h."idUser" from history h
    where h."path" = ${path} and h."idEntity" = ${idEntity} and h."idUser" <> ${idUser}
    union all
    select h."id", h."idUser" from history h
    where h."pathAbout" = ${path} and h."idAbout" = ${idEntity} and h."idUser" <> ${idUser}
  ) o order by o."id" desc limit 1`
