/** CPU time of a server and of the PostgreSQL processes of its connections: Linux reports nanoseconds. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Db } from '../apps/server/src/platform/db.ts'

/** Starts counting; the returned function gives the milliseconds since. Connections opened later are not included. */
export async function ownCpu(pid: number, db: Db): Promise<() => { server: number; postgres: number }> {
  const backends = await db.query<{ pid: number }>({
    text: `select pid from pg_stat_activity where application_name = 'ordinator'`,
  })
  const now = () => ({ server: spent(pid), postgres: backends.reduce((sum, one) => sum + spent(one.pid), 0) })
  const began = now()
  return () => {
    const ended = now()
    return { server: ended.server - began.server, postgres: ended.postgres - began.postgres }
  }
}

/** CPU milliseconds of a process. */
export function spent(pid: number): number {
  let total = 0
  for (const thread of tasksOf(pid)) {
    try {
      total += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    } catch {
      // It has ended.
    }
  }
  return total / 1e6
}

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}
