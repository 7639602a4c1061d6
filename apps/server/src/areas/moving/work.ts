/** Rehearses and loads one file of a move, portion by portion, each in a transaction. */
import { setImmediate } from 'node:timers/promises'
import { Move, MoveFile, type MoveFileState } from '@ordinator/model/areas/moving/move'
import { entityAt } from '@ordinator/model/entities'
import { dayIn } from '@ordinator/model/zone'
import sql, { join, raw } from 'sql-template-tag'
import type { Cells } from '#areas/imports/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { actorOfUser } from '#auth/index.ts'
import type { Db, Tx } from '#platform/db.ts'
import { fromPgError, HttpError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { forgetArchive } from './archive.ts'
import { compared, keptOf } from './compare.ts'
import { type FileRow, fileOf, filesSql, putFile, sourceOf } from './file.ts'
import { countsOf, countUnknown, keepKeys, noteChanged, noteMade, noteRows, type Result } from './outcome.ts'
import { signNames } from './persons.ts'
import { PATIENT } from './refs.ts'
import { makeStrangers, Strangers } from './strangers.ts'
import { type Group, KEY, type MovingContext, type MovingTable, type Work, type Written } from './table.ts'
import { movingTable } from './tables/index.ts'
import { countTry, Interrupted, MAX_TRIES, noteProgress, stopFile } from './tries.ts'

/** Milliseconds after which a job hands on to the next one. */
const SLICE_MS = 60_000
/** Records checked between two yields to the event loop. */
const BREATH = 100

/**
 * Runs a step of a file. An error of the data ends it with a message; any other is thrown, so that the job is repeated,
 * and after MAX_TRIES without progress the file stops: `resume` goes on from there. A run that died counts too.
 */
export async function step(
  app: AppContext,
  id: number,
  state: MoveFileState,
  run: (file: FileRow) => Promise<unknown>,
): Promise<unknown> {
  const file = await fileOf(app.db, id)
  if (file?.state !== state) return
  const tries = await countTry(app.db, id, state)
  if (tries > MAX_TRIES) return void (await stopFile(app, file))
  try {
    return await run(file)
  } catch (error) {
    if (error instanceof Interrupted) {
      await app.db.query(sql`update moving_tries set "tries" = "tries" - 1 where "idFile" = ${id}`)
      throw error
    }
    const known = error instanceof HttpError ? error : fromPgError(error)
    if (!known || known.status >= 500 || known.code === 'retry' || known.code === 'locked') {
      if (tries >= MAX_TRIES) {
        app.log.error({ err: error, id }, 'a file of a move stopped')
        return void (await stopFile(app, file))
      }
      throw error
    }
    const message = (known as { items?: { message: string }[] }).items?.[0]?.message ?? known.message
    const after = { reading: 'failed', checking: 'ready', running: 'done' }[state as string] ?? state
    await putFile(app, file, { state: after, message: message.slice(0, 1000) })
  }
}

/** Names each row's record and puts the rows of one record together. */
async function placeRows(db: Db, table: MovingTable, file: FileRow): Promise<void> {
  const mapping = file.mapping ?? {}
  const cell = (at: number | undefined) =>
    at === undefined ? raw('null') : sql`nullif(btrim(r."cells"->>${raw(String(at))}), '')`
  // Signs of the patient name a row only without the patient's code: keys of former files stay as they were.
  const naming = table.natural.filter((name) => mapping[PATIENT] === undefined || !signNames.includes(name))
  const natural = naming.flatMap((name) => (mapping[name] === undefined ? [] : [cell(mapping[name])]))
  const named = natural.length > 0 ? sql`nullif(lower(concat_ws('|', ${join(natural)})), '')` : raw('null')
  const key = sql`left(coalesce(${cell(mapping[KEY])}, ${named}), 300)`
  await db.tx(async (tx) => {
    // One statement over the whole file: it may take longer than statements of requests may.
    await tx.query(sql`set local statement_timeout = 0`)
    await tx.query(sql`update moving_rows r set "key" = ${key}, "fate" = null, "notes" = null, "sums" = null, "unknown" = null
      where r."idFile" = ${file.id}`)
  })
  if (!table.grouped) return
  const several = await db.one(sql`select 1 from moving_rows where "idFile" = ${file.id} and "key" is not null
    group by "key" having count(*) > 1 limit 1`)
  if (!several) return
  await db.tx(async (tx) => {
    // As one join: row by row, a large table would take hours.
    await tx.query(sql`set local statement_timeout = 0`)
    await tx.query(sql`set local enable_nestloop = off`)
    await tx.query(sql`update moving_rows r set "place" = p.place from (
        select s."row", row_number() over (order by s.first, s."row")::int as place
        from (select "row", min("row") over (partition by coalesce("key", "row"::text)) as first from moving_rows
          where "idFile" = ${file.id}) s) p
      where r."idFile" = ${file.id} and r."row" = p."row" and r."place" <> p.place`)
  })
}

interface Staged {
  row: number
  place: number
  cells: string[]
  key: string | null
}

/**
 * Goes through the rows that are not done yet.
 * @param isRehearsal nothing is written of them
 * @returns `more` after a slice of time
 */
export async function workOn(
  app: AppContext,
  file: FileRow,
  isRehearsal: boolean,
  signal: AbortSignal,
): Promise<unknown> {
  const table = movingTable(app, file.table)
  const state = isRehearsal ? 'checking' : 'running'
  if (file.done === 0 && isRehearsal) await placeRows(app.db, table, file)
  const until = Date.now() + SLICE_MS
  for (;;) {
    if (signal.aborted) throw new Interrupted('the server stops')
    if (Date.now() > until) return 'more'
    if (!(await takePortion(app, table, file.id, state, isRehearsal))) break
  }
  forgetArchive()
}

/** @returns whether there is more to do */
async function takePortion(
  app: AppContext,
  table: MovingTable,
  idFile: number,
  state: MoveFileState,
  isRehearsal: boolean,
): Promise<boolean> {
  const { idUser } = (await fileOf(app.db, idFile)) ?? { idUser: 0 }
  const actor = await actorOfUser(app.db, idUser)
  if (!actor) throw new HttpError(403, 'Учётная запись того, кто начал переезд, закрыта')
  return app.engine.for(actor).tx(async (records, tx) => {
    const file = await tx.one<FileRow>(sql`${filesSql} where f."id" = ${idFile} and not f."deleted" for update of f`)
    if (file?.state !== state) return false
    const rows = await portionOf(tx, table, file)
    const context = await contextOf(app, records, tx, file, isRehearsal)
    if (rows.length > 0) {
      const groups = await groupsOf(context, table, rows)
      const found = await workPortion(context, table, groups)
      await noteRows(tx, idFile, found)
      if (!isRehearsal)
        await tx.query(sql`insert into moving_txs ("idFile", "xid") values (${idFile}, pg_current_xact_id())`)
    }
    await noteProgress(tx, idFile)
    const done = file.done + rows.length
    const ended = done >= file.total
    if (ended) {
      // Counts over the whole file.
      await tx.query(sql`set local statement_timeout = 0`)
      await countUnknown(tx, idFile)
    }
    const system = records.asSystem
    await system.update(MoveFile, idFile, {
      done,
      ...(ended && {
        ...(await countsOf(tx, idFile)),
        state: isRehearsal ? 'checked' : 'done',
        [isRehearsal ? 'dateChecked' : 'dateEnd']: new Date().toISOString(),
        message: (await table.ended?.(context)) ?? null,
      }),
    })
    return !ended
  })
}

/** The next rows, those of one record all together. */
async function portionOf(tx: Tx, table: MovingTable, file: FileRow): Promise<Staged[]> {
  const rows = await tx.query<Staged>(sql`select "row", "place", "cells", "key" from moving_rows
    where "idFile" = ${file.id} and "place" > ${file.done} order by "place" limit ${table.portion}`)
  const last = rows.at(-1)
  if (!table.grouped || !last || last.key === null || rows.length < table.portion) return rows
  const more = await tx.query<Staged>(sql`select "row", "place", "cells", "key" from moving_rows
    where "idFile" = ${file.id} and "key" = ${last.key} and "place" > ${last.place} order by "place"`)
  return [...rows, ...more]
}

async function contextOf(
  app: AppContext,
  records: Records,
  tx: Tx,
  file: FileRow,
  isRehearsal: boolean,
): Promise<MovingContext> {
  const move = await records.asSystem.row(Move, file.idMove)
  const zone =
    (
      await tx.one<{ zone: string | null }>(
        sql`select nullif("timeZone", '') as zone from filials where "id" = ${move.idFilial}`,
      )
    )?.zone ?? (await readCommonSettings(tx)).timeZone
  return {
    app,
    records,
    tx,
    move,
    source: sourceOf(move),
    program: move.program,
    file: {
      id: file.id,
      fileName: file.fileName,
      table: file.table,
      twins: file.twins,
      strangers: file.strangers,
      clashes: file.clashes,
      key: file.key,
      mapping: file.mapping ?? {},
    },
    strangers: new Strangers(),
    isRehearsal,
    day: dayIn(zone, Date.now()),
    zone,
  }
}

interface External {
  externalId: string
  idEntity: number
  file: Record<string, unknown> | null
  here: Record<string, unknown> | null
}

async function groupsOf(
  { tx, source, file }: MovingContext,
  table: MovingTable,
  rows: readonly Staged[],
): Promise<Group[]> {
  const places = Object.entries(file.mapping)
  const keys = rows.flatMap(({ key }) => key ?? [])
  const external =
    await tx.query<External>(sql`select "externalId", "idEntity"::int as "idEntity", "file", "here" from external_ids
    where "source" = ${source} and "path" = ${table.path} and "externalId" = any (${keys}::text[])`)
  const known = new Map(
    external.map(({ externalId, idEntity, file: stored, here }) => [externalId, { id: idEntity, file: stored, here }]),
  )
  const groups: (Group & { rows: { row: number; cells: Cells }[] })[] = []
  for (const { row, cells, key } of rows) {
    const one = { row, cells: Object.fromEntries(places.map(([name, at]) => [name, cells[at] ?? ''])) satisfies Cells }
    const before = groups.at(-1)
    if (table.grouped && key !== null && before?.key === key) before.rows.push(one)
    else {
      const there = key === null ? undefined : known.get(key)
      groups.push({ key, rows: [one], ...(there && { known: there }) })
    }
  }
  return groups
}

/** Decides the fate of each record of a portion, and writes it unless this is a rehearsal. */
async function workPortion(context: MovingContext, table: MovingTable, groups: readonly Group[]): Promise<Result[]> {
  const { tx, isRehearsal, file } = context
  const twice = await earlierRows(context, table, groups)
  const now = await currentOf(tx, table, groups)
  const opened = await table.open(context, groups)
  const results: Result[] = []
  const fresh: { work: Work<unknown>; result: Result }[] = []
  const changed: { work: Work<unknown> & { fields?: Record<string, unknown> }; result: Result }[] = []
  for (const [at, group] of groups.entries()) {
    if (at % BREATH === 0) await setImmediate()
    const checked = opened.check(group)
    const result: Result = {
      group,
      fate: 'new',
      errors: checked.errors,
      notes: checked.notes,
      isDuplicate: checked.isDuplicate ?? false,
      checked,
    }
    results.push(result)
    const fullest = group.key === null ? undefined : twice.get(group.key)
    if (fullest !== undefined && fullest !== group.rows[0]?.row) {
      result.fate = 'same'
      result.notes = [{ field: KEY, message: `Тот же код, что в строке ${fullest}: та строка полнее, загружается она` }]
      result.errors = []
      result.checked = { ...checked, sums: [] }
      continue
    }
    if (checked.values === undefined) {
      result.fate = 'wrong'
      continue
    }
    const work = { values: checked.values, group, key: group.key ?? '' }
    if (!group.known) {
      fresh.push({ work, result })
      continue
    }
    const { fate, fields, notes } = compared(table, group.known, checked.body ?? {}, now.get(group.known.id))
    result.fate = fate
    result.notes = [...result.notes, ...notes]
    if (fate === 'changed' || (fate === 'both' && fields && Object.keys(fields).length > 0))
      changed.push({ work: { ...work, ...(fields && { fields }) }, result })
  }
  if (isRehearsal) return results
  const made: { row: number; path: string; id: number }[] = []
  const keys: { key: string; id: number; file: unknown; fields: string[] }[] = []
  const note = (
    all: readonly { work: Work<unknown> & { fields?: Record<string, unknown> }; result: Result }[],
    written: readonly Written[],
  ) => {
    for (const [at, { work, result }] of all.entries()) {
      const one = written[at]
      if (one?.errors) {
        result.fate = 'wrong'
        result.errors = [...one.errors]
      }
      const row = work.group.rows[0]?.row ?? 0
      for (const record of one?.made ?? []) made.push({ row, ...record })
      if (!one?.errors && one?.id !== undefined && work.group.key !== null)
        keys.push({
          key: work.group.key,
          id: one.id,
          file: keptOf(table, result.checked.body ?? {}, work.group.known, work.fields),
          fields: Object.keys(work.fields ?? result.checked.body ?? {}),
        })
    }
  }
  const cards = await makeStrangers(
    context,
    [...fresh, ...changed].map(({ work }) => work),
  )
  const refused = ({ work, result }: (typeof fresh)[number]) => {
    const errors = cards.refused.get(work)
    if (!errors) return true
    result.fate = 'wrong'
    result.errors = [...errors]
    return false
  }
  const [create, change] = [fresh.filter(refused), changed.filter(refused)]
  made.push(...cards.made.map((one) => ({ row: 0, ...one })))
  note(create, await opened.create(create.map(({ work }) => work)))
  note(change, await opened.change(change.map(({ work }) => work)))
  await noteChanged(tx, file.id, made)
  await noteMade(tx, file.id, made)
  await keepKeys(context, table, keys)
  return results
}

/** The fullest row of each repeated key of the file, the first of equals; none where rows of one key are a group. */
async function earlierRows(
  { tx, file }: MovingContext,
  table: MovingTable,
  groups: readonly Group[],
): Promise<Map<string, number>> {
  if (table.grouped) return new Map()
  const keys = groups.flatMap(({ key }) => key ?? [])
  const found = await tx.query<{ key: string; row: number }>(sql`select r."key",
      (array_agg(r."row" order by f.cells desc, r."row"))[1] as row from moving_rows r
      cross join lateral (select count(*) filter (where c.text <> '') as cells from jsonb_array_elements_text(r."cells") as c(text)) f
    where r."idFile" = ${file.id} and r."key" = any (${keys}::text[]) group by 1 having count(*) > 1`)
  return new Map(found.map(({ key, row }) => [key, row]))
}

/** The current records of known keys; those that were deleted here are missing. */
async function currentOf(
  tx: Tx,
  table: MovingTable,
  groups: readonly Group[],
): Promise<Map<number, Record<string, unknown>>> {
  const entity = entityAt(table.path)
  const ids = groups.flatMap(({ known }) => known?.id ?? [])
  if (!entity || ids.length === 0) return new Map()
  const rows = await tx.query<{
    id: number
    row: Record<string, unknown>
  }>(sql`select x."id"::int as id, to_jsonb(x) as row
    from ${raw(`"${entity.table}"`)} x where x."id" = any (${ids}::bigint[]) ${raw(entity.soft ? 'and not x."deleted"' : '')}`)
  return new Map(rows.map(({ id, row }) => [id, row]))
}
