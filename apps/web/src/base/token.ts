/** The access token in local storage: shared by the tabs of a browser. */

import { storage } from '#kit/root.ts'

const KEY = 'ordinator:token'

export const token = {
  get: (): string | null => storage.getItem(KEY),
  set: (value: string): void => storage.setItem(KEY, value),

  /** Calls back when another tab signs out (null) or gets a new token. */
  watch(onChange: (value: string | null) => void): () => void {
    const listen = (event: StorageEvent) => {
      if (event.key === null || event.key === storage.key(KEY)) onChange(token.get())
    }
    window.addEventListener('storage', listen)
    return () => window.removeEventListener('storage', listen)
  },
}

/** Expiry of a token, milliseconds since 1970; Infinity without one. */
export function expiryOf(jwt: string): number {
  const { exp } = claimsOf(jwt)
  return typeof exp === 'number' ? exp * 1000 : Number.POSITIVE_INFINITY
}

/** User id of the token, if any. */
export function userOf(jwt: string): string | undefined {
  const { sub } = claimsOf(jwt)
  return typeof sub === 'string' ? sub : undefined
}

function claimsOf(jwt: string): { exp?: unknown; sub?: unknown } {
  try {
    return JSON.parse(atob((jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return {}
  }
}
