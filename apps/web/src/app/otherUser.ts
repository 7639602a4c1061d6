/**
 * Sign-in shared with the older CRM: each system stores the id of its signed-in user in a cookie, and a flag cookie
 * requests a sign-out. Pure; OtherUserWatch.tsx acts on it.
 */

const DAY_SECONDS = 86_400

/** The last two labels of the host, so that sibling hosts share the cookie; none for an IP address or a bare name. */
export function cookieDomain(host: string): string | undefined {
  if (/^[\d.]+$/.test(host) || host.includes(':')) return undefined
  const labels = host.split('.').filter(Boolean)
  return labels.length < 2 ? undefined : labels.slice(-2).join('.')
}

/** The value of a cookie in the text of `document.cookie`. */
export function readCookie(cookies: string, name: string): string | undefined {
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return decoded(pair.slice(at + 1).trim())
  }
  return undefined
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** The text for `document.cookie`; an empty value deletes it. Expires in a day. */
export function cookieText(name: string, value: string, host: string): string {
  const domain = cookieDomain(host)
  const age = value ? DAY_SECONDS : 0
  return `${name}=${encodeURIComponent(value)}; path=/; max-age=${age}; samesite=lax${domain ? `; domain=${domain}` : ''}`
}

export interface UserCookies {
  current?: string
  other?: string
  logout?: string
}

export type UserState = { kind: 'same' } | { kind: 'logout' } | { kind: 'mismatch'; otherId: string }

/** The state of our user by the cookies. A flag of '', '0' or 'false' requests no sign-out. */
export function userState(cookies: string, names: UserCookies, ourId: number): UserState {
  const flag = names.logout && readCookie(cookies, names.logout)
  if (flag && flag !== '0' && flag !== 'false') return { kind: 'logout' }
  const otherId = names.other && readCookie(cookies, names.other)
  return otherId && otherId !== String(ourId) ? { kind: 'mismatch', otherId } : { kind: 'same' }
}
