import { setImmediate } from 'node:timers/promises'
import type { ImportError, ImportMapping, ImportPreview } from '@ordinator/model/areas/imports/wire'
import { ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { type AnyImporter, type Cells, checkRow, guessMapping, importerOf, paramsOf } from './importer.ts'
import { rememberedMapping } from './memory.ts'
import { type Content, mapped, readUpload } from './read.ts'
import type { Upload } from './uploads.ts'

/** Rows validated between two yields to the event loop. */
const BREATH = 200
const SHOWN_ROWS = 20
const SHOWN_ERRORS = 1_000
const SAMPLES = 3
const SAMPLE_LENGTH = 80
/** Cells of a line shown in the choice of the header. */
const SHOWN_CELLS = 12
const MAX_SHOWN_CELL = 300

/** Parses an upload and validates every row; writes nothing. `mapping` absent: by the headers. */
export async function previewOf(
  app: AppContext,
  actor: ServerActor,
  upload: Upload,
  mapping?: ImportMapping,
): Promise<ImportPreview> {
  const importer = importerOf(app, upload.kind)
  const content = await readUpload(app.files, upload.key, importer, actor.id, upload.reading, upload.fileName)
  const chosen =
    mapping ??
    (await rememberedMapping(app.db, importer.kind, importer.columns, content.head ?? [])) ??
    guessMapping(importer.columns, content.head ?? [])
  checkMapping(importer, content, chosen)
  const errors: ImportError[] = []
  const rows: ImportPreview['rows'] = []
  let wrong = 0
  let skipped = 0
  let wrongShown = 0
  let errorsTotal = 0
  const missing = content.head ? importer.columns.filter((c) => c.required && chosen[c.name] === undefined) : []
  const all = mapped(content, importer, chosen)
  if (missing.length === 0) {
    const ready = await app.engine.for(actor).tx((records, tx) =>
      importer.open(
        { records, tx, params: paramsOf(importer, upload.params), fileName: upload.fileName, known: new Map() },
        all.map(({ raw }) => raw),
      ),
    )
    for (const [i, { row, raw }] of all.entries()) {
      if (i % BREATH === 0) await setImmediate()
      const checked = checkRow(importer, ready, raw)
      const found = [
        ...(checked.errors ?? []).map((error) => ({ row, ...error })),
        ...(checked.notes ?? []).map((error) => ({ row, ...error, note: true })),
      ]
      const isWrong = !checked.values && !checked.isSkipped
      if (isWrong) wrong++
      if (checked.isSkipped) skipped++
      errorsTotal += found.length
      if (errors.length < SHOWN_ERRORS) errors.push(...found)
      const isShown = i < SHOWN_ROWS || (isWrong && wrongShown++ < SHOWN_ROWS)
      if (isShown) rows.push({ row, values: cut(checked.shown ?? (content.head ? (raw as Cells) : {})) })
    }
  }
  return {
    upload: upload.id,
    fileName: upload.fileName,
    head: columnsOf(content),
    ...(content.head && { reading: content.reading }),
    ...(content.head && content.sheets && { sheets: [...content.sheets] }),
    lines: content.head ? content.top.map((line) => line.slice(0, SHOWN_CELLS).map(shortened)) : [],
    columns: importer.columns.map(({ name, required, examples }) => ({ name, required, examples })),
    mapping: chosen,
    total: all.length,
    wrong,
    skipped,
    rows,
    errors,
    errorsTotal,
  }
}

/** @throws ValidationError for a column missing in the file, or unknown to the importer */
export function checkMapping(importer: AnyImporter, content: Content, mapping: ImportMapping): void {
  const width = content.head?.length ?? 0
  const wrong = Object.entries(mapping).filter(
    ([name, at]) => !importer.columns.some((column) => column.name === name) || at >= width,
  )
  if (wrong.length)
    throw new ValidationError(wrong.map(([name]) => ({ field: `mapping.${name}`, message: 'Такой колонки нет' })))
}

/** @throws ValidationError */
export function checkRequired(importer: AnyImporter, mapping: ImportMapping): void {
  const missing = importer.columns.filter((column) => column.required && mapping[column.name] === undefined)
  if (missing.length)
    throw new ValidationError(
      missing.map(({ name }) => ({ field: `mapping.${name}`, message: `Укажите колонку файла для «${name}»` })),
    )
}

const shortened = (cell: string) => cell.trim().slice(0, SAMPLE_LENGTH)

const columnsOf = (content: Content): ImportPreview['head'] =>
  (content.head ?? []).map((name, at) => ({
    name,
    samples: (content.head ? content.table : [])
      .map(({ cells }) => shortened(cells[at] ?? ''))
      .filter(Boolean)
      .slice(0, SAMPLES),
  }))

const cut = (cells: Cells): Cells =>
  Object.fromEntries(Object.entries(cells).map(([name, text]) => [name, text.slice(0, MAX_SHOWN_CELL)]))
