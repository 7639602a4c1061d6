import type { Entity } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError, errorMessage } from '../../base/apiError.ts'
import { notify } from '../../kit/notify.tsx'
import { invalidateRecords } from '../keys.ts'

/** Records named when a change of many is refused. */
const MAX_NAMED = 3

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
 * Changes several records at once: `write` does it in one request, all or nothing, and answers how to undo it. False:
 * nothing was changed, and the person has been told why.
 */
export function useBulkRun<R>({ forms, nameOf, paths, changed }: Options<R>) {
  const client = useQueryClient()
  return async (rows: R[], entity: Entity, done: string, write: () => Promise<Undo>): Promise<boolean> => {
    const settle = () => {
      changed?.(rows)
      for (const path of new Set([entity.path, ...paths])) void invalidateRecords(client, path)
    }
    try {
      const undo = await write()
      notify.undo(`${done}: ${counted(rows.length, forms)}`, async () => {
        await undo().catch((error) => failed(error, rows, nameOf))
        settle()
      })
      return true
    } catch (error) {
      failed(error, rows, nameOf)
      return false
    } finally {
      settle()
    }
  }
}

/** Errors of a batch name their items: `update[3].dateEnd`. Nothing of the batch was written then. */
function failed<R>(error: unknown, rows: R[], nameOf: (row: R) => string): void {
  if (!(error instanceof ApiError)) return void notify.error(errorMessage(error))
  if (error.status === 403 || error.status === 401 || error.code === 'network') return
  const lines = (error.fields ?? []).flatMap(({ field, message }) => {
    const at = /\[(\d+)\]/.exec(field)?.[1]
    const row = at === undefined ? undefined : rows[Number(at)]
    return row ? [`«${nameOf(row)}»: ${message}`] : [message]
  })
  notify.error(lines.slice(0, MAX_NAMED).join('\n') || errorMessage(error), { title: 'Ничего не изменено' })
}
