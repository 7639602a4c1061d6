/** Work on one file of a move: it is read, rehearsed and taken in, portion by portion, each in a transaction of its own. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { Move, MoveFile, type MoveFileState, type MoveTwins } from '@ordinator/model/areas/moving/move'
import { MAX_MOVE_ROWS, type MoveTableKey } from '@ordinator/model/areas/moving/tables'
import { entityAt } from '@ordinator/model/entities'
import type { Row } from '@ordinator/model/entity'
import { dayIn } from '@ordinator/model/zone'
import sql, { join, raw } from 'sql-template-tag'
import { type Cells, guessMapping, readTable } from '#areas/imports/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { actorOfUser } from '#auth/index.ts'
import type { Db, Queryable, Tx } from '#platform/db.ts'
import { type FieldError, fromPgError, HttpError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { forgetArchive, tableOfArchive } from './archive.ts'
import { type HeadColumn, knownProfiles, matchColumns } from './matching.ts'
import { type Group, KEY, type MovingContext, type MovingTable, type Said, type Work, type Written } from './table.ts'
import { movingTable } from './tables/index.ts'

/** Milliseconds after which a job hands on to the next one. */
const SLICE_MS = 60_000
/** Rows written in one statement while a file is read. */
const STAGED = 5_000
/** Records checked between two yields to the event loop. */
const BREATH = 100
const SAMPLES = 3
const SAMPLE_LENGTH = 80
const MAX_CELL = 4_000

export interface FileRow {
  id: number
  idMove: number
  table: MoveTableKey
  fileName: string
  state: MoveFileState
  key: string | null
  head: HeadColumn[] | null
  mapping: Record<string, number> | null
  twins: MoveTwins
  total: number
  done: number
  idUser: number
}

/** SQL of files `f` with what is stored of them. */
export const filesSql = sql`select f.*, s."key" from moving_files f left join moving_stored s on s."idFile" = f."id"`

export const fileOf = (db: Queryable, id: number): Promise<FileRow | undefined> =>
  db.one<FileRow>(sql`${filesSql} where f."id" = ${id} and not f."deleted"`)

/** Ids of programs that clinics name are common to all moves; of an unnamed one they are the move's own. */
export const sourceOf = ({ id, program }: { id: number; program: string }): string =>
  program === 'other' ? `other:${id}` : program

/** Runs a step of a file; what a person must mend stands in the file, what passes by itself is repeated. */
export async function step(
  app: AppContext,
  id: number,
  state: MoveFileState,
  run: (file: FileRow) => Promise<void>,
): Promise<void> {
  const file = await fileOf(app.db, id)
  if (file?.state !== state) return
  try {
    await run(file)
  } catch (error) {
    const known = error instanceof HttpError ? error : fromPgError(error)
    if (!known || known.status >= 500 || known.code === 'retry' || known.code === 'locked') throw error
    const message = (known as { items?: { message: string }[] }).items?.[0]?.message ?? known.message
    const after = { reading: 'failed', checking: 'ready', running: 'done' }[state as string] ?? state
    await putFile(app, file, { state: after, message: message.slice(0, 1000) })
  }
}

export const putFile = (app: AppContext, { id, idUser }: { id: number; idUser: number }, values: object) =>
  app.engine.for({ ...systemActor, id: idUser }).asSystem.update(MoveFile, id, values as never)

