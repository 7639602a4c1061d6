import type { BatchAnswer, BatchBody, MovePlace } from '@ordinator/model/client'
import type { Create, Entity, Row, Update } from '@ordinator/model/entity'
import { wordsOf } from '@ordinator/model/registry'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, errorMessage, isRecord } from '#base/apiError.ts'
import { records, recordsWith } from '#base/client.ts'
import { confirm } from '#kit/confirm.ts'
import { notify } from '#kit/notify.tsx'
import { changeLists, changeRecord, placed, putBack } from './cached.ts'
import { invalidateRecords, recordKeys } from './keys.ts'
import { notifyFailure } from './notifyFailure.ts'
import { partly, type Several, several } from './several.ts'

/** Input of a save: a body to create, or with `id` the fields to change. With `_version` a stale write is refused. */
export type Saved<E extends Entity> = Create<E> | (Update<E> & { id: number })

/** A stale write: the sent body, and the current record. */
export interface StaleWrite<E extends Entity> {
  mine: Update<E>
  saved: Row<E>
}

export interface SaveOptions {
  /** false: the screen waits for the answer. By default a change of a cached record is shown at once. */
  optimistic?: boolean
  /** false: the caller shows errors (a form does). */
  toast?: boolean
}

/**
 * Creates or changes a record: `const save = useSave(Task); save.mutate({ id, importance: 5 })`.
 * `save.stale` is set after a 409.
 */
export function useSave<E extends Entity>(entity: E, options: SaveOptions = {}) {
  const cache = useQueryClient()
  const mutation = useMutation({
    mutationFn: async (body: Saved<E>): Promise<Row<E>> => {
      const { id, ...values } = body as { id?: number } & Record<string, unknown>
      return id === undefined
        ? records.create(entity, values as Create<E>)
        : records.update(entity, id, values as Update<E>)
    },
    onMutate: async (body: Saved<E>) => {
      const { id, _version, ...values } = body as { id?: number; _version?: number } & Record<string, unknown>
      if (id === undefined || options.optimistic === false) return undefined
      return changeRecord(cache, entity.path, id, values)
    },
    onError: (error, _body, before) => {
      if (before) putBack(cache, before)
      if (options.toast !== false) notifyFailure(error)
    },
    onSuccess: async (row, body) => {
      if ('id' in (body as object)) await changeRecord(cache, entity.path, row.id, row as Record<string, unknown>)
    },
    onSettled: () => void invalidateRecords(cache, entity.path),
  })
  return { ...mutation, stale: staleOf<E>(mutation.error, mutation.variables) }
}

/** The conflict of a refused save, or undefined for another failure. */
export function staleOf<E extends Entity>(error: unknown, body: unknown): StaleWrite<E> | undefined {
  if (!(error instanceof ApiError) || error.status !== 409 || !isRecord(error.current)) return undefined
  const { id: _id, ...mine } = (body ?? {}) as { id?: number }
  return { mine: mine as Update<E>, saved: error.current as Row<E> }
}

export interface RemoveOptions {
  /** The toast; default: «Задача удалена» from the entity's label. */
  message?: string
  onUndone?: () => void
  /** The screen has already asked about records in use, with its own text. */
  sure?: true
}

/** Undo for an entity without trash: the record is created again. */
interface MadeAgain<E extends Entity> extends RemoveOptions {
  /** The body for creating it again, computed before deletion; undefined: unknown. */
  again: (id: number) => Create<E> | undefined
}

/** An entity known to have no trash requires an undo. */
type RemoveArgs<E extends Entity> = E['soft'] extends false ? [options: MadeAgain<E>] : [options?: RemoveOptions]

/** Deletes several at once; if some cannot be deleted, the others. */
export const removeEach = (entity: Entity, ids: readonly number[], sure?: true): Promise<Several<number>> =>
  several(ids, (some) => silentRecords.batch(entity, { delete: some, ...(sure && { sure }) }))

/** The server asks first: other records use this one. */
const isAsked = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 'asks'

/** The user has cancelled: not a failure. */
class Withdrawn extends Error {}

/** Deletes one record; if it is in use, shows how often and where, and asks. */
async function removeOne(entity: Entity, id: number, sure?: true): Promise<void> {
  try {
    await records.remove(entity, id, { sure })
  } catch (error) {
    if (!isAsked(error)) throw error
    const question = { title: 'Удалить всё равно?', message: errorMessage(error), confirm: 'Удалить', danger: true }
    if (!(await confirm(question))) throw new Withdrawn()
    await records.remove(entity, id, { sure: true })
  }
}

/** Deletes several records; asks once for those in use. */
async function removeMany(entity: Entity, ids: readonly number[], sure?: true): Promise<Several<number>> {
  const first = await removeEach(entity, ids, sure)
  const asked = [...first.refused].filter(([why]) => why.startsWith(USED))
  if (asked.length === 0) return first
  const used = asked.flatMap(([, some]) => some)
  const message = asked.map(([why, some]) => (some.length > 1 ? `${why} (${some.length})` : why)).join('\n')
  const question = { title: 'Удалить и те, что используются?', message, confirm: 'Удалить', danger: true }
  if (!(await confirm(question))) return first
  const second = await removeEach(entity, used, true)
  for (const [why] of asked) first.refused.delete(why)
  return {
    done: [...first.done, ...second.done],
    answers: [],
    refused: new Map([...first.refused, ...second.refused]),
  }
}
/** Beginning of the server's question. */
const USED = 'Здесь используется:'

/** For several records all refusals are reported together. */
const silentRecords = recordsWith({ forbidden: 'silent' })

