import { toHttpError } from '#platform/answers.ts'
import type { AppContext } from './context.ts'

/** Failures logged one by one; the rest are counted. */
const MAX_LOGGED = 20

/**
 * Processes due rows independently: a failing row is logged, and the others are still processed. `work` opens its own
 * transaction, so that a failed row leaves nothing half-written. An error no row is to blame for (database down, disk
 * full) ends the run, which the queue retries.
 * @param what name of the job, for the log
 * @returns ids of the failed rows
 */
export async function oneByOne<T extends { readonly id: number | string }>(
  { log }: Pick<AppContext, 'log'>,
  what: string,
  rows: readonly T[],
  work: (row: T) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<T['id'][]> {
  const failed: T['id'][] = []
  for (const row of rows) {
    if (signal?.aborted) break
    try {
      await work(row)
    } catch (error) {
      if (isOfNoRow(error)) throw error
      failed.push(row.id)
      if (failed.length <= MAX_LOGGED) log.error({ err: error, job: what, id: row.id }, 'a row was left')
    }
  }
  if (failed.length > MAX_LOGGED) log.error({ job: what, count: failed.length }, 'rows were left')
  return failed
}

const isOfNoRow = (error: unknown): boolean => ['database', 'disk'].includes(toHttpError(error).code ?? '')