/** Reads the table and keeps its rows, so that no later step reads the file again. */
export async function readFile(app: AppContext, file: FileRow): Promise<void> {
  const table = movingTable(app, file.table)
  const key = file.key as string
  const isArchive = file.table === 'files'
  let name = file.fileName
  let bytes: Buffer | undefined
  if (isArchive) {
    const found = await tableOfArchive(app.files, key)
    name = found.name
    bytes = found.bytes
  }
  const content = await readTable(
    async () => (bytes ? Readable.from([bytes], { objectMode: false }) : app.files.get(key)),
    file.idUser,
    {
      maxRows: MAX_MOVE_ROWS,
      knownHeads: (line) => Object.keys(guessMapping(table.columns, line)).length,
      fileName: name,
    },
  )
  const head = content.head.map(
    (title, at): HeadColumn => ({
      name: title,
      samples: content.table
        .slice(0, 200)
        .map(({ cells }) => (cells[at] ?? '').trim().slice(0, SAMPLE_LENGTH))
        .filter(Boolean)
        .slice(0, SAMPLES),
    }),
  )
  await app.db.query(sql`delete from moving_rows where "idFile" = ${file.id}`)
  for (let at = 0; at < content.table.length; at += STAGED) {
    const part = content.table.slice(at, at + STAGED)
    const rows = part.map(({ row, cells }, i) => ({
      row,
      place: at + i + 1,
      cells: cells.map((cell) => cell.trim().slice(0, MAX_CELL)),
    }))
    await app.db.query(sql`insert into moving_rows ("idFile", "row", "place", "cells")
      select ${file.id}, r."row", r.place, r.cells
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("row" integer, place integer, cells jsonb)`)
  }
  // The steps that follow come before autovacuum: without statistics their joins would go row by row.
  await app.db.query(sql`analyze moving_rows`)
  const move = await moveOf(app, file.idMove)
  const profiles = await knownProfiles(app.db)
  const profile = profiles.find(
    ({ program, columns }) => program === move.program && program !== 'other' && columns[file.table],
  )
  await putFile(app, file, {
    state: 'ready',
    total: content.table.length,
    done: 0,
    head,
    reading: content.reading,
    mapping: matchColumns(file.table, table.columns, head, profile?.columns),
    message: null,
  })
  if (!isArchive) {
    await app.files.remove(key)
    await app.db.query(sql`delete from moving_stored where "idFile" = ${file.id}`)
  }
}

const moveOf = async (app: AppContext, id: number): Promise<Row<typeof Move>> =>
  app.engine.for(systemActor).asSystem.row(Move, id)

