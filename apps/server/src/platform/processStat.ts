import { readFileSync } from 'node:fs'

export interface ProcessStat {
  /** One letter, as in `ps`: R running or runnable, S sleeping, T stopped, Z zombie. */
  state: string
  /** Start time in ticks since boot: distinguishes a process from a later one with the same pid. */
  started: string
  /** CPU milliseconds used. */
  spentMs: number
}

/** Milliseconds per tick of /proc: USER_HZ is 100 on every platform that Node supports. */
const TICK_MS = 10

/** State of a process on Linux (proc(5)); undefined elsewhere, and when the process is gone. */
export function statOf(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may contain anything; the fields continue after its last parenthesis.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const spentMs = (Number(fields[11]) + Number(fields[12])) * TICK_MS
    return { state: fields[0] ?? '', started: fields[19] ?? '', spentMs }
  } catch {
    return undefined
  }
}
