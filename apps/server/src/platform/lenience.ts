/** Of what costs much to refuse: the first few are an error of a hand, each one after them waits twice as long as the last. */
const FREE = 3
/** Without a refusal for so long, all is forgotten. */
const MEMORY_MS = 60_000
const PAUSE_MS = 5_000
const MAX_PAUSE_MS = 20_000

/** Tells after how long who was refused may go on, in milliseconds. @param who the same for all that one person asks */
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
