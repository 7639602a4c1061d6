import type { Create, Entity } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { recordsWith } from '#base/client.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '../keys.ts'
import { notifyFailure } from '../notifyFailure.ts'
import { leftOf, type Several, several } from '../several.ts'

/** Records named per refusal. */
const MAX_NAMED = 3

/** Calls for bulk writes: all refusals are reported together by `useBulkRun`. */
export const bulkRecords = recordsWith({ forbidden: 'silent' })

interface Options<R> {
  /** «сделка, сделки, сделок» */
  forms: readonly [string, string, string]
  nameOf: (row: R) => string
  /** Paths to refetch besides the written entity. */
  paths: readonly string[]
  changed?: ((rows: R[]) => void) | undefined
}

/** Undoes the write. */
type Undo = () => Promise<unknown>

/**
 * Changes several records: `write` changes the given rows in one request, all or nothing, and returns its undo. If some
 * are refused it is called for each of the others. Returns the unchanged rows, which have been reported to the user;
 * false: it failed as a whole.
 */
export function useBulkRun<R>({ forms, nameOf, paths, changed }: Options<R>) {
  const client = useQueryClient()
  return async (rows: R[], entity: Entity, done: string, write: (rows: R[]) => Promise<Undo>): Promise<R[] | false> => {
    const settle = () => {
      changed?.(rows)
      for (const path of new Set([entity.path, ...paths])) void invalidateRecords(client, path)
    }
    try {
      const result = await several(rows, write)
      const left = leftOf(result.refused)
      if (left.length) reportRefused(result, nameOf)
      const count = left.length ? `${result.done.length} из ${rows.length}` : counted(rows.length, forms)
      if (result.done.length)
        notify.undo(`${done}: ${count}`, async () => {
          for (const undo of result.answers) await undo().catch(notifyFailure)
          settle()
        })
      return left
    } catch (error) {
      notifyFailure(error)
      return false
    } finally {
      settle()
    }
  }
}

/**
 * Adds an item (a tag, a person) to those of several records that lack it; if none lacks it, removes it from all.
 * @param idsOf ids of the items of this kind in a record
 */
export function bulkToggle<R, E extends Entity>(
  run: ReturnType<typeof useBulkRun<R>>,
  entity: E,
  { on, off }: { on: string; off: string },
  idsOf: (row: R) => number[],
  bodyOf: (row: R) => Create<E>,
) {
  return (all: R[]) => {
    const lacking = all.filter((row) => idsOf(row).length === 0)
    if (lacking.length === 0)
      return run(all, entity, off, async (rows) => {
        await bulkRecords.batch(entity, { delete: rows.flatMap(idsOf) })
        return () => bulkRecords.batch(entity, { create: rows.map(bodyOf) })
      })
    return run(lacking, entity, on, async (rows) => {
      const made = await bulkRecords.batch(entity, { create: rows.map(bodyOf) })
      return () => bulkRecords.batch(entity, { delete: made.create.map(({ id }) => id) })
    })
  }
}

function reportRefused<R>({ done, refused }: Several<R>, nameOf: (row: R) => string): void {
  const lines = [...refused].map(([why, rows]) =>
    rows.length > MAX_NAMED ? `${why} (${rows.length})` : `${rows.map((row) => `«${nameOf(row)}»`).join(', ')}: ${why}`,
  )
  const left = leftOf(refused).length
  notify.error(lines.join('\n'), {
    title: done.length ? `Без изменений: ${left} из ${left + done.length}` : 'Ничего не изменено',
  })
}
