/** Limits for work outside the server's own thread. */
import { statOf } from './processStat.ts'

export interface WorkBounds {
  /** CPU milliseconds that the work may take. */
  workMs: number
  /** Wall-clock milliseconds; absent: four times `workMs`. Reached on a busy machine or when the work hangs. */
  clockMs?: number | undefined
}

/** Which limit was exceeded: too much CPU (`work`), or no time on the machine (`clock`). */
export type Late = 'work' | 'clock'

const LOOK_MS = 250
const CLOCK_TIMES = 4

/**
 * Calls `late` once when a limit is exceeded.
 * @param spent CPU milliseconds so far; undefined where the system does not report them, then the wall clock counts
 * @returns stops the watch
 */
export function boundWork(
  spent: () => number | undefined | Promise<number | undefined>,
  { workMs, clockMs = workMs * CLOCK_TIMES }: WorkBounds,
  late: (why: Late) => void,
): () => void {
  const began = performance.now()
  let before: number | undefined
  let over = false
  const end = () => {
    over = true
    clearInterval(timer)
  }
  const look = async () => {
    const clock = performance.now() - began
    const taken = await spent()
    if (over) return
    before ??= taken
    const why: Late | undefined =
      (taken === undefined ? clock : taken - (before ?? 0)) >= workMs ? 'work' : clock >= clockMs ? 'clock' : undefined
    if (!why) return
    end()
    late(why)
  }
  const timer = setInterval(() => void look().catch(() => {}), Math.min(LOOK_MS, workMs, clockMs))
  void look().catch(() => {})
  return end
}

/** CPU milliseconds of a process; undefined when not on Linux or when the process has ended. */
export const processSpent = ({ pid }: { pid?: number | undefined }): number | undefined =>
  pid === undefined ? undefined : statOf(pid)?.spentMs
