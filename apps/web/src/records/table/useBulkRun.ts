import type { Create, Entity } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { recordsWith } from '../../base/client.ts'
import { notify } from '../../kit/notify.tsx'
import { invalidateRecords } from '../keys.ts'
import { leftOf, type Several, several } from '../several.ts'
import { tellFailure } from '../tellFailure.ts'

/** Records named of those that one refusal leaves as they were. */
const MAX_NAMED = 3

/** What writes many at once speaks through this: refusals, by rights too, are told together by `useBulkRun`. */
export const bulkRecords = recordsWith({ forbidden: 'silent' })

interface Options<R> {
  /** «сделка, сделки, сделок» */
  forms: readonly [string, string, string]
  nameOf: (row: R) => string
  /** What is read again besides the entity that was written. */
  paths: readonly string[]
  changed?: ((rows: R[]) => void) | undefined
}

/** How to undo what was written. */
type Undo = () => Promise<unknown>

/**
 * Changes several records at once: `write` does it to the rows it is given in one request, all or nothing, and answers
 * how to undo it. Where some are refused it is asked for each of the others. Answers the rows that stayed as they were,
 * of which the person has been told why; false: it failed as a whole.
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
      if (left.length) tellLeft(result, nameOf)
      const count = left.length ? `${result.done.length} из ${rows.length}` : counted(rows.length, forms)
      if (result.done.length)
        notify.undo(`${done}: ${count}`, async () => {
          for (const undo of result.answers) await undo().catch(tellFailure)
          settle()
        })
      return left
    } catch (error) {
      tellFailure(error)
      return false
    } finally {
      settle()
    }
  }
}

/**
 * Puts a small thing (a tag, a person) on those of several records that lack it; where none lacks it, takes it off all.
 * @param idsOf of a record: the things of this kind that it has
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

function tellLeft<R>({ done, refused }: Several<R>, nameOf: (row: R) => string): void {
  const lines = [...refused].map(([why, rows]) =>
    rows.length > MAX_NAMED ? `${why} (${rows.length})` : `${rows.map((row) => `«${nameOf(row)}»`).join(', ')}: ${why}`,
  )
  const left = leftOf(refused).length
  notify.error(lines.join('\n'), {
    title: done.length ? `Без изменений: ${left} из ${left + done.length}` : 'Ничего не изменено',
  })
}
