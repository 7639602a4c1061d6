import { useSyncExternalStore } from 'react'

const EVERY_MS = 30_000
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  now = Date.now()
  timer ??= setInterval(() => {
    now = Date.now()
    for (const tell of listeners) tell()
  }, EVERY_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The present moment, in milliseconds, to half a minute: for what is said of a wait. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
