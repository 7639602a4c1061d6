/**
 * The inner address to return to after sign-in, or '/' when the given one is not safe: only a path of this app, never
 * another host ('//evil', '/\evil', 'javascript:'), and never the login page itself.
 */
export function safeRedirect(value: unknown): string {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value) || /[\u0000-\u001f\\]/.test(value)) return '/'
  return /^\/login([/?#]|$)/.test(value) ? '/' : value
}

/** A search parameter as text: the router turns '404' into a number. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value || undefined
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** The whole search of the address, as the router parsed it. */
export type Search = Record<string, unknown>
