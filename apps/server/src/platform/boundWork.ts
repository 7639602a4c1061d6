/** Bounds of work that is done beside the server's own thread. */
import { statOf } from './processStat.ts'

export interface WorkBounds {
  /** Milliseconds of the processor that the work itself may take. */
  workMs: number
  /** Milliseconds on the clock; absent: four times `workMs`. A busy machine reaches it, and so does work that hangs. */
  clockMs?: number | undefined
}

/** Which bound was passed: the work is too much (`work`), or the machine had no time for it (`clock`). */
export type Late = 'work' | 'clock'

const LOOK_MS = 250
const CLOCK_TIMES = 4

/**
 * Calls `late` once when a bound is passed.
 * @param spent milliseconds of the processor taken so far; undefined where the system does not tell, then the clock counts
 * @returns ends the watch
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

/** Milliseconds of the processor that a process has taken; undefined where only Linux would tell, or when it is gone. */
export const processSpent = ({ pid }: { pid?: number | undefined }): number | undefined =>
  pid === undefined ? undefined : statOf(pid)?.spentMs
