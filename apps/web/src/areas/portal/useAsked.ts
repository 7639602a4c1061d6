import { useCallback, useEffect, useState } from 'react'
import { Refusal } from './ask.ts'

export type Asked<T> = { data?: T; refusal?: Refusal; again: () => void }

/** Result of a call; repeated when its key changes. */
export function useAsked<T>(ask: (signal: AbortSignal) => Promise<T>, key: string): Asked<T> {
  const [result, setResult] = useState<{ key: string; data?: T; refusal?: Refusal }>({ key })
  const [turn, setTurn] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the request
  useEffect(() => {
    const gone = new AbortController()
    ask(gone.signal).then(
      (data) => setResult({ key, data }),
      (error: unknown) => {
        if (!gone.signal.aborted)
          setResult({ key, refusal: error instanceof Refusal ? error : new Refusal(0, String(error)) })
      },
    )
    return () => gone.abort()
  }, [key, turn])
  const again = useCallback(() => setTurn((now) => now + 1), [])
  return result.key === key ? { ...result, again } : { again }
}
