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

/** A column requested by a screen: the name of a field, or this. Omitted properties come from the field. */
export interface ColumnSpec<R> {
  /** Name of a field, or any key for a custom column. */
  key: string
  label?: string
  /** Pixels; wider if there is room. */
  width?: number
  align?: 'left' | 'right'
  cell?: (row: R) => ReactNode
  /** Field to sort by; false: not sortable. */
  sort?: string | false
  /** Exported value of a custom column: a field behind relations, by dots. */
  exported?: string
  /** Available in the column menu, but not shown by default. */
  hidden?: boolean
  /** Buttons of the row: on a phone they are at the head of its card. */
  actions?: boolean
  /** What the page is for: dropped after all others where the table is too narrow. */
  needed?: boolean
}

export interface Column<R> extends ColumnSpec<R> {
  label: string
  width: number
  /** undefined: not a field of the entity. */
  field?: AnyField
  /** Relations to expand for the cell. */
  expand: readonly string[]
  hidden: boolean
  /** The width was set by the user. */
  isSet?: boolean
}

/** Widths in pixels that the user has set, by the key of the column. */
type Widths = Readonly<Record<string, number>>

export const readWidths = (stored: unknown): Widths =>
  Object.fromEntries(
    Object.entries(typeof stored === 'object' && stored !== null ? stored : {}).filter(
      ([, width]) => Number(width) > 0,
    ),
  )

export const withWidths = <R>(columns: Column<R>[], widths: Widths): Column<R>[] =>
  columns.map((column) => {
    const width = widths[column.key]
    return width === undefined ? column : { ...column, width, isSet: true }
  })

/** All columns the actor may have, the screen's own first; other fields can be added by the user. */
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

/** Pixels: a letter of a heading, its padding with the arrow, and the maximum of a long heading. */
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
      // The heading must fit, however narrow the column.
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

/** Path to the time zone of its moments, as far as the actor may see it. */
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

/** The title first, then what fits; long texts and automatic fields are left to the column menu. */
function defaultColumns(entity: Entity): string[] {
  const names = Object.entries(entity.fields)
    .filter(
      ([name, f]) =>
        name !== entity.title && !uiOf(f).noColumn && !f.long && !f.options.multiline && f.options.auto !== 'changed',
    )
    .map(([name]) => name)
  return [entity.title ?? 'id', ...names].slice(0, MAX_DEFAULT)
}

/** The columns to show, in order; a selection of unknown columns only is ignored. */
export function shownColumns<R>(all: Column<R>[], chosen: readonly string[]): Column<R>[] {
  const found = chosen.map((key) => all.find((column) => column.key === key)).filter((column) => column !== undefined)
  return found.length ? found : all.filter((column) => !column.hidden)
}

/** Minimum width in pixels of a column with text, as opposed to a day, a number or a sum. */
const WORDS_WIDTH = 200

/** Key of the column that takes the remaining width: the first one if it has text, else the widest. */
export function roomyColumn<R>(columns: readonly Column<R>[]): string | undefined {
  const [first, ...rest] = columns.filter(({ actions, isSet }) => !actions && !isSet)
  if (!first || first.width >= WORDS_WIDTH) return first?.key
  return rest.reduce((widest, column) => (column.width > widest.width ? column : widest), first).key
}

/** Pixels of the check box column. */
export const CHECK_WIDTH = 40

/**
 * The columns that fit a table of this width: the last ones are dropped first, those that the page needs after all others;
 * the first one and the row's buttons stay.
 *
 * @param width pixels; 0 while unknown
 */
export function fittingColumns<R>(columns: Column<R>[], width: number, check: boolean): Column<R>[] {
  if (width === 0) return columns
  let left = columns.reduce((sum, column) => sum + column.width, check ? CHECK_WIDTH : 0) - width
  const kept = new Set(columns)
  const last = columns.toReversed()
  for (const column of [...last.filter(({ needed }) => !needed), ...last.filter(({ needed }) => needed)]) {
    if (left <= 0) break
    if (column.actions || column === columns[0]) continue
    kept.delete(column)
    left -= column.width
  }
  return columns.filter((column) => kept.has(column))
}

/**
 * Fields to request for a list: undefined (the default ones), unless a shown column is returned only when it is named.
 */
export function fieldsOf<R>(entity: Entity, actor: Actor, columns: Column<R>[]): string[] | undefined {
  // Fields that explain why a record cannot be deleted are needed for all rows before deleting.
  const lazy = computedByKept(entity).filter((name) => entity.fields[name]?.options.lazy)
  const named = [...new Set([...columns.filter(({ field }) => field?.options.lazy).map(({ key }) => key), ...lazy])]
  if (named.length === 0) return undefined
  const usual = Object.entries(entity.fields).filter(([, f]) => isUsual(f) && isVisible(f, actor))
  return [...usual.map(([name]) => name), ...named]
}
