/**
 * The internal path to return to after sign-in, or '/' for an unsafe one: only a path of this app, never another host
 * ('//evil', '/\evil', 'javascript:'), and never the login page itself.
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

/** The whole search part of the URL, as parsed by the router. */
export type Search = Record<string, unknown>
