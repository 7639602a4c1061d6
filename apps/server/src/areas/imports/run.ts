import { Import } from '@ordinator/model/areas/imports/import'
import type { ImportError } from '@ordinator/model/areas/imports/wire'
import sql from 'sql-template-tag'
import { actorOfUser } from '#auth/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { fromPgError, HttpError, ValidationError } from '#platform/errors.ts'
import { type ServerActor, systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { backgroundRun, RunStopped, type RunWork } from '#records/run.ts'
import {
  type AnyImporter,
  type Checked,
  checkRow,
  type ImportContext,
  importerOf,
  type Made,
  paramsOf,
} from './importer.ts'
import { mapped, readUpload } from './read.ts'
import { importUndos } from './revert.ts'
import { LOST_AFTER, SLICE_MS } from './slice.ts'
import { dropFile, type Upload } from './uploads.ts'

/** Rows per transaction; a stop waits for at most one such batch. */
const PORTION = 25
/** The same for an importer that writes many at once. */
const LARGE_PORTION = 500

interface RunState {
  state: string
  done: number
  created: number
  failed: number
}

/** An invalid row of an all-or-nothing import. */
class RowRefused extends Error {
  readonly errors: ImportError[]
  constructor(errors: ImportError[]) {
    super('row refused')
    this.errors = errors
  }
}

/**
 * Imports of files in batches, from where they stopped. The records of a batch and the progress are committed together,
 * so a crash neither loses nor duplicates a row. A repeat cannot read another file: what it refuses is final.
 */
export const importRuns = backgroundRun<typeof Import>(Import, {
  job: 'imports.run',
  going: ['running'],
  seconds: LOST_AFTER,
  after: 'resume',
  failed: (message) => ({ state: 'failed', message, dateEnd: new Date().toISOString() }),
  broken: 'Импорт не удался: файл не читается',
  async tidy(app, { id }) {
    const upload = await uploadOf(app.db, id)
    if (upload) await dropFile(app, upload)
  },
  async work(app, run) {
    const { id } = run.row
    const upload = await uploadOf(app.db, id)
    if (!upload) throw new HttpError(409, 'Файла импорта больше нет')
    try {
      const importer = importerOf(app, upload.kind)
      const content = await readUpload(app.files, upload.key, importer, upload.idUser, upload.reading, upload.fileName)
      const rows = mapped(content, importer, upload.mapping ?? {})
      const until = Date.now() + SLICE_MS
      for (let more = true; more; ) {
        if (run.signal.aborted) throw new RunStopped()
        if (Date.now() > until) return 'more'
        more = await takePortion(app, run, upload, importer, rows)
      }
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error
      await noteErrors(app.db, id, error.errors)
      await stop(app, id, upload, 'В файле нашлись ошибки: импорт остановлен, созданное убрано')
    }
    await dropFile(app, upload)
  },
})

const uploadOf = (db: Queryable, id: number) =>
  db.one<Upload>(sql`select * from import_uploads where "idImport" = ${id}`)

/** @returns whether there is more to do */
async function takePortion(
  app: AppContext,
  run: RunWork<typeof Import>,
  upload: Upload,
  importer: AnyImporter,
  rows: readonly { row: number; raw: unknown }[],
): Promise<boolean> {
  const actor = await workingActor(app.db, upload.idUser)
  return app.engine.for(actor).tx(async (records, tx) => {
    const now = await run.hold(tx)
    const { id } = now
    const context: ImportContext<unknown> = {
      records,
      tx,
      params: paramsOf(importer, upload.params),
      fileName: upload.fileName,
      known: await knownOf(tx, id),
    }
    const part = rows.slice(now.done, now.done + (importer.writeMany ? LARGE_PORTION : PORTION))
    const ready = await importer.open(
      context,
      part.map(({ raw }) => raw),
    )
    let { created, failed } = now
    const allErrors: ImportError[] = []
    const made: (Made & { row: number })[] = []
    const note = (row: number, taken: Taken) => {
      const errors = [
        ...taken.errors.map((error) => ({ row, ...error })),
        ...taken.notes.map((error) => ({ row, ...error, note: true })),
      ]
      if (taken.errors.length && !upload.skipWrong) throw new RowRefused(errors)
      allErrors.push(...errors)
      for (const one of taken.made) {
        made.push({ row, ...one })
        if (one.key) (context.known as Map<string, number>).set(one.key, one.id)
      }
      if (taken.errors.length) failed++
      else if (!taken.isSkipped) created++
    }
    if (importer.writeMany) for (const [row, taken] of await takeRows(context, importer, ready, part)) note(row, taken)
    else
      for (const { row, raw } of part)
        note(row, await takeRow(context, importer, ready, checkRow(importer, ready, raw)))
    await noteErrors(tx, id, allErrors)
    // Changed records first: an undo deletes created records before it restores former values.
    await noteChanged(tx, id, importer)
    await noteMade(tx, id, made)
    const done = now.done + part.length
    const ended = done >= rows.length
    if (ended)
      await run.finish({ done, created, failed, state: 'done', dateEnd: new Date().toISOString() }, { records, tx })
    else await records.asSystem.update(Import, id, { done, created, failed })
    return !ended
  })
}

interface Taken {
  made: Made[]
  isSkipped?: boolean
  errors: { field: string; message: string }[]
  notes: { field: string; message: string }[]
}

/** Writes a batch at once; on failure, row by row. */
async function takeRows(
  context: ImportContext<unknown>,
  importer: AnyImporter,
  ready: unknown,
  part: readonly { row: number; raw: unknown }[],
): Promise<[row: number, Taken][]> {
  const all = part.map(({ row, raw }) => ({ row, checked: checkRow(importer, ready, raw) }))
  const good = all.filter(({ checked }) => checked.values !== undefined)
  const many = await inSavepoint(context.tx, async () =>
    importer.writeMany?.(
      context,
      ready,
      good.map(({ checked }) => checked.values),
    ),
  )
  const taken: [number, Taken][] = []
  for (const { row, checked } of all) {
    const made = many.done?.[good.findIndex((one) => one.row === row)]
    taken.push([
      row,
      made ? { made, errors: [], notes: checked.notes ?? [] } : await takeRow(context, importer, ready, checked),
    ])
  }
  return taken
}

async function takeRow(
  context: ImportContext<unknown>,
  importer: AnyImporter,
  ready: unknown,
  { values, errors = [], notes = [], isSkipped }: Checked<unknown>,
): Promise<Taken> {
  if (isSkipped) return { made: [], errors: [], notes, isSkipped }
  if (values === undefined) return { made: [], errors, notes }
  const { done: made, refused } = await inSavepoint(context.tx, () => importer.write(context, ready, values))
  return refused
    ? { made: [], errors: refusalOf(refused, importer), notes: [] }
    : { made: made ?? [], errors: [], notes }
}

/** Runs a write in a savepoint; a refused one leaves no changes. @throws temporary errors and faults */
export async function inSavepoint<T>(tx: Tx, write: () => Promise<T>): Promise<{ done?: T; refused?: HttpError }> {
  await tx.query(sql`savepoint imported_row`)
  try {
    const done = await write()
    await tx.query(sql`release savepoint imported_row`)
    return { done }
  } catch (error) {
    const refused = error instanceof HttpError ? error : fromPgError(error)
    if (!refused || refused.status >= 500 || refused.code === 'retry') throw error
    await tx.query(sql`rollback to savepoint imported_row`)
    return { refused }
  }
}

const refusalOf = (error: HttpError, importer: AnyImporter) =>
  error instanceof ValidationError
    ? error.items.map(({ field, message }) => ({
        field: importer.columns.find((column) => column.field === field)?.name ?? '',
        message,
      }))
    : [{ field: '', message: error.message }]

/** The user with current rights. @throws HttpError 403 when the account is closed */
async function workingActor(db: Queryable, idUser: number): Promise<ServerActor> {
  const open = await db.one(sql`select 1 from users where "id" = ${idUser} and not "deleted" and not "isBlocked"`)
  const actor = open ? await actorOfUser(db, idUser) : undefined
  if (!actor) throw new HttpError(403, 'Учётная запись того, кто начал импорт, закрыта')
  return actor
}

async function knownOf(tx: Tx, id: number): Promise<Map<string, number>> {
  const found = await tx.query<{ key: string; idEntity: number }>(
    sql`select "key", "idEntity" from import_records where "idImport" = ${id} and "key" is not null`,
  )
  return new Map(found.map(({ key, idEntity }) => [key, idEntity]))
}

async function noteMade(tx: Tx, id: number, made: readonly (Made & { row: number })[]): Promise<void> {
  if (made.length === 0) return
  await tx.query(sql`insert into import_records ("idImport", "row", "path", "idEntity", "key")
    select ${id}, m."row", m.path, m.id, m.key from rows from (jsonb_to_recordset(${JSON.stringify(made)}::jsonb)
      as ("row" integer, path text, id bigint, key text)) with ordinality m order by m.ordinality`)
}

/** Records the changes of this batch in existing records, from history. */
async function noteChanged(tx: Tx, id: number, { changes = [] }: AnyImporter): Promise<void> {
  if (changes.length === 0) return
  await tx.query(sql`insert into import_records ("idImport", "row", "path", "idEntity", "changes")
    select ${id}, 0, h."path", h."idEntity", h."changes" from history h
    where h."xid" = pg_current_xact_id() and h."action" = 'update' and h."path" = any (${changes.map(({ path }) => path)}::text[])
      and not exists (select from import_records r where r."idImport" = ${id} and r."path" = h."path"
        and r."idEntity" = h."idEntity" and r."changes" is null)
    order by h."id"`)
}

async function noteErrors(db: Queryable, id: number, errors: readonly ImportError[]): Promise<void> {
  if (errors.length === 0) return
  await db.query(sql`insert into import_errors ("idImport", "row", "field", "message", "note")
    select ${id}, e."row", e.field, e.message, coalesce(e.note, false) from rows from (jsonb_to_recordset(
      ${JSON.stringify(errors)}::jsonb) as ("row" integer, field text, message text, note boolean)) with ordinality e
    order by e.ordinality`)
}

/** Ends an all-or-nothing import with an error, and undoes it. */
async function stop(app: AppContext, id: number, upload: Upload, message: string): Promise<void> {
  await app.engine.for({ ...systemActor, id: upload.idUser }).tx(async (records, tx) => {
    const now = await tx.one<RunState>(sql`select "state", "created" from imports where "id" = ${id} for update`)
    if (now?.state !== 'running') return
    const back = now.created > 0
    await records.asSystem.update(Import, id, {
      message: message.slice(0, 1000),
      failed: await failedRows(tx, id),
      ...(back ? { state: 'reverting' } : { state: 'failed', dateEnd: new Date().toISOString() }),
    })
    if (back) await importUndos.queue(app, tx, id, { to: 'failed', force: true })
  })
}

async function failedRows(tx: Tx, id: number): Promise<number> {
  const found = await tx.one<{ count: number }>(
    sql`select count(distinct "row")::int as count from import_errors where "idImport" = ${id} and not "note"`,
  )
  return found?.count ?? 0
}
