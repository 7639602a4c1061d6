/** Pauses for operations that are expensive to refuse: the first few refusals are free, then each doubles the pause. */
const FREE = 3
/** All is forgotten after this long without a refusal. */
const MEMORY_MS = 60_000
const PAUSE_MS = 5_000
const MAX_PAUSE_MS = 20_000

/** Returns the pause after a refusal, in milliseconds. @param who key of the person, the same for all their requests */
export function createLenience(): { pauseOf(who: string): number } {
  const refusals = new Map<string, { times: number; last: number }>()
  return {
    pauseOf(who) {
      const now = Date.now()
      for (const [other, { last }] of refusals) if (now - last > MEMORY_MS) refusals.delete(other)
      const times = (refusals.get(who)?.times ?? 0) + 1
      refusals.set(who, { times, last: now })
      return times > FREE ? Math.min(PAUSE_MS * 2 ** (times - FREE - 1), MAX_PAUSE_MS) : 0
    },
  }
}
