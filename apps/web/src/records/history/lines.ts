import type { Actor } from '@ordinator/model/access'
import { type AnyField, declaredAt, isVisible } from '@ordinator/model/entity'
import { isPosition } from '@ordinator/model/fields/position'
import type { HistoryEntry, RecordNames } from '@ordinator/model/history'
import { isEmpty } from '../fields/ui.ts'

/** A history line with the names needed for its text. */
export interface HistoryLine {
  entry: HistoryEntry
  /** The name of a record; '№ 5' when it is unknown to the reader. */
  nameOf: (path: string, id: unknown) => string
  /** The name of the changed record, if any. */
  title: string | undefined
  /** The name of its parent. */
  parent: string | undefined
}

/** An area's own text for a line; undefined: the default; null: another line shows the same. */
export type HistoryWords = (line: HistoryLine) => string | null | undefined

export function lineOf(entry: HistoryEntry, names: RecordNames): HistoryLine {
  const entity = declaredAt(entry.path)
  const within = entity?.within ? entity.fields[entity.within] : undefined
  const parentPath = (within as { to?: string } | undefined)?.to
  const known = (path: string | undefined, id: unknown) => (path ? names[path]?.[String(id)] : undefined)
  const given = entity?.title
    ? (entry.changes[entity.title] ?? []).find((value) => typeof value === 'string')
    : undefined
  return {
    entry,
    nameOf: (path, id) => known(path, id) ?? `№ ${id}`,
    // A deleted record keeps the name of its last line.
    title: known(entry.path, entry.idEntity) ?? (given as string | undefined),
    parent: known(parentPath, entry.idParent),
  }
}

export interface FieldChange {
  name: string
  f: AnyField
  from: unknown
  to: unknown
}

/** The changes to show. */
export function changesOf({ path, action, changes }: HistoryEntry, actor: Actor): FieldChange[] {
  const entity = declaredAt(path)
  if (!entity || action === 'delete') return []
  const lines = Object.entries(changes ?? {}).flatMap(([name, change]): FieldChange[] => {
    const f = Object.hasOwn(entity.all, name) ? entity.all[name] : undefined
    return f && isShown(f, name) && name !== entity.within && isVisible(f, actor) && Array.isArray(change)
      ? [{ name, f, from: change[0], to: change[1] }]
      : []
  })
  // A creation lists filled fields only.
  return action === 'create'
    ? lines.filter(({ to, f }) => !isEmpty(to) && to !== false && to !== f.options.default)
    : lines
}

/** Hides server-filled fields and card positions. */
const isShown = (f: AnyField, name: string) =>
  !isPosition(f) && name !== 'deleted' && (!f.options.auto || f.options.settable === true)
