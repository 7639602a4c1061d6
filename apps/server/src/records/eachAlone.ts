import { toHttpError } from '../platform/answers.ts'
import type { AppContext } from './context.ts'

/** Failures that are told one by one; the rest are counted. */
const MOST_TOLD = 20

/**
 * Does what is due with each row on its own: one that cannot be done is told in the log, and the others are done all the
 * same. Work begins a transaction of its own, so that of the failed row nothing is half-written. What no row is to blame
 * for (the base is away, the disk is full) ends the run, which the queue repeats.
 * @param what the name of the job, for the log
 * @returns the ids of the rows that failed
 */
export async function eachAlone<T extends { readonly id: number | string }>(
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
      if (failed.length <= MOST_TOLD) log.error({ err: error, job: what, id: row.id }, 'a row was left')
    }
  }
  if (failed.length > MOST_TOLD) log.error({ job: what, count: failed.length }, 'rows were left')
  return failed
}

const isOfNoRow = (error: unknown): boolean => ['database', 'disk'].includes(toHttpError(error).code ?? '')
