import fs from 'node:fs'
import { setPriority } from 'node:os'

/** Low priority (nice): a third of the CPU share that the server gets beside it. */
const LOW = 5

/**
 * Lowers the priority of a process that has just started: the server and the database come first, and on a busy machine
 * the work still progresses. Call it immediately: on Linux threads that start later inherit the priority, existing
 * threads keep theirs. `GIVE_WAY=0` switches it off.
 *
 * Where Linux shares the CPU between sessions first (autogroup, sched(7)), a priority counts only within a session, and
 * each PostgreSQL backend is a session of its own: the session's priority is lowered too, so the process must lead its
 * own session (`detached`), otherwise the priority of the whole session would drop.
 */
export function lowerPriority({ pid }: { pid?: number | undefined }, priority = LOW): void {
  if (pid === undefined || process.env.GIVE_WAY === '0') return
  try {
    setPriority(pid, priority)
    // Without autogroup the file does not exist.
    if (process.platform === 'linux') lowerSession(pid, priority)
  } catch {
    // The process has ended, or the system does not allow it: it keeps its normal priority.
  }
}

/** Linux lets an unprivileged user make one such change per tenth of a second. */
const AGAIN_MS = 110
const TRIES = 20

function lowerSession(pid: number, priority: number, tries = TRIES): void {
  fs.writeFile(`/proc/${pid}/autogroup`, `${priority}`, (error) => {
    if (error?.code === 'EAGAIN' && tries > 1)
      setTimeout(lowerSession, AGAIN_MS * (1 + Math.random()), pid, priority, tries - 1).unref()
  })
}
