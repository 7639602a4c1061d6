import fs from 'node:fs'
import { setPriority } from 'node:os'

/** Priority (nice) of work that gives way: a third of the share of a core that the server gets beside it. */
const LOW = 5

/**
 * Gives a process that has just begun a low share of the cores: the server and the database come first, and on a busy
 * machine the work still goes on. Must be called at once: on Linux the threads that a process begins later take its
 * priority, those that it has keep theirs. `GIVE_WAY=0` switches it off.
 *
 * Where Linux shares the cores between sessions first (autogroup, sched(7)), a priority counts within a session alone,
 * and PostgreSQL gives each backend one: the session's own priority is lowered too, so the process must lead a session of
 * its own (`detached`), else its whole session would give way.
 */
export function giveWay({ pid }: { pid?: number | undefined }, priority = LOW): void {
  if (pid === undefined || process.env.GIVE_WAY === '0') return
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
