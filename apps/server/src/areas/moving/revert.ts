/** Takes back what files of a move have made, in the reverse order, while nobody has worked on it. */

import { MoveFile } from '@ordinator/model/areas/moving/move'
import { fateOf, hangingWords, pointingAt } from '@ordinator/model/deletion'
import { entities, entityAt } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import sql, { join, raw } from 'sql-template-tag'
import { dayOf, reverseOpenings } from '#areas/money/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Registry } from '#records/define.ts'
import type { Records } from '#records/records.ts'
import { fileOf, sourceOf } from './file.ts'
import { LEDGER } from './tables/money.ts'

/** Records taken back in one transaction. */
const PORTION = 2_000
const SLICE_MS = 60_000
const PAST = { pastHooks: 'The whole move is taken back, and nobody has worked on what it made' }
/** Entities whose deletion does more than take the row: their hooks run. */
const ONE_BY_ONE = new Set(['appointments', 'users'])

/**
 * Refuses while anybody has worked on what the files have made: has changed it, has written parts of it, refers to it,
 * or has spent of its money.
 * @throws HttpError 409 `worked` that says on what
 */
export async function refuseWorked(db: Queryable, registry: Registry, idFiles: readonly number[]): Promise<void> {
  const files = sql`(${join(idFiles)})`
  const told: string[] = []
  const paths = await db.query<{ path: string }>(
    sql`select distinct "path" from moving_made where "idFile" in ${files} and "path" <> ${LEDGER}`,
  )
  // What stands in history before the first of their transactions is nobody's work on them.
  const first = await db.one<{ id: number }>(sql`select coalesce(min(h."id"), 0)::float8 as id from history h
    where h."xid" = (select t."xid" from moving_txs t where t."idFile" in ${files} order by t."xid" limit 1)`)
  const others = sql`h."id" > ${first?.id ?? 0} and h."idUser" is not null and not exists (select from moving_txs t where t."xid" = h."xid" and t."idFile" in ${files})`
  for (const { path } of paths) {
    const entity = entityAt(path) as Entity
    // `made` is materialized: the planner must go from what was made to its history, not the other way round.
    const worked = await db.one<{ count: number }>(sql`with made as materialized (
        select distinct m."idEntity" from moving_made m where m."idFile" in ${files} and m."path" = ${path})
      select count(*)::int as count from made m where exists (select from history h where h."path" = ${path}
          and h."idEntity" = m."idEntity" and ${others})
        or exists (select from history h where h."pathAbout" = ${path} and h."idAbout" = m."idEntity" and ${others})`)
    if (worked?.count) told.push(counted(worked.count, entity.label))
    for (const pointing of pointingAt(
      entity,
      registry.definitions.map((one) => one.entity),
    )) {
      const { entity: other, field, several } = pointing
      if (fateOf(pointing) === 'goes' || other.within === field || other.path === 'ledger/accounts') continue
      const column = raw(`p."${field}"`)
      const found = await db.one<{ count: number }>(sql`with made as materialized (
          select distinct m."idEntity" from moving_made m where m."idFile" in ${files} and m."path" = ${path} and m."changes" is null)
        select count(*)::int as count from made m join ${raw(`"${other.table}"`)} p
          on ${several ? sql`m."idEntity" = any (${column})` : sql`${column} = m."idEntity"`}
        where ${other.soft ? raw('not p."deleted" and') : raw('')} not exists (select from history h join moving_txs t
          on t."xid" = h."xid" and t."idFile" in ${files}
          where h."path" = ${other.path} and h."idEntity" = p."id" and h."action" = 'create')`)
      if (found?.count) told.push(counted(found.count, hangingWords(pointing, {})))
    }
  }
  const spent = await db.one<{ count: number }>(sql`with made as materialized (
      select "idEntity" from moving_made where "idFile" in ${files} and "path" = ${LEDGER})
    select count(*)::int as count from (
      select 1 from made m join ledger_allocations a on a."idTx" = m."idEntity"
      union all select 1 from made m join ledger_entries e on e."idTx" = m."idEntity"
        join ledger_accounts c on c."id" = e."idAccount" and c."kind" <> 'opening'
        where exists (select from ledger_entries l where l."idAccount" = e."idAccount" and l."idTx" <> e."idTx"
          and not exists (select from made o where o."idEntity" = l."idTx")
          and not exists (select from ledger_txs s where s."id" = l."idTx" and (s."reverses" is not null
            or exists (select from ledger_txs r where r."reverses" = s."id"))))) q`)
  if (spent?.count) told.push('движения по счетам пациентов')
  if (told.length)
    throw new HttpError(
      409,
      `С загруженным уже работали: ${[...new Set(told)].join(', ')}. Отменить переезд целиком нельзя`,
      {
        code: 'worked',
      },
    )
}

