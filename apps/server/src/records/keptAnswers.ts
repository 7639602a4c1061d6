/**
 * Cache of public answers that are the same for everybody, for seconds: concurrent requests share one computation. Any
 * write of this server clears it, a write of another server as soon as it is signalled.
 */
import type { AppContext } from './context.ts'

const MOST_KEPT = 500

interface Kept {
  answer: Promise<unknown>
  until: number
}

export interface KeptAnswers {
  /** @param seconds how long an answer is cached */
  of(key: string, seconds: number, make: () => Promise<unknown>): Promise<unknown>
  forget(): void
}

export function createKeptAnswers({ fanout, onClose }: Pick<AppContext, 'fanout' | 'onClose'>): KeptAnswers {
  const kept = new Map<string, Kept>()
  const forget = () => kept.clear()
  const stops = [fanout.subscribe('records', forget), fanout.onGap(forget)]
  onClose(() => {
    for (const stop of stops) stop()
  })
  return {
    forget,
    of(key, seconds, make) {
      const found = kept.get(key)
      if (found && found.until > Date.now()) return found.answer
      const answer = make()
      const entry = { answer, until: Date.now() + seconds * 1_000 }
      kept.delete(key)
      kept.set(key, entry)
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value as string)
      // Errors are not cached.
      answer.catch(() => kept.get(key) === entry && kept.delete(key))
      return answer
    },
  }
}
