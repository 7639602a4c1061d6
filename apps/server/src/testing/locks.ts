import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#platform/db.ts'

/** Waits until this many statements of the clinic wait for a lock of another transaction, or `isOver`. */
export async function lockWaits(db: Db, count = 1, isOver: () => boolean = () => false): Promise<void> {
  while (!isOver()) {
    const rows = await db.query({
      text: `select 1 from pg_locks where not granted
        and pid in (select pid from pg_stat_activity where datname = current_database())`,
    })
    if (rows.length >= count) return
    await sleep(20)
  }
}

/** What `ask` answers while statements that read a table end as their time limit would end them. */
export const withoutTime = <T>(db: Db, table: string, ask: () => Promise<T>): Promise<T> =>
  db.tx(async (tx) => {
    await tx.query({ text: `lock table "${table}" in access exclusive mode` })
    let isOver = false
    const answer = ask().finally(() => (isOver = true))
    for (;;) {
      await lockWaits(db, 1, () => isOver)
      if (isOver) return answer
      await db.query({
        text: `select pg_cancel_backend(pid) from pg_locks where not granted
          and pid in (select pid from pg_stat_activity where datname = current_database())`,
      })
    }
  })
