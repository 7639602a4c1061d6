/** JSON in local storage: shared by the tabs of a browser, cleared at the sign-out. */

import { storage } from '#kit/root.ts'

export function stored(key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** Undefined removes the key. A full or forbidden storage must not break a screen. */
export function write(key: string, value: unknown): void {
  try {
    if (value === undefined) storage.removeItem(key)
    else storage.setItem(key, JSON.stringify(value))
  } catch {}
}
