/** Of what costs much to refuse: the first few of a minute are an error of a hand, more of them are made to wait. */
const FREE = 3
const MEMORY_MS = 60_000
const PAUSE_MS = 5_000

/** Tells after how long who was refused may go on, in milliseconds. @param who the same for all that one person asks */
export function createLenience(): { pauseOf(who: string): number } {
  const refusals = new Map<string, number[]>()
  return {
    pauseOf(who) {
      const since = Date.now() - MEMORY_MS
      for (const [other, times] of refusals) if ((times.at(-1) ?? 0) < since) refusals.delete(other)
      const recent = [...(refusals.get(who) ?? []).filter((at) => at >= since), Date.now()].slice(-FREE - 1)
      refusals.set(who, recent)
      return recent.length > FREE ? PAUSE_MS : 0
    },
  }
}