export interface RevertJob {
  /** Files in the order in which they are taken back. */
  ids: readonly number[]
}

/** Takes files back, one after another; run again, it goes on where it stopped. */
export async function revertFiles(app: AppContext, { ids }: RevertJob, signal: AbortSignal): Promise<void> {
  const until = Date.now() + SLICE_MS
  for (const [at, id] of ids.entries()) {
    for (;;) {
      if (signal.aborted) throw new Error('the server stops')
      if (Date.now() > until) return void (await app.jobs.send('moving.revert', { ids: ids.slice(at) }))
      const file = await fileOf(app.db, id)
      if (file?.state !== 'reverting') break
      const engine = app.engine.for({ ...systemActor, id: file.idUser })
      try {
        if (!(await engine.tx((records, tx) => takeBack(records, tx, id)))) break
      } catch (error) {
        // What somebody has begun to work on meanwhile stays, and so does all that was made before it.
        if (!(error instanceof HttpError) || error.status >= 500) throw error
        await engine.asSystem.update(MoveFile, id, {
          state: 'done',
          message: `Отмена остановилась: ${error.message}`.slice(0, 1000),
        })
        return
      }
    }
  }
}

interface MadeRow {
  id: number
  path: string
  idEntity: number
  changes: Record<string, [from: unknown, to: unknown]> | null
}

/** @returns whether there is more to take back */
async function takeBack(records: Records, tx: Tx, idFile: number): Promise<boolean> {
  const file = await tx.one<{ state: string; idMove: number; done: number }>(
    sql`select "state", "idMove", "done" from moving_files where "id" = ${idFile} for update`,
  )
  if (file?.state !== 'reverting') return false
  const rows =
    await tx.query<MadeRow>(sql`select "id", "path", "idEntity"::int as "idEntity", "changes" from moving_made
    where "idFile" = ${idFile} order by "id" desc limit ${PORTION}`)
  const system = records.asSystem
  for (const run of runsOf(rows)) {
    const [first] = run
    if (!first) continue
    const { path } = first
    const ids = run.map(({ idEntity }) => idEntity)
    if (path === LEDGER) {
      await reverseOpenings(records, tx, ids, { localDate: await dayOf(tx, null), comment: 'Переезд отменён' })
      continue
    }
    const entity = entityAt(path) as Entity
    if (first.changes) for (const one of run) await giveBack(records, tx, entity, one)
    else if (path === 'bonuses')
      await system.updateWhere(
        entity,
        { rows: sql`select unnest(${ids}::bigint[]) as "id"` },
        { sum: 0, left: 0 },
        PAST,
      )
    else if (ONE_BY_ONE.has(path)) for (const id of ids) await removeOne(records, tx, entity, id)
    else if (ids.length > 0) await removeMany(records, entity, ids)
  }
  const last = rows.at(-1)
  if (last) await tx.query(sql`delete from moving_made where "idFile" = ${idFile} and "id" >= ${last.id}`)
  // The revert itself is no work on what the other files have made.
  await tx.query(
    sql`insert into moving_txs ("idFile", "xid") values (${idFile}, pg_current_xact_id()) on conflict do nothing`,
  )
  const done = Math.max(0, file.done - rows.length)
  if (rows.length === PORTION) {
    await system.update(MoveFile, idFile, { done })
    return true
  }
  await restoreKeys(tx, idFile, file.idMove)
  await tx.query(sql`update moving_rows set "fate" = null, "notes" = null where "idFile" = ${idFile}`)
  const zero = { created: 0, updated: 0, same: 0, doubted: 0, twin: 0, both: 0, wrong: 0 }
  await system.update(MoveFile, idFile, {
    state: 'reverted',
    done: 0,
    ...zero,
    message: null,
    dateEnd: new Date().toISOString(),
  })
  return false
}

