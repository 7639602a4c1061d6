import type { Actor } from '@ordinator/model/access'
import type { HistoryEntry, RecordNames } from '@ordinator/model/client'
import { type AnyField, declaredAt, isVisible } from '@ordinator/model/entity'
import { isPosition } from '@ordinator/model/fields/position'
import { isEmpty } from '../fields/ui.ts'

/** A line of history with what it needs to be told in words. */
export interface HistoryLine {
  entry: HistoryEntry
  /** What a record is called; '№ 5' when its name is not told to the reader. */
  nameOf: (path: string, id: unknown) => string
  /** The written record by its name; undefined: it has none. */
  title: string | undefined
  /** The record that the written one is within, by its name. */
  parent: string | undefined
}

/** An area's own words for a line; undefined: the common ones; null: another line tells of the same. */
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
    // What is gone for good is still called as its last line says.
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

/** The changes that say something to a reader. */
export function changesOf({ path, action, changes }: HistoryEntry, actor: Actor): FieldChange[] {
  const entity = declaredAt(path)
  if (!entity || action === 'delete') return []
  const told = Object.entries(changes ?? {}).flatMap(([name, change]): FieldChange[] => {
    const f = Object.hasOwn(entity.all, name) ? entity.all[name] : undefined
    return f && tells(f, name) && name !== entity.within && isVisible(f, actor) && Array.isArray(change)
      ? [{ name, f, from: change[0], to: change[1] }]
      : []
  })
  // A creation lists what was filled in; an empty field says nothing.
  return action === 'create'
    ? told.filter(({ to, f }) => !isEmpty(to) && to !== false && to !== f.options.default)
    : told
}

/** What the server fills by itself and where a card lies say nothing to a reader. */
const tells = (f: AnyField, name: string) =>
  !isPosition(f) && name !== 'deleted' && (!f.options.auto || f.options.settable === true)
