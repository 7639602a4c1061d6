import { useEffect, useMemo, useRef, useState } from 'react'

const SAVE_AFTER_MS = 400
const KEEP_MS = 14 * 86_400_000
const PREFIX = 'ordinator:draft:'

interface Stored<T> {
  at: number
  value: T
}

export interface Draft<T> {
  /** What was left unsaved last time, with the moment; undefined when nothing was. */
  found: { value: T; at: Date } | undefined
  /** Keeps the value, a moment after the last change. */
  keep: (value: T) => void
  /** After saving, or when the person throws the changes away. */
  drop: () => void
}

/**
 * Keeps what is being typed on this computer, so that neither Esc nor a crash loses it. `key` names the record and its
 * form: 'task:15:description'; undefined keeps nothing. Signing out clears all drafts.
 */
export function useDraft<T>(key: string | undefined): Draft<T> {
  const name = key === undefined ? undefined : PREFIX + key
  const [found, setFound] = useState(() => read<T>(name))
  const before = useRef(name)
  if (before.current !== name) {
    before.current = name
    setFound(read<T>(name))
  }
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; write: () => void }>(undefined)
  // What is waiting is written at once when the form closes.
  useEffect(() => () => flush(pending), [])
  return useMemo(
    () => ({
      found,
      keep(value) {
        if (!name) return
        clearTimeout(pending.current?.timer)
        const write = () => {
          pending.current = undefined
          localStorage.setItem(name, JSON.stringify({ at: Date.now(), value } satisfies Stored<T>))
        }
        pending.current = { write, timer: setTimeout(write, SAVE_AFTER_MS) }
      },
      drop() {
        clearTimeout(pending.current?.timer)
        pending.current = undefined
        if (name) localStorage.removeItem(name)
        setFound(undefined)
      },
    }),
    [name, found],
  )
}

function flush(pending: { current: { timer: ReturnType<typeof setTimeout>; write: () => void } | undefined }): void {
  clearTimeout(pending.current?.timer)
  pending.current?.write()
}

function read<T>(name: string | undefined): Draft<T>['found'] {
  const text = name && localStorage.getItem(name)
  if (!text) return undefined
  try {
    const { at, value } = JSON.parse(text) as Stored<T>
    return Date.now() - at < KEEP_MS ? { value, at: new Date(at) } : undefined
  } catch {
    return undefined
  }
}
