import { type Actor, can } from '@ordinator/model/access'
import type { Brief } from '@ordinator/model/brief'
import {
  type AnyField,
  computedByKept,
  type Entity,
  isVisible,
  type Linked,
  type Relation,
  relationOf,
} from '@ordinator/model/entity'
import { isReadable, isUsual } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import type { ReactNode } from 'react'
import { briefAt } from '../declarations.ts'
import { uiOf } from '../fields/registry.ts'
import { isSortable } from '../listState.ts'
import { canName } from '../reachable.ts'

/** A column as a screen asks for it: the name of a field, or this. What is left out comes from the field. */
export interface ColumnSpec<R> {
  /** Name of a field, or a word of the screen's own for a column that is no field. */
  key: string
  label?: string
  /** Pixels; wider where there is room. */
  width?: number
  align?: 'left' | 'right'
  cell?: (row: R) => ReactNode
  /** Field to sort by; false: not sorted. */
  sort?: string | false
  /** What the export writes for a column that is no field: a field behind relations, by dots. */
  exported?: string
  /** Stands in the choice of columns and not in the table until it is chosen. */
  hidden?: boolean
  /** Buttons of the row: on a phone they stand at the head of its card. */
  actions?: boolean
}

export interface Column<R> extends ColumnSpec<R> {
  label: string
  width: number
  /** undefined: not a field of the entity. */
  field?: AnyField
  /** Relations to expand for the cell. */
  expand: readonly string[]
  hidden: boolean
}

/** All columns that the actor may have, the screen's own first; fields that it does not name can be added by hand. */
export function columnsOf<R>(
  entity: Entity,
  actor: Actor,
  given: readonly (string | ColumnSpec<R>)[] | undefined,
): Column<R>[] {
  const named = given ?? defaultColumns(entity)
  const specs = named.map((item) => (typeof item === 'string' ? { key: item } : item))
  const others = Object.entries(entity.all)
    .filter(
      ([name, f]) =>
        !specs.some((spec) => spec.key === name) && !uiOf(f).noColumn && name !== '_version' && name !== 'deleted',
    )
    .map(([name]) => ({ key: name, hidden: true }))
  return [...specs, ...others].flatMap((spec) => {
    const field = Object.hasOwn(entity.all, spec.key) ? entity.all[spec.key] : undefined
    if (field && !(isReadable(field) && isVisible(field, actor))) return []
    if (field && !('cell' in spec) && !canName(field, actor)) return []
    return [completed(entity, actor, spec, field)]
  })
}

/** Pixels: a letter of a heading, its padding and arrow, and where a long heading is cut off. */
const LETTER = 8.5
const TITLE_ROOM = 52
const MAX_TITLE_WIDTH = 200

function completed<R>(entity: Entity, actor: Actor, spec: ColumnSpec<R>, field: AnyField | undefined): Column<R> {
  const ui = field && uiOf(field)
  const sortable = field && !isRef(field) && isSortable(entity, spec.key)
  const title = spec.label ?? field?.options.label ?? ''
  const width = typeof ui?.width === 'function' ? ui.width(field as AnyField) : ui?.width
  return {
    ...spec,
    field,
    label: title,
    width:
      // However narrow a screen has made it, its heading fits.
      Math.max(
        spec.width ?? width ?? 160,
        Math.min(MAX_TITLE_WIDTH, title ? Math.round(title.length * LETTER + TITLE_ROOM) : 0),
      ),
    align: spec.align ?? ui?.align,
    sort: spec.sort ?? (sortable ? spec.key : false),
    expand: !field ? [] : isRef(field) ? (canName(field, actor) ? [field.as] : []) : clockOf(entity, actor, field),
    hidden: spec.hidden ?? false,
  }
}

/** What leads to the clock of its moments, as far as the actor sees all of it. */
function clockOf(entity: Entity, actor: Actor, { clock }: AnyField): string[] {
  const path = clock?.split('.').slice(0, -1) ?? []
  let at: Linked | undefined = entity
  for (const step of path) {
    const relation: Relation | undefined = at && relationOf(at, step)
    const target: Brief | undefined = relation && briefAt(relation.to)
    if (!target || !can(actor, 'view', target)) return []
    at = target
  }
  return path.length ? [path.join('.')] : []
}

const MAX_DEFAULT = 7

/** The title first, then what fits; long texts and the server's own marks are left to the choice. */
function defaultColumns(entity: Entity): string[] {
  const names = Object.entries(entity.fields)
    .filter(
      ([name, f]) =>
        name !== entity.title && !uiOf(f).noColumn && !f.long && !f.options.multiline && f.options.auto !== 'changed',
    )
    .map(([name]) => name)
  return [entity.title ?? 'id', ...names].slice(0, MAX_DEFAULT)
}

/** The columns to show, in order; a choice that names none that exists is no choice. */
export function shownColumns<R>(all: Column<R>[], chosen: readonly string[]): Column<R>[] {
  const found = chosen.map((key) => all.find((column) => column.key === key)).filter((column) => column !== undefined)
  return found.length ? found : all.filter((column) => !column.hidden)
}

/** Pixels from which a column holds words and not a day, a number or a sum. */
const WORDS_WIDTH = 200

/** Key of the column that takes the room that is left: the first one where it holds words, else the widest. */
export function roomyColumn<R>(columns: readonly Column<R>[]): string | undefined {
  const [first, ...rest] = columns.filter(({ actions }) => !actions)
  if (!first || first.width >= WORDS_WIDTH) return first?.key
  return rest.reduce((widest, column) => (column.width > widest.width ? column : widest), first).key
}

/** Pixels of the column of check boxes. */
export const CHECK_WIDTH = 40

/**
 * The columns for which a table of this width has room: the last ones go first, the first and the row's buttons stay.
 *
 * @param width pixels; 0 while it is not known
 */
export function fittingColumns<R>(columns: Column<R>[], width: number, check: boolean): Column<R>[] {
  if (width === 0) return columns
  let left = columns.reduce((sum, column) => sum + column.width, check ? CHECK_WIDTH : 0) - width
  const kept = new Set(columns)
  for (const column of columns.toReversed()) {
    if (left <= 0) break
    if (column.actions || column === columns[0]) continue
    kept.delete(column)
    left -= column.width
  }
  return columns.filter((column) => kept.has(column))
}

/**
 * The fields to ask a list for: undefined, which is all the usual ones, unless a shown column is answered only when it
 * is named.
 */
export function fieldsOf<R>(entity: Entity, actor: Actor, columns: Column<R>[]): string[] | undefined {
  // What says that a record stays is told of all of them before they are deleted.
  const told = computedByKept(entity).filter((name) => entity.fields[name]?.options.lazy)
  const named = [...new Set([...columns.filter(({ field }) => field?.options.lazy).map(({ key }) => key), ...told])]
  if (named.length === 0) return undefined
  const usual = Object.entries(entity.fields).filter(([, f]) => isUsual(f) && isVisible(f, actor))
  return [...usual.map(([name]) => name), ...named]
}
