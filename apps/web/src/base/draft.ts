import { useEffect, useMemo } from 'react'
import { session } from './session.ts'

const KEEP_AFTER_MS = 400
const KEEP_MS = 14 * 86_400_000
const PREFIX = 'ordinator:draft:'

interface Stored<T> {
  at: number
  value: T
}

/** What waits to be written: at once when the window closes, never when the person has signed out. */
const waiting = new Set<Pick<Draft<unknown>, 'name' | 'flush' | 'forget'>>()

/**
 * What is typed and not saved, on this computer and under the person's own name, so that neither Escape, nor a closed
 * window, nor a crash loses it. Signing out clears all drafts.
 */
export class Draft<T> {
  /** What was left last time, with the moment; undefined when nothing was. */
  found: { value: T; at: Date } | undefined
  readonly name: string | undefined
  private unwritten: { value: T; timer: ReturnType<typeof setTimeout> } | undefined

  /** @param key names the record and its form: 'task:15', undefined keeps nothing */
  constructor(key: string | undefined) {
    this.name = key && `${PREFIX}${session.actor()?.id}:${key}`
    // What is typed elsewhere on this page under the same name counts, though its moment has not passed yet.
    for (const draft of waiting) if (draft.name === this.name) draft.flush()
    this.found = read(this.name)
  }

  /** Keeps the value, a moment after the last change. */
  keep(value: T): void {
    if (!this.name) return
    this.forget()
    this.unwritten = { value, timer: setTimeout(() => this.flush(), KEEP_AFTER_MS) }
    waiting.add(this)
  }

  /** Writes what waits. */
  flush(): void {
    if (!this.name || !this.unwritten) return
    const stored: Stored<T> = { at: Date.now(), value: this.unwritten.value }
    this.forget()
    try {
      localStorage.setItem(this.name, JSON.stringify(stored))
    } catch {
      // A full storage: what is typed is still on the screen.
    }
  }

  /** After saving, or when the person throws the changes away. */
  drop(): void {
    this.forget()
    this.found = undefined
    if (this.name) localStorage.removeItem(this.name)
  }

  /** What waits is not written. */
  forget(): void {
    clearTimeout(this.unwritten?.timer)
    this.unwritten = undefined
    waiting.delete(this)
  }
}

/** The draft of a form, for as long as the form stands. */
export function useDraft<T>(key: string | undefined): Draft<T> {
  const draft = useMemo(() => new Draft<T>(key), [key])
  useEffect(() => () => draft.flush(), [draft])
  return draft
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

if (typeof window !== 'undefined')
  window.addEventListener('pagehide', () => {
    for (const draft of waiting) draft.flush()
  })
session.onLeave(() => {
  for (const draft of waiting) draft.forget()
})