/** «Удалено 3 из 5», with the reasons for the others. */
export const partlyRemoved = (removed: Several<number>) => partly(removed, 'Удалено', 'Ничего не удалено')

/**
 * Deletes one or several records; they leave the lists immediately. A toast offers undo: from the trash, or by creating
 * them again if the entity has none. Records that cannot be deleted stay, and the reason is reported.
 */
export function useRemove<E extends Entity>(entity: E, ...[options = {}]: RemoveArgs<E>) {
  const cache = useQueryClient()
  const restore = useRestoreMany(entity)
  const again = 'again' in options ? options.again : undefined
  const makeAgain = async (bodies: readonly Create<E>[]) => {
    try {
      for (const body of bodies) await records.create(entity, body)
    } catch (error) {
      notifyFailure(error as Error)
    }
    await invalidateRecords(cache, entity.path)
  }
  return useMutation({
    mutationFn: async (target: number | readonly number[]): Promise<Several<number>> => {
      const ids = listOf(target)
      if (ids.length !== 1) return removeMany(entity, ids, options.sure)
      await removeOne(entity, ids[0] as number, options.sure)
      return { done: [...ids], answers: [], refused: new Map() }
    },
    onMutate: async (target) => {
      const ids = new Set(listOf(target))
      const bodies = new Map([...ids].map((id) => [id, again?.(id)]))
      return { bodies, before: await changeLists(cache, entity.path, (all) => all.filter(({ id }) => !ids.has(id))) }
    },
    onError: (error, _target, context) => {
      if (context) putBack(cache, context.before)
      if (!(error instanceof Withdrawn)) notifyFailure(error)
    },
    onSuccess: (removed, _target, { bodies }) => {
      const ids = removed.done
      if (removed.refused.size > 0) {
        const { title, why } = partlyRemoved(removed)
        notify.error(why, { title })
      }
      if (ids.length === 0) return
      for (const id of ids) cache.removeQueries({ queryKey: [...recordKeys.views(entity.path), id] })
      const message = options.message ?? deletedText(entity, ids.length)
      const known = ids.flatMap((id) => bodies.get(id) ?? [])
      if (!entity.soft && known.length === 0) notify.success(message)
      else
        notify.undo(message, async () => {
          await (entity.soft ? restore.mutateAsync(ids) : makeAgain(known))
          options.onUndone?.()
        })
    },
    onSettled: () => void invalidateRecords(cache, entity.path),
  })
}

const listOf = (target: number | readonly number[]): readonly number[] =>
  typeof target === 'number' ? [target] : target

/** «Роль удалена», «Удалено записей: 3». */
const deletedText = (entity: Entity, count: number) =>
  count === 1 ? wordsOf(entity).removed() : `Удалено записей: ${count}`

/** Restores a deleted record. */
export function useRestore<E extends Entity>(entity: E) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => records.restore(entity, id),
    onError: notifyFailure,
    onSettled: () => void invalidateRecords(cache, entity.path),
  })
}

/** The same for several. */
export function useRestoreMany(entity: Entity) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (ids: readonly number[]) => {
      for (const id of ids) await records.restore(entity, id)
    },
    onError: notifyFailure,
    onSettled: () => void invalidateRecords(cache, entity.path),
  })
}

export interface MoveOptions {
  /** Text of a toast with undo; absent: no toast. */
  undo?: string
}

/** Moves a record in its ordered group, or into another one. Cached lists change at once and are restored on a refusal. */
export function useMove<E extends Entity>(entity: E, options: MoveOptions = {}) {
  const cache = useQueryClient()
  const move = useMutation({
    mutationFn: ({ id, ...place }: MovePlace & { id: number }) => records.move(entity, id, place),
    onMutate: async ({ id, ...place }) => ({
      back: wayBack(cache.getQueriesData({ queryKey: recordKeys.lists(entity.path) }), id, place.to),
      before: await changeLists(cache, entity.path, (items) =>
        placed(place.to ? items.map((item) => (item.id === id ? { ...item, ...place.to } : item)) : items, id, place),
      ),
    }),
    onError: (error, _place, context) => {
      if (context) putBack(cache, context.before)
      notifyFailure(error)
    },
    onSuccess: (_row, { id }, context) => {
      const back = context?.back
      if (options.undo && back)
        notify.undo(options.undo, async () => {
          await records.move(entity, id, back).catch(notifyFailure)
          await invalidateRecords(cache, entity.path)
        })
    },
    onSettled: () => void invalidateRecords(cache, entity.path),
  })
  return move
}

/** The current place of a record, in the form of a move; undefined when no cached list contains it. */
function wayBack(
  lists: [unknown, unknown][],
  id: number,
  to: Record<string, number> | undefined,
): MovePlace | undefined {
  for (const [, data] of lists) {
    const items = (data as { items?: ({ id: number } & Record<string, unknown>)[] } | undefined)?.items ?? []
    const at = items.findIndex((item) => item.id === id)
    if (at < 0) continue
    const group = to && Object.fromEntries(Object.keys(to).map((name) => [name, items[at]?.[name] as number]))
    const previous = items[at - 1]?.id
    const next = items[at + 1]?.id
    const where: MovePlace =
      previous !== undefined ? { after: previous } : next !== undefined ? { before: next } : { at: 'first' }
    return group ? { ...where, to: group } : where
  }
  return undefined
}

/** Creates, changes and deletes in one request, all or nothing. */
export function useBatch<E extends Entity>(entity: E) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: BatchBody<E>): Promise<BatchAnswer<E>> => records.batch(entity, body),
    onError: notifyFailure,
    onSettled: () => void invalidateRecords(cache, entity.path),
  })
}
