/** Reverts the records of files of a move, in the reverse order, unless users have worked on them. */

import { Customer } from '@ordinator/model/areas/customers/customer'
import { MoveFile } from '@ordinator/model/areas/moving/move'
import { fateOf, hangingWords, pointingAt } from '@ordinator/model/deletion'
import { entities, entityAt } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { dayOf, reverseOpenings } from '#areas/money/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Registry } from '#records/define.ts'
import type { Records } from '#records/records.ts'
import { fileOf, putFile, sourceOf } from './file.ts'
import { LEDGER } from './tables/money.ts'
import { countTry, MAX_TRIES, noteProgress, stopFile } from './tries.ts'

/** Records taken back in one transaction. */
const PORTION = 2_000
const SLICE_MS = 60_000
const PAST = { pastHooks: 'The whole move is taken back, and nobody has worked on what it made' }
/** Entities with deletion hooks, which run. */
const ONE_BY_ONE = new Set(['appointments', 'users'])

/** A reason why files cannot be taken back, with the first record it is about. */
interface Hold {
  words: string
  /** Path under /app. */
  link: string | null
}

/**
 * Refuses while a user has changed what the files made, has written parts of it, refers to it or has spent of its
 * money, and while a later file has added to it. Derived records and those of the program itself do not count.
 * @throws HttpError 409 `worked` with the reasons in `holds`
 */
export async function refuseWorked(db: Queryable, registry: Registry, idFiles: readonly number[]): Promise<void> {
  const files = sql`(${join(idFiles)})`
  const holds: Hold[] = []
  const paths = await db.query<{ path: string }>(
    sql`select distinct "path" from moving_made where "idFile" in ${files} and "path" <> ${LEDGER}`,
  )
  // History before the first transaction of the files is no work on their records.
  const first = await db.one<{ id: number }>(sql`select coalesce(min(h."id"), 0)::float8 as id from history h
    where h."xid" = (select t."xid" from moving_txs t where t."idFile" in ${files} order by t."xid" limit 1)`)
  const others = sql`h."id" > ${first?.id ?? 0} and h."idUser" is not null and not exists (select from moving_txs t where t."xid" = h."xid")`
  for (const { path } of paths) {
    const entity = entityAt(path) as Entity
    // `made` is materialized: the planner must go from the made records to their history, not the other way round.
    const made = (which: Sql) => sql`with made as materialized (
        select distinct m."idEntity" from moving_made m where m."idFile" in ${files} and m."path" = ${path} ${which})`
    const worked = await db.one<{ count: number; id: number }>(sql`${made(raw(''))}
      select count(*)::int as count, min(m."idEntity")::int as id from made m where exists (select from history h where h."path" = ${path}
          and h."idEntity" = m."idEntity" and ${others})
        or exists (select from history h where h."pathAbout" = ${path} and h."idAbout" = m."idEntity" and ${others})`)
    if (worked?.count)
      holds.push({
        words: counted(worked.count, hangingWords({ entity, field: '', several: false }, {})),
        link: await linkOf(db, registry, entity, worked.id),
      })
    for (const pointing of pointingAt(
      entity,
      registry.definitions.map((one) => one.entity),
    )) {
      const { entity: other, field, several } = pointing
      const fate = fateOf(pointing)
      if (fate === 'goes' || other.derived || other.within === field || other.path === 'ledger/accounts') continue
      const column = raw(`p."${field}"`)
      const ofMove = sql`exists (select from history h join moving_txs t on t."xid" = h."xid"
        where h."path" = ${other.path} and h."idEntity" = p."id" and h."action" = 'create')`
      // A reference that these files wrote into a record of before goes with them.
      const ofFiles = sql`exists (select from moving_made c where c."path" = ${other.path} and c."idEntity" = p."id"
        and c."idFile" in ${files} and c."changes" ? ${field})`
      // A record that stays as it is without the other, and that no person created, is the program's own: a log, a mark.
      const ofNobody = sql`${fate === 'stays'}::boolean and not exists (select from history h where h."path" = ${other.path}
        and h."idEntity" = p."id" and h."action" = 'create' and h."idUser" is not null)`
      const found = await db.one<{ count: number; id: number }>(sql`${made(raw('and m."changes" is null'))}
        select count(*)::int as count, min(p."id")::int as id from made m join ${raw(`"${other.table}"`)} p
          on ${several ? sql`m."idEntity" = any (${column})` : sql`${column} = m."idEntity"`}
        where ${other.soft ? raw('not p."deleted" and') : raw('')} not ${ofMove} and not ${ofFiles} and not (${ofNobody})`)
      if (found?.count)
        holds.push({
          words: counted(found.count, hangingWords(pointing, {})),
          link: await linkOf(db, registry, other, found.id),
        })
    }
  }
  const spent = await db.one<{ id: number | null }>(sql`with made as materialized (
      select "idEntity" from moving_made where "idFile" in ${files} and "path" = ${LEDGER})
    select min(q.id)::int as id from (
      select c."idCustomer" as id from made m join ledger_allocations a on a."idTx" = m."idEntity"
        join ledger_entries e on e."idTx" = m."idEntity" join ledger_accounts c on c."id" = e."idAccount" and c."kind" <> 'opening'
      union all select coalesce(c."idCustomer", 0) from made m join ledger_entries e on e."idTx" = m."idEntity"
        join ledger_accounts c on c."id" = e."idAccount" and c."kind" <> 'opening'
        where exists (select from ledger_entries l join ledger_txs k on k."id" = l."idTx" and k."kind" <> 'opening'
          where l."idAccount" = e."idAccount" and l."idTx" <> e."idTx" and k."reverses" is null
            and not exists (select from ledger_txs r where r."reverses" = k."id"))) q`)
  if (spent && spent.id !== null)
    holds.push({
      words: 'движения по счетам пациентов',
      link: spent.id ? await linkOf(db, registry, entityAt('customers') as Entity, spent.id) : null,
    })
  holds.push(...(await laterFiles(db, registry, files)))
  if (holds.length === 0) return
  const words = [...new Map(holds.map((one) => [one.words, one])).values()]
  const message = `С загруженным уже работали: ${words.map((one) => one.words).join(', ')}. Сначала отмените это`
  throw new HttpError(409, message, { code: 'worked', body: { code: 'worked', message, holds: words } })
}

