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
