import { useEffect, useMemo } from 'react'
import { storage } from '#kit/root.ts'
import { session } from './session.ts'

const KEEP_AFTER_MS = 400
const KEEP_MS = 14 * 86_400_000
const PREFIX = 'ordinator:draft:'

interface Stored<T> {
  at: number
  value: T
}

/** Drafts to be written: at once when the window closes, never after the sign-out. */
const waiting = new Set<Pick<Draft<unknown>, 'name' | 'flush' | 'forget'>>()

/**
 * Unsaved input, stored on this computer per user, so that neither Escape, a closed window nor a crash loses it. Signing
 * out clears all drafts.
 */
export class Draft<T> {
  /** The stored value with its time, if any. */
  found: { value: T; at: Date } | undefined
  readonly name: string | undefined
  private unwritten: { value: T; timer: ReturnType<typeof setTimeout> } | undefined

  /** @param key identifies the record and its form: 'task:15'; undefined stores nothing */
  constructor(key: string | undefined) {
    this.name = key && `${PREFIX}${session.actor()?.id}:${key}`
    // Pending input under the same name elsewhere on this page counts too: write it first.
    for (const draft of waiting) if (draft.name === this.name) draft.flush()
    this.found = read(this.name)
  }

  /** Stores the value, debounced. */
  keep(value: T): void {
    if (!this.name) return
    this.forget()
    this.unwritten = { value, timer: setTimeout(() => this.flush(), KEEP_AFTER_MS) }
    waiting.add(this)
  }

  /** Writes the pending value. */
  flush(): void {
    if (!this.name || !this.unwritten) return
    const stored: Stored<T> = { at: Date.now(), value: this.unwritten.value }
    this.forget()
    try {
      storage.setItem(this.name, JSON.stringify(stored))
    } catch {
      // The storage is full: the input is still on the screen.
    }
  }

  /** After saving, or when the user discards the changes. */
  drop(): void {
    this.forget()
    this.found = undefined
    if (this.name) storage.removeItem(this.name)
  }

  /** Cancels the pending write. */
  forget(): void {
    clearTimeout(this.unwritten?.timer)
    this.unwritten = undefined
    waiting.delete(this)
  }
}

/** The draft of a form while it is mounted. */
export function useDraft<T>(key: string | undefined): Draft<T> {
  const draft = useMemo(() => new Draft<T>(key), [key])
  useEffect(() => () => draft.flush(), [draft])
  return draft
}

function read<T>(name: string | undefined): Draft<T>['found'] {
  const text = name && storage.getItem(name)
  if (!text) return undefined
  try {
    const { at, value } = JSON.parse(text) as Stored<T>
    return Date.now() - at < KEEP_MS ? { value, at: new Date(at) } : undefined
  } catch {
    return undefined
  }
}

if (typeof window !== 'undefined')
  window.addEventListener('pagehide', () => {
    for (const draft of waiting) draft.flush()
  })
session.onLeave(() => {
  for (const draft of waiting) draft.forget()
})
