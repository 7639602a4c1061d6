import { allowed } from '@ordinator/model/access'
import { importCalls } from '@ordinator/model/areas/imports/calls'
import { Import } from '@ordinator/model/areas/imports/import'
import type { ImportError } from '@ordinator/model/areas/imports/wire'
import sql from 'sql-template-tag'
import writeXlsxFile from 'write-excel-file/node'
import { asPerson, declaredBytes, withinQuota } from '#areas/files/index.ts'
import type { Tx } from '#platform/db.ts'
import { forbidden, HttpError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { csvCell } from '#records/exportCells.ts'
import { operation } from '#records/operation.ts'
import { importerOf, mayImport, paramsOf } from './importer.ts'
import { rememberMapping } from './memory.ts'
import { checkMapping, checkRequired, previewOf } from './preview.ts'
import { mapped, readUpload } from './read.ts'
import { changedByOthers, importUndos } from './revert.ts'
import { importRuns } from './run.ts'
import { dropFile, MAX_FILE, receiveUpload, waitingUpload } from './uploads.ts'

/** Maximum number of errors in the response; the file has all of them. */
const SHOWN_ERRORS = 1_000

export const preview = operation(importCalls.preview, async ({ app, actor, request }) => {
  // The kind of import is a form field, which may follow the file.
  if (!mayImport(app, actor)) throw forbidden()
  const stored = await withinQuota(app, [asPerson(app, actor)], declaredBytes(request, MAX_FILE), () =>
    receiveUpload(app, actor, request),
  )
  try {
    checkAccess(app, actor, stored.kind)
    return await previewOf(app, actor, stored)
  } catch (error) {
    await dropFile(app, stored)
    throw error
  }
})

export const check = operation(importCalls.check, async ({ app, actor, body }) => {
  const stored = await waitingUpload(app.db, actor, body.upload)
  checkAccess(app, actor, stored.kind)
  const { reading = {}, params, mapping } = body
  return previewOf(app, actor, { ...stored, reading, params: { ...stored.params, ...params } }, mapping)
})

export const start = operation(importCalls.start, async ({ app, actor, records, body }) => {
  const stored = await waitingUpload(app.db, actor, body.upload)
  const importer = checkAccess(app, actor, stored.kind)
  const own = { ...stored.params, ...body.params }
  paramsOf(importer, own)
  const content = await readUpload(app.files, stored.key, importer, actor.id, body.reading, stored.fileName)
  const map = body.mapping ?? {}
  if (content.head) {
    checkMapping(importer, content, map)
    checkRequired(importer, map)
    await rememberMapping(app.db, importer.kind, importer.columns, content.head, map)
  }
  const total = mapped(content, importer, map).length
  return records.tx(async (inside, tx) => {
    const made = await inside.asSystem.create(Import, {
      kind: stored.kind,
      fileName: stored.fileName,
      params: own,
      total,
      idUser: actor.id,
    })
    const claimed =
      await tx.query(sql`update import_uploads set "idImport" = ${made.id}, "mapping" = ${JSON.stringify(map)}::jsonb,
        "reading" = ${JSON.stringify(content.head ? content.reading : {})}::jsonb,
        "params" = ${JSON.stringify(own)}::jsonb, "skipWrong" = ${body.skipWrong}
        where "id" = ${stored.id} and "idImport" is null returning "id"`)
    if (claimed.length === 0) throw new HttpError(409, 'Импорт этого файла уже начат', { code: 'started' })
    await importRuns.queue(app, tx, made.id)
    return made
  })
})

export const cancel = operation(importCalls.cancel, ({ app, records, params }) =>
  records.tx(async (inside, tx) => {
    await inside.row(Import, params.id)
    await lockAs(tx, params.id, ['running'], 'Импорт уже окончен')
    await importUndos.queue(app, tx, params.id, { to: 'cancelled', force: true })
    return inside.asSystem.update(Import, params.id, { state: 'reverting' })
  }),
)

export const changed = operation(importCalls.changed, async ({ app, actor, records, params }) => {
  await records.row(Import, params.id)
  return changedByOthers(app, params.id, actor.id)
})

export const revert = operation(importCalls.revert, async ({ app, actor, records, params, body }) => {
  const run = await records.row(Import, params.id)
  const importer = checkAccess(app, actor, run.kind)
  if (body.force === undefined) {
    const { total } = await changedByOthers(app, params.id, actor.id)
    if (total > 0) throw new HttpError(409, `Другие сотрудники изменили записей: ${total}`, { code: 'changed' })
  }
  return records.tx(async (inside, tx) => {
    await lockAs(tx, params.id, ['done', 'failed'], 'Этот импорт отменить нельзя')
    // Users who may no longer create records there may not undo either.
    const own = paramsOf(importer, run.params)
    await importer.open({ records: inside, tx, params: own, fileName: run.fileName, known: new Map() }, [])
    const force = body.force ?? false
    await importUndos.queue(app, tx, params.id, { to: 'reverted', force })
    return inside.asSystem.update(Import, params.id, { state: 'reverting', message: null })
  })
})

export const errors = operation(importCalls.errors, async ({ app, records, params, query, reply }) => {
  await records.row(Import, params.id)
  const all = await app.db.query<ImportError>(
    sql`select "row", "field", "message", "note", "kept" from import_errors
      where "idImport" = ${params.id} order by "kept" desc, "row", "id"`,
  )
  if (query.format === 'json') return { total: all.length, items: all.slice(0, SHOWN_ERRORS) }
  const lines = [['Строка', 'Колонка', 'Ошибка'], ...all.map((e) => [String(e.row), e.field, e.message])]
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="errors.csv"`)
    .send(`\uFEFF${lines.map((line) => line.map(csvCell).join(';')).join('\r\n')}\r\n`)
})

export const template = operation(importCalls.template, async ({ app, actor, query, reply }) => {
  const { columns } = checkAccess(app, actor, query.kind)
  const head = columns.map(({ name, required }) => ({ value: required ? `${name}*` : name, fontWeight: 'bold' }))
  const rows = [0, 1].map((at) => columns.map(({ examples }) => ({ value: examples?.[at] ?? '', type: String })))
  const file = await writeXlsxFile(
    [head, ...rows] as never,
    { columns: columns.map(({ name }) => ({ width: Math.max(18, name.length + 4) })), stickyRowsCount: 1 } as never,
  )
  return reply
    .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .header('content-disposition', 'attachment; filename="template.xlsx"')
    .send(await file.toBuffer())
})

function checkAccess(app: AppContext, actor: ServerActor, kind: string) {
  const importer = importerOf(app, kind)
  if (!allowed(actor, importer.access)) throw forbidden()
  return importer
}

/** Locks the import; waits for a batch in progress. @throws HttpError 409 */
async function lockAs(tx: Tx, id: number, states: readonly string[], refusal: string): Promise<void> {
  const now = await tx.one<{ state: string }>(sql`select "state" from imports where "id" = ${id} for update`)
  if (!now || !states.includes(now.state)) throw new HttpError(409, refusal, { code: 'state' })
}