/** Neighbours of one entity together: they go in one statement. */
function runsOf(rows: readonly MadeRow[]): MadeRow[][] {
  const runs: MadeRow[][] = []
  for (const row of rows) {
    const before = runs.at(-1)
    const [head] = before ?? []
    if (before && head && head.path === row.path && (head.changes === null) === (row.changes === null)) before.push(row)
    else runs.push([row])
  }
  return runs
}

const alive = (entity: Entity, ids: readonly number[]) =>
  sql`select x."id" from ${raw(`"${entity.table}"`)} x where x."id" = any (${ids}::bigint[]) ${raw(entity.soft ? 'and not x."deleted"' : '')}`

/** With its parts, which nobody else has touched. */
async function removeMany(records: Records, entity: Entity, ids: readonly number[]): Promise<void> {
  for (const { entity: part, field } of pointingAt(entity, entities))
    if (part.within === field && part.soft)
      await records.asSystem.deleteWhere(
        part,
        {
          rows: sql`select p."id" from ${raw(`"${part.table}"`)} p where p.${raw(`"${field}"`)} = any (${ids}::bigint[]) and not p."deleted"`,
        },
        PAST,
      )
  await records.asSystem.deleteWhere(entity, { rows: alive(entity, ids) }, PAST)
}

async function removeOne(records: Records, tx: Tx, entity: Entity, id: number): Promise<void> {
  const there = await tx.one(sql`${alive(entity, [id])}`)
  if (there) await records.asSystem.remove(entity, id, { sure: true })
}

async function giveBack(records: Records, tx: Tx, entity: Entity, { idEntity, changes }: MadeRow): Promise<void> {
  const there = await tx.one(sql`${alive(entity, [idEntity])}`)
  if (!there || !changes) return
  const back = Object.fromEntries(
    Object.entries(changes).flatMap(([field, [from]]) =>
      entity.fields[field] && !entity.fields[field].options.readonly ? [[field, from]] : [],
    ),
  )
  if (Object.keys(back).length > 0) await records.asSystem.update(entity, idEntity, back)
}

/** External ids as they were before the file, the last change first. */
async function restoreKeys(tx: Tx, idFile: number, idMove: number): Promise<void> {
  const move = await tx.one<{ id: number; program: string }>(
    sql`select "id"::int as id, "program" from moving where "id" = ${idMove}`,
  )
  if (!move) return
  const source = sourceOf(move)
  await tx.query(sql`delete from external_ids e using moving_keys k where k."idFile" = ${idFile} and k."before" is null
    and e."source" = ${source} and e."path" = k."path" and e."externalId" = k."externalId"`)
  await tx.query(sql`update external_ids e set "idEntity" = (k."before"->>'idEntity')::bigint, "file" = k."before"->'file', "here" = k."before"->'here'
    from (select distinct on ("path", "externalId") * from moving_keys where "idFile" = ${idFile} and "before" is not null
      order by "path", "externalId", "id") k
    where e."source" = ${source} and e."path" = k."path" and e."externalId" = k."externalId"`)
  await tx.query(sql`delete from moving_keys where "idFile" = ${idFile}`)
}
