import { type Allowed, allowed } from '@ordinator/model/access'
import type { ImportColumn, ImportMapping } from '@ordinator/model/areas/imports/wire'
import type { Entity } from '@ordinator/model/entity'
import type { z } from 'zod'
import type { Queryable, Tx } from '#platform/db.ts'
import { type FieldError, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { plainName } from './byName.ts'

/** Texts of a row by the name of the importer's column; a column that the file lacks is absent. */
export type Cells = Record<string, string>

export interface ImporterColumn extends ImportColumn {
  /** Other heads to recognise it by, letter case aside. */
  also?: readonly string[]
  /** The entity's field that a refusal of a write names. */
  field?: string
}

export interface ImportContext<P> {
  /** With the rights of the person who takes the file in. */
  records: Records
  tx: Tx
  params: P
  fileName: string
  /** What earlier rows of this import have made under a key. */
  known: ReadonlyMap<string, number>
  /** Records that rows are known to be of, by the ids of the program they come from: they are changed, not looked for. */
  own?: ReadonlyMap<Cells, number>
}

export interface Checked<V> {
  /** Absent: the row is wrong, and `errors` say why. `field` is the column's name. */
  values?: V
  errors?: FieldError[]
  /** What is to be known of a row that is taken in. */
  notes?: FieldError[]
  /** Neither wrong nor taken in, by the person's own choice; `notes` say why. `values` are absent then. */
  isSkipped?: boolean
  /** The row as it would be, for the preview. */
  shown?: Cells
}

export interface Made {
  path: string
  id: number
  /** Names it for later rows; such a record holds others, and is taken back only if all of them went. */
  key?: string
}

/**
 * What an area can take in from a file. `open` reads what the given rows are checked against, anew for each portion of
 * them, and throws HttpError 403 or 404 when the person may not (any more) do it.
 */
export interface Importer<P = never, Raw = never, Ready = unknown, V = unknown> {
  kind: string
  label: string
  access: Allowed
  params: z.ZodType<P>
  columns: readonly ImporterColumn[]
  /** Rows of a file, the head not counted; MAX_ROWS unless told. */
  maxRows?: number
  /** Given: the file is JSON, and this makes its rows. @throws ValidationError when it is not what was expected */
  rowsOf?(content: unknown): Raw[]
  open(context: ImportContext<P>, rows: readonly Raw[]): Promise<Ready>
  check(ready: Ready, raw: Raw): Checked<V>
  /** Writes one row, and what it has made. */
  write(context: ImportContext<P>, ready: Ready, values: V): Promise<Made[]>
  /**
   * Writes many rows at once, and what each of them has made, in their order; portions are larger then. Where it throws,
   * the rows are written one by one, so that a bad one harms none of the others.
   */
  writeMany?(context: ImportContext<P>, ready: Ready, values: readonly V[]): Promise<Made[][]>
  /** How rows are tied to records by the ids of another program (`ImportContext.own`); absent: they cannot be. */
  keyed?: {
    entity: Entity
    /** The fields that a row writes: what is deleted of them is left as it stands. */
    body(values: V): Record<string, unknown>
    /** The record of a row, once it is written. */
    idOf(values: V, made: readonly Made[]): number | undefined
    /** The row is likely of a record that was there already. */
    isTwin?(values: V): boolean
  }
  /** Whose records it changes; their former values are given back when the import is. */
  changes?: readonly Entity[]
  /** Whether something that is not the import's holds what it made, so that it is not taken back. */
  isHeld?(db: Queryable, made: Pick<Made, 'path' | 'id'>): Promise<boolean>
}

export type AnyImporter = Importer<unknown, unknown, unknown, unknown>

const offered = new WeakMap<AppContext, Map<string, AnyImporter>>()

/** Puts an importer at people's disposal; from an area's `start`. */
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

/** Whether the actor may take in anything at all. */
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

/** Which column of the file goes where, by its head. */
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

/** A head without its marks and its unit: «Стоимость, руб.» is «стоимость». */
const plain = (head: string) =>
  plainName(
    head
      .replace(/[*:]/g, '')
      .trim()
      .replace(/[\s,;(]+(?:в\s+)?(?:руб(?:лей|лях|\.)?|р\.|₽|rub)\.?\)?$/iu, ''),
  )
