/**
 * Answers of public reads that are the same for everybody, kept for seconds: whoever asks the same meanwhile is given the
 * answer of the first, also while it is being made. Any write of this server forgets them, one of another server as soon
 * as it is heard of.
 */
import type { AppContext } from './context.ts'

const MOST_KEPT = 500

interface Kept {
  answer: Promise<unknown>
  until: number
}

export interface KeptAnswers {
  /** @param seconds for which an answer is kept */
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
      // A refusal is nobody's but the one who was refused.
      answer.catch(() => kept.get(key) === entry && kept.delete(key))
      return answer
    },
  }
}
