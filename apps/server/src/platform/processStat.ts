import { readFileSync } from 'node:fs'

export interface ProcessStat {
  /** One letter, as in `ps`: R runs or would, S sleeps, T is stopped, Z has ended. */
  state: string
  /** Since the machine began, in ticks: tells a process from another that gets its number later. */
  started: string
  /** Milliseconds of the processor that it has taken. */
  spentMs: number
}

/** Milliseconds of a tick of /proc: USER_HZ is 100 on every platform that Node runs on. */
const TICK_MS = 10

/** A process of this machine, as Linux tells (proc(5)); undefined elsewhere, and when it is gone. */
export function statOf(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may hold anything; the fields go on after its last bracket.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const spentMs = (Number(fields[11]) + Number(fields[12])) * TICK_MS
    return { state: fields[0] ?? '', started: fields[19] ?? '', spentMs }
  } catch {
    return undefined
  }
}