/** Names each row's record and puts the rows of one record together. */
async function placeRows(db: Db, table: MovingTable, file: FileRow): Promise<void> {
  const mapping = file.mapping ?? {}
  const cell = (at: number | undefined) =>
    at === undefined ? raw('null') : sql`nullif(btrim(r."cells"->>${raw(String(at))}), '')`
  const natural = table.natural.flatMap((name) => (mapping[name] === undefined ? [] : [cell(mapping[name])]))
  const named = natural.length > 0 ? sql`nullif(lower(concat_ws('|', ${join(natural)})), '')` : raw('null')
  const key = sql`left(coalesce(${cell(mapping[KEY])}, ${named}), 300)`
  await db.query(sql`update moving_rows r set "key" = ${key}, "fate" = null, "notes" = null, "sums" = null, "unknown" = null
    where r."idFile" = ${file.id}`)
  if (!table.grouped) return
  const several = await db.one(sql`select 1 from moving_rows where "idFile" = ${file.id} and "key" is not null
    group by "key" having count(*) > 1 limit 1`)
  if (!several) return
  await db.tx(async (tx) => {
    // As one join: row by row, a large table would take hours.
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

/** Goes through the rows that are not done yet. `isRehearsal`: nothing is written of them. */
export async function workOn(app: AppContext, file: FileRow, isRehearsal: boolean, signal: AbortSignal): Promise<void> {
  const table = movingTable(app, file.table)
  const job = isRehearsal ? 'moving.rehearse' : 'moving.run'
  const state = isRehearsal ? 'checking' : 'running'
  if (file.done === 0 && isRehearsal) await placeRows(app.db, table, file)
  const until = Date.now() + SLICE_MS
  for (;;) {
    if (signal.aborted) throw new Error('the server stops')
    if (Date.now() > until) return void (await app.jobs.send(job, { id: file.id }))
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
    if (rows.length > 0) {
      const context = await contextOf(app, records, tx, file, isRehearsal)
      const groups = await groupsOf(context, table, rows)
      const found = await workPortion(context, table, groups)
      await noteRows(tx, idFile, found)
      if (!isRehearsal)
        await tx.query(sql`insert into moving_txs ("idFile", "xid") values (${idFile}, pg_current_xact_id())`)
    }
    const done = file.done + rows.length
    const ended = done >= file.total
    if (ended) await countUnknown(tx, idFile)
    const system = records.asSystem
    await system.update(MoveFile, idFile, {
      done,
      ...(ended && {
        ...(await countsOf(tx, idFile)),
        state: isRehearsal ? 'checked' : 'done',
        [isRehearsal ? 'dateChecked' : 'dateEnd']: new Date().toISOString(),
        message: null,
      }),
    } as never)
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

export async function contextOf(
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
    file: { id: file.id, fileName: file.fileName, table: file.table, twins: file.twins, key: file.key },
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
  const { mapping } = (await tx.one<{ mapping: Record<string, number> | null }>(
    sql`select "mapping" from moving_files where "id" = ${file.id}`,
  )) ?? { mapping: {} }
  const places = Object.entries(mapping ?? {})
  const keys = rows.flatMap(({ key }) => key ?? [])
  const external =
    await tx.query<External>(sql`select "externalId", "idEntity"::int as "idEntity", "file", "here" from external_ids
    where "source" = ${source} and "path" = ${table.path} and "externalId" = any (${keys}::text[])`)
  const known = new Map(
    external.map(({ externalId, idEntity, file: said, here }) => [externalId, { id: idEntity, file: said, here }]),
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

export type Fate = 'new' | 'changed' | 'same' | 'both' | 'wrong'

interface Result {
  group: Group
  fate: Fate
  errors: FieldError[]
  notes: FieldError[]
  isTwin: boolean
  said: Said<unknown>
}

/** Decides what each record of a portion is, and writes it unless this is a rehearsal. */
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
    const said = opened.check(group)
    const result: Result = {
      group,
      fate: 'new',
      errors: said.errors,
      notes: said.notes,
      isTwin: said.isTwin ?? false,
      said,
    }
    results.push(result)
    const first = group.key === null ? undefined : twice.get(group.key)
    if (first !== undefined && first !== group.rows[0]?.row) {
      result.fate = 'wrong'
      result.errors = [{ field: KEY, message: `Тот же код, что в строке ${first}` }]
      continue
    }
    if (said.values === undefined) {
      result.fate = 'wrong'
      continue
    }
    const work = { said: said.values, group, key: group.key ?? '' }
    if (!group.known) {
      fresh.push({ work, result })
      continue
    }
    const { fate, fields, notes } = compared(table, group.known, said.body ?? {}, now.get(group.known.id))
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
          file: keptOf(table, result.said.body ?? {}, work.group.known, work.fields),
          fields: Object.keys(work.fields ?? result.said.body ?? {}),
        })
    }
  }
  note(fresh, await opened.create(fresh.map(({ work }) => work)))
  note(changed, await opened.change(changed.map(({ work }) => work)))
  await noteChanged(tx, file.id, made)
  await noteMade(tx, file.id, made)
  await keepKeys(context, table, keys)
  return results
}

/** The first row of each key in the file, where rows are no group. */
async function earlierRows(
  { tx, file }: MovingContext,
  table: MovingTable,
  groups: readonly Group[],
): Promise<Map<string, number>> {
  if (table.grouped) return new Map()
  const keys = groups.flatMap(({ key }) => key ?? [])
  const found = await tx.query<{ key: string; row: number }>(sql`select "key", min("row") as row from moving_rows
    where "idFile" = ${file.id} and "key" = any (${keys}::text[]) group by 1 having count(*) > 1`)
  return new Map(found.map(({ key, row }) => [key, row]))
}

/** The records of known keys as they stand; those that were deleted here are missing. */
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

const hashOf = (body: unknown): string => createHash('sha1').update(JSON.stringify(body)).digest('base64').slice(0, 20)

/** One spelling of values of a file and of the base. */
const plainValue = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  const [, day, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text) ?? []
  if (year) return `${year}-${month}-${day}`
  return /^-?\d+\.\d+$/.test(text) ? String(Number(text)) : text
}
const isSame = (a: unknown, b: unknown): boolean => plainValue(a) === plainValue(b)

/** What has changed of a known record: there, here, or on both sides. `fields`: what of the file is to be written. */
export function compared(
  table: Pick<MovingTable, 'compare'>,
  known: { file: Record<string, unknown> | null; here: Record<string, unknown> | null },
  body: Record<string, unknown>,
  now: Record<string, unknown> | undefined,
): { fate: Fate; fields?: Record<string, unknown>; notes: FieldError[] } {
  const file = known.file ?? {}
  if (table.compare === 'sum')
    return {
      fate: Object.keys(body).some((field) => !isSame(body[field], file[field])) ? 'changed' : 'same',
      notes: [],
    }
  if (table.compare === 'whole') {
    if (file.hash === hashOf(body)) return { fate: 'same', notes: [] }
    if (now && isSame(now._version, known.here?._version)) return { fate: 'changed', notes: [] }
    return {
      fate: 'both',
      notes: [
        {
          field: '',
          message: now
            ? 'Изменено и там, и здесь: осталось, как здесь'
            : 'Здесь удалено, а там изменено: не загружается',
        },
      ],
    }
  }
  const there = Object.keys(body).filter((field) => !isSame(body[field], file[field]))
  if (there.length === 0) return { fate: 'same', notes: [] }
  if (!now)
    return {
      fate: 'both',
      fields: {},
      notes: [{ field: '', message: 'Здесь удалено, а там изменено: не загружается' }],
    }
  const fields: Record<string, unknown> = {}
  const notes: FieldError[] = []
  for (const field of there) {
    if (isSame(now[field], body[field])) continue
    if (isSame(now[field], known.here?.[field])) fields[field] = body[field]
    else
      notes.push({
        field,
        message: `Изменено и там («${plainValue(body[field]).slice(0, 80) || 'пусто'}»), и здесь («${plainValue(now[field]).slice(0, 80) || 'пусто'}»): осталось, как здесь`,
      })
  }
  if (notes.length > 0) return { fate: 'both', fields, notes }
  return Object.keys(fields).length > 0 ? { fate: 'changed', fields, notes } : { fate: 'same', notes }
}

/** What is kept of what the file says: of a field that stayed as it is here, what it said before. */
function keptOf(
  table: MovingTable,
  body: Record<string, unknown>,
  known: Group['known'],
  fields: Record<string, unknown> | undefined,
): Record<string, unknown> {
  if (table.compare === 'whole') return { hash: hashOf(body) }
  if (table.compare === 'sum' || !known || !fields) return body
  return { ...known.file, ...Object.fromEntries(Object.keys(fields).map((field) => [field, body[field]])) }
}

async function keepKeys(
  { tx, source, file }: MovingContext,
  table: MovingTable,
  keys: readonly { key: string; id: number; file: unknown; fields: string[] }[],
): Promise<void> {
  if (keys.length === 0) return
  const entity = entityAt(table.path)
  const given = keys.map(({ key, id, file: said, fields }) => ({ key, id, file: said, fields }))
  const list = sql`jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g(key text, id bigint, file jsonb, fields jsonb)`
  await tx.query(sql`insert into moving_keys ("idFile", "path", "externalId", "before")
    select ${file.id}, ${table.path}, g.key, case when e."externalId" is not null then
        jsonb_build_object('idEntity', e."idEntity", 'file', e."file", 'here', e."here") end
    from ${list} left join external_ids e on e."source" = ${source} and e."path" = ${table.path} and e."externalId" = g.key`)
  const here =
    !entity || table.compare === 'sum'
      ? sql`null::jsonb`
      : table.compare === 'whole'
        ? sql`jsonb_build_object('_version', (select x."_version" from ${raw(`"${entity.table}"`)} x where x."id" = g.id))`
        : sql`(select jsonb_object_agg(f.name, to_jsonb(x)->f.name) from ${raw(`"${entity.table}"`)} x
          cross join jsonb_array_elements_text(g.fields) f(name) where x."id" = g.id)`
  await tx.query(sql`insert into external_ids ("source", "path", "externalId", "idEntity", "file", "here")
    select distinct on (g.key) ${source}, ${table.path}, g.key, g.id, g.file, ${here} from ${list}
    on conflict ("source", "path", "externalId") do update set "idEntity" = excluded."idEntity", "file" = excluded."file",
      "here" = coalesce(external_ids."here", '{}') || coalesce(excluded."here", '{}')`)
}

async function noteMade(
  tx: Tx,
  idFile: number,
  made: readonly { row: number; path: string; id: number }[],
): Promise<void> {
  if (made.length === 0) return
  // Records of one entity stand together, so that a revert takes them in one statement.
  const paths = [...new Set(made.map(({ path }) => path))]
  const sorted = made.toSorted((a, b) => paths.indexOf(a.path) - paths.indexOf(b.path))
  await tx.query(sql`insert into moving_made ("idFile", "row", "path", "idEntity")
    select ${idFile}, m."row", m.path, m.id from rows from (jsonb_to_recordset(${JSON.stringify(sorted)}::jsonb)
      as ("row" integer, path text, id bigint)) with ordinality m order by m.ordinality`)
}

/** Entities whose former values are given back by a revert. */
export const CHANGED = [
  'customers',
  'users',
  'services',
  'service-performers',
  'customers/relations',
  'customers/policies',
  'customers/past-visits',
  'customer-plans',
] as const

/** What this portion has changed in records of before, as its history tells. */
async function noteChanged(tx: Tx, idFile: number, made: readonly { path: string; id: number }[]): Promise<void> {
  const own = new Set(made.map(({ path, id }) => `${path} ${id}`))
  const rows = await tx.query<{ path: string; idEntity: number; changes: unknown }>(sql`
    select h."path", h."idEntity"::int as "idEntity", h."changes" from history h
    where h."xid" = pg_current_xact_id() and h."action" = 'update' and h."path" = any (${[...CHANGED]}::text[]) order by h."id"`)
  const changed = rows.filter(({ path, idEntity }) => !own.has(`${path} ${idEntity}`))
  if (changed.length === 0) return
  await tx.query(sql`insert into moving_made ("idFile", "row", "path", "idEntity", "changes")
    select ${idFile}, 0, m.path, m."idEntity", m.changes from rows from (jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
      as (path text, "idEntity" bigint, changes jsonb)) with ordinality m order by m.ordinality`)
}

/** Keeps what is known of the rows now: their fate, what is told of them, and their sums. Mostly it is as rehearsed. */
async function noteRows(tx: Tx, idFile: number, results: readonly Result[]): Promise<void> {
  const given = results.flatMap(({ group, fate, errors, notes, isTwin, said }) =>
    group.rows.map(({ row }, at) => {
      const told = [
        ...(at === 0
          ? errors.map((one) => ({ ...one, error: true }))
          : fate === 'wrong'
            ? [{ field: '', message: `Вместе со строкой ${group.rows[0]?.row}`, error: true }]
            : []),
        ...(at === 0 ? notes.map((one) => ({ ...one, error: false })) : []),
      ]
      return {
        row,
        fate: fate === 'new' && isTwin ? 'twin' : fate,
        notes: told.length > 0 ? told : null,
        sums: at === 0 && said.sums?.length ? said.sums : null,
        unknown: at === 0 && said.unknown?.length ? said.unknown : null,
      }
    }),
  )
  await tx.query(sql`update moving_rows r set "fate" = g.fate, "notes" = g.notes, "sums" = g.sums, "unknown" = g.unknown
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g("row" integer, fate text, notes jsonb, sums jsonb, unknown jsonb)
    where r."idFile" = ${idFile} and r."row" = g."row"
      and (r."fate", r."notes", r."sums", r."unknown") is distinct from (g.fate, g.notes, g.sums, g.unknown)`)
}

/** Keeps which names of the file nobody here bears, for the page of the plan. */
async function countUnknown(tx: Tx, idFile: number): Promise<void> {
  await tx.query(sql`delete from moving_unknown where "idFile" = ${idFile}`)
  await tx.query(sql`insert into moving_unknown ("idFile", "kind", "name", "rows")
    select ${idFile}::bigint, u.kind, u.name, count(*) from moving_rows r
      cross join jsonb_to_recordset(r."unknown") as u(kind text, name text)
    where r."idFile" = ${idFile} and r."unknown" is not null group by 2, 3`)
}

const countsOf = async (tx: Tx, idFile: number) =>
  (await tx.one<Record<string, number>>(sql`select
      count(*) filter (where "fate" in ('new', 'twin'))::int as created,
      count(*) filter (where "fate" = 'changed')::int as updated,
      count(*) filter (where "fate" = 'same')::int as same,
      count(*) filter (where "fate" <> 'wrong' and "notes" is not null)::int as doubted,
      count(*) filter (where "fate" = 'twin')::int as twin,
      count(*) filter (where "fate" = 'both')::int as both,
      count(*) filter (where "fate" = 'wrong')::int as wrong
    from moving_rows where "idFile" = ${idFile}`)) ?? {}
