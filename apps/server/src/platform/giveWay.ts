import fs from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Lets a process that was just begun have the cores only as far as the server and the database leave them: what it reads
 * may wait, and who does not know of it must not. To be called at once: on Linux the threads that a process begins later
 * take its priority, those that it has keep theirs.
 *
 * Where Linux shares the cores between sessions first (autogroup, sched(7)), a priority counts within a session alone,
 * and PostgreSQL gives each backend one: the session's own priority is lowered too, so the process must lead a session of
 * its own (`detached`), else its whole session would give way.
 */
export function giveWay({ pid }: { pid?: number | undefined }, priority = constants.priority.PRIORITY_LOW): void {
  if (pid === undefined) return
  try {
    setPriority(pid, priority)
    // A system without it has no such file.
    if (process.platform === 'linux') lowerSession(pid, priority)
  } catch {
    // Gone already, or a system that does not allow it: then it is as quick as the rest.
  }
}

/** One such change a tenth of a second is let through from all who do not own the machine. */
const AGAIN_MS = 110
const TRIES = 20

function lowerSession(pid: number, priority: number, tries = TRIES): void {
  fs.writeFile(`/proc/${pid}/autogroup`, `${priority}`, (error) => {
    if (error?.code === 'EAGAIN' && tries > 1)
      setTimeout(lowerSession, AGAIN_MS * (1 + Math.random()), pid, priority, tries - 1).unref()
  })
}
