import { type Allowed, allowed } from '@ordinator/model/access'
import type { ImportColumn, ImportMapping } from '@ordinator/model/areas/imports/wire'
import type { AnyField, Entity } from '@ordinator/model/entity'
import type { z } from 'zod'
import type { Queryable, Tx } from '#platform/db.ts'
import { type FieldError, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { plainName } from './byName.ts'

/** Texts of a row by the name of the importer's column; a column missing in the file is absent. */
export type Cells = Record<string, string>

export interface ImporterColumn extends ImportColumn {
  /** Other headers to recognise it by, case-insensitive. */
  also?: readonly string[]
  /** The entity's field in validation errors of a write. */
  field?: string
  /** The field whose type reads the cells; see `columnsFor`. */
  of?: AnyField
  /** Of a moment: the time of a day that is given without one. */
  dayTime?: string
  /** Rows that hold a name alone are groups of the rows below: their name goes to this column. */
  section?: true
  /** A row with an unreadable cell here is left: without the value its record would be a wrong one. */
  strict?: true
}

export interface ImportContext<P> {
  /** With the rights of the importing user. */
  records: Records
  tx: Tx
  params: P
  fileName: string
  /** Ids created by earlier rows of this import, by key. */
  known: ReadonlyMap<string, number>
  /** Records that rows are known to be of, by the ids of the program they come from: they are changed, not looked for. */
  own?: ReadonlyMap<Cells, number>
}

export interface Checked<V> {
  /** Absent: the row is invalid, see `errors`. `field` is the column's name. */
  values?: V
  errors?: FieldError[]
  /** Warnings about an accepted row. */
  notes?: FieldError[]
  /** Neither invalid nor imported, by the user's own choice; see `notes`. `values` are absent then. */
  isSkipped?: boolean
  /** The resulting row, for the preview. */
  shown?: Cells
  /** Names in the row that a person must choose a replacement for. */
  unknown?: { kind: 'roles'; name: string }[]
}

export interface Made {
  path: string
  id: number
  /** Key for later rows; such a record contains others, and is removed by an undo only if all of them were. */
  key?: string
}

/**
 * An import offered by an area. `open` loads the lookup data for the given rows, for each batch, and throws HttpError
 * 403 or 404 when the user has no right (any more).
 */
export interface Importer<P = never, Raw = never, Ready = unknown, V = unknown> {
  kind: string
  label: string
  access: Allowed
  params: z.ZodType<P>
  columns: readonly ImporterColumn[]
  /** Maximum number of rows, without the header; MAX_ROWS by default. */
  maxRows?: number
  /** For a JSON file: converts its content to rows. @throws ValidationError for an unexpected content */
  rowsOf?(content: unknown): Raw[]
  open(context: ImportContext<P>, rows: readonly Raw[]): Promise<Ready>
  check(ready: Ready, raw: Raw): Checked<V>
  /** Writes one row. @returns the created records */
  write(context: ImportContext<P>, ready: Ready, values: V): Promise<Made[]>
  /**
   * Writes many rows at once; batches are larger then. If it throws, the rows are written one by one, so that an
   * invalid one does not affect the others.
   * @returns the created records of each row, in order
   */
  writeMany?(context: ImportContext<P>, ready: Ready, values: readonly V[]): Promise<Made[][]>
  /** How rows are tied to records by the ids of another program (`ImportContext.own`); absent: they cannot be. */
  keyed?: {
    entity: Entity
    /** The fields that a row writes: deleted ones are left as they are. */
    body(values: V): Record<string, unknown>
    /** The record of a row, once it is written. */
    idOf(values: V, made: readonly Made[]): number | undefined
    /** The row is likely of a record that was there already. */
    isDuplicate?(values: V): boolean
  }
  /** Entities whose records it changes; their former values are restored by an undo. */
  changes?: readonly Entity[]
  /** Whether a created record is in use by others, so that an undo keeps it. */
  isHeld?(db: Queryable, made: Pick<Made, 'path' | 'id'>): Promise<boolean>
}

export type AnyImporter = Importer<unknown, unknown, unknown, unknown>

const offered = new WeakMap<AppContext, Map<string, AnyImporter>>()

/** Registers an importer; called from an area's `start`. */
export function offerImporter<P, Raw, Ready, V>(app: AppContext, importer: Importer<P, Raw, Ready, V>): void {
  const kinds = offered.get(app) ?? new Map<string, AnyImporter>()
  offered.set(app, kinds)
  kinds.set(importer.kind, importer as unknown as AnyImporter)
}

/** @throws ValidationError */
export function importerOf(app: AppContext, kind: string): AnyImporter {
  const found = offered.get(app)?.get(kind)
  if (!found) throw new ValidationError([{ field: 'kind', message: 'Неизвестный вид импорта' }])
  return found
}

/** Whether the actor may import anything at all. */
export const mayImport = (app: AppContext, actor: ServerActor): boolean =>
  [...(offered.get(app)?.values() ?? [])].some(({ access }) => allowed(actor, access))

/** @throws ValidationError that names the parameter */
export function paramsOf(importer: AnyImporter, params: unknown): unknown {
  const parsed = importer.params.safeParse(params)
  if (parsed.success) return parsed.data
  throw new ValidationError(
    parsed.error.issues.map((issue) => ({ field: ['params', ...issue.path].join('.'), message: issue.message })),
  )
}

/** Errors of which the text of the cell alone is the cause: the row can be loaded without it. */
const ofCells = new WeakSet<FieldError>()
export function cellError(error: FieldError): FieldError {
  ofCells.add(error)
  return error
}

/** Field of the note of a card, where cells that were not read are kept. */
const NOTE = 'note'
const SHOWN_CELL = 200

/**
 * Checks a row. An unreadable cell of a column that the entity does not require leaves the row: it is emptied in `raw`,
 * kept in the column of the note where the importer has one, and reported by a note.
 */
export function checkRow(importer: AnyImporter, ready: unknown, raw: unknown): Checked<unknown> {
  const check = () => importer.check(ready, raw)
  const first = check()
  const errors = first.errors ?? []
  if (first.values !== undefined || first.isSkipped || errors.length === 0 || importer.rowsOf) return first
  const columnOf = ({ field }: FieldError) => importer.columns.find(({ name }) => name === field)
  const canGo = (error: FieldError) => {
    const column = columnOf(error)
    return ofCells.has(error) && column !== undefined && !column.required && !column.strict
  }
  if (!errors.every(canGo)) return first
  const cells = raw as Cells
  const before = { ...cells }
  const faulty = [...new Map(errors.map((error) => [error.field, error])).values()]
  const note = importer.columns.find(({ field }) => field === NOTE)?.name
  const lost = faulty.map(({ field }) => `${field}: ${(before[field] ?? '').trim().slice(0, SHOWN_CELL)}`)
  for (const { field } of faulty) cells[field] = ''
  if (note && !faulty.some(({ field }) => field === note))
    cells[note] = [cells[note]?.trim(), ...lost].filter(Boolean).join('\n')
  const second = check()
  if (second.values === undefined && !second.isSkipped) {
    Object.assign(cells, before)
    return first
  }
  return {
    ...second,
    notes: [...(second.notes ?? []), ...faulty.map(({ field, message }) => dropped(field, message, before[field]))],
  }
}

/** The note about a cell that was dropped. */
export const dropped = (field: string, message: string, cell = ''): FieldError => ({
  field,
  message: `${message}. «${cell.trim().slice(0, 60)}» не загружается`,
})

/** Maps columns of the file by their headers. */
export function guessMapping(columns: readonly ImporterColumn[], head: readonly string[]): ImportMapping {
  const heads = head.map(plain)
  const mapping: ImportMapping = {}
  for (const { name, also = [] } of columns) {
    const wanted = [name, ...also].map(plain)
    const at = heads.findIndex((one, i) => wanted.includes(one) && !Object.values(mapping).includes(i))
    if (at >= 0) mapping[name] = at
  }
  return mapping
}

/** A header without marks and unit: «Стоимость, руб.» is «стоимость». */
const plain = (head: string) =>
  plainName(
    head
      .replace(/[*:«»"]|\.$/g, '')
      .trim()
      .replace(/[\s,;(]+(?:в\s+)?(?:руб(?:лей|лях|\.)?|р\.|₽|rub)\.?\)?$/iu, ''),
  )