/** Later loaded files that changed records of these files, refer to them, or posted their money. */
async function laterFiles(db: Queryable, registry: Registry, files: Sql): Promise<Hold[]> {
  const paths = await db.query<{ own: string; other: string }>(sql`
    select m."path" as own, o."path" as other from (select distinct "path" from moving_made where "idFile" in ${files} and "path" <> ${LEDGER}) m
      cross join (select distinct "path" from moving_made where "idFile" not in ${files}) o`)
  const found = new Map<number, Hold>()
  for (const { own, other } of paths) {
    const entity = registry.definitions.find((one) => one.entity.path === other)?.entity
    const fields = entity ? pointingAt(entityAt(own) as Entity, [entity]).filter(({ several }) => !several) : []
    // Each way is a join by indexes: a condition over pairs of records of two files would take hours.
    const made = sql`join moving_made m on m."path" = ${own} and m."idFile" in ${files}`
    const joins = [
      ...(own === other ? [sql`${made} and m."idEntity" = o."idEntity" and m."id" < o."id"`] : []),
      ...fields.map(
        ({ field }) =>
          sql`join ${raw(`"${entity?.table}"`)} p on p."id" = o."idEntity" ${made} and m."idEntity" = p.${raw(`"${field}"`)} and m."changes" is null`,
      ),
      ...(own === Customer.path && other === LEDGER
        ? [
            sql`join ledger_entries e on e."idTx" = o."idEntity" join ledger_accounts c on c."id" = e."idAccount"
              ${made} and m."idEntity" = c."idCustomer" and m."changes" is null`,
          ]
        : []),
    ]
    if (joins.length === 0) continue
    const of = joins.map(
      (one) =>
        sql`select o."idFile" from moving_made o ${one} where o."path" = ${other} and o."idFile" not in ${files}`,
    )
    const rows = await db.query<{ id: number; idMove: number; name: string }>(sql`
      select f."id"::int as id, f."idMove"::int as "idMove", f."fileName" as name from moving_files f
      where not f."deleted" and f."state" in ('done', 'running', 'stopped') and f."id" in (${join(of, ' union ')})`)
    for (const { id, idMove, name } of rows)
      found.set(id, { words: `файл «${name}», загруженный поверх`, link: `/moving?move=${idMove}&file=${id}` })
  }
  return [...found.values()]
}

/** Where a record opens; null where it has no page. */
async function linkOf(db: Queryable, registry: Registry, entity: Entity, id: number): Promise<string | null> {
  const { found } = registry.definitions.find((one) => one.entity.path === entity.path) ?? {}
  if (!found) return null
  const opens = found.opens({ row: raw('x'), me: raw('0'), holds: () => true, visible: () => sql`true` })
  const row = await db.one<{ link: string | null }>(
    sql`select (${opens})::text as link from ${raw(`"${entity.table}"`)} x where x."id" = ${id}`,
  )
  return row?.link ?? null
}

/**
 * Takes files back, one after another; run again, it goes on where it stopped.
 * @param ids in the order in which they are taken back
 * @returns those that are left after a slice of time
 */
export async function revertFiles(
  app: AppContext,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<readonly number[]> {
  const until = Date.now() + SLICE_MS
  for (const [at, id] of ids.entries()) {
    const begun = await fileOf(app.db, id)
    if (begun?.state !== 'reverting') continue
    if ((await countTry(app.db, id, 'reverting')) > MAX_TRIES) {
      await stopFile(app, begun)
      // The files after it are as they were: their revert has not begun.
      for (const later of ids.slice(at + 1)) await putFile(app, { id: later, idUser: begun.idUser }, { state: 'done' })
      return []
    }
    for (;;) {
      if (signal.aborted) throw new Error('the server stops')
      if (Date.now() > until) return ids.slice(at)
      const file = await fileOf(app.db, id)
      if (file?.state !== 'reverting') break
      const engine = app.engine.for({ ...systemActor, id: file.idUser })
      try {
        if (!(await engine.tx((records, tx) => takeBack(records, tx, id)))) break
      } catch (error) {
        // Records that are in use meanwhile stay, and so does all that was made before it.
        if (!(error instanceof HttpError) || error.status >= 500) throw error
        await engine.asSystem.update(MoveFile, id, {
          state: 'done',
          message: `Отмена остановилась: ${error.message}`.slice(0, 1000),
        })
        return []
      }
    }
  }
  return []
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
    if (!first.changes) await removeDerived(tx, entity, ids)
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
  // The revert itself is no work on records of the other files.
  await tx.query(
    sql`insert into moving_txs ("idFile", "xid") values (${idFile}, pg_current_xact_id()) on conflict do nothing`,
  )
  await noteProgress(tx, idFile)
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

/** With its parts, which no other user has changed. */
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

/** Deletes rows that the program computed from records that are taken back: they have no history and no trash. */
async function removeDerived(tx: Tx, entity: Entity, ids: readonly number[]): Promise<void> {
  for (const { entity: other, field } of pointingAt(entity, entities))
    if (other.derived)
      await tx.query(sql`delete from ${raw(`"${other.table}"`)} where ${raw(`"${field}"`)} = any (${ids}::bigint[])`)
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
