import { constants, setPriority } from 'node:os'

/**
 * Lets a process that was just begun have the cores only as far as the server and the database leave them: what it reads
 * may wait, and who does not know of it must not. To be called at once: on Linux the threads that a process begins later
 * take its priority, those that it has keep theirs.
 */
export function giveWay({ pid }: { pid?: number | undefined }, priority = constants.priority.PRIORITY_LOW): void {
  if (pid === undefined) return
  try {
    setPriority(pid, priority)
  } catch {
    // Gone already, or a system that does not allow it: then it is as quick as the rest.
  }
}
