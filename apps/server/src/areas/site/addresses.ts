/** Where the site stands and what leads where. */
import { createHmac } from 'node:crypto'
import { isLink } from '@ordinator/model/areas/site/blocks'

export interface Place {
  /** Before every address of the site: '/site', or '' on a domain of its own. */
  base: string
  /** The address that search engines are told: without a slash at the end. */
  origin: string
}

/** An address of the site as a page leads to it. @param path begins with a slash */
export const at = ({ base }: Place, path: string): string => (path === '/' ? base || '/' : base + path)
export const fullAddress = ({ origin }: Place, path: string): string => (path === '/' ? `${origin}/` : origin + path)

/** What somebody has written as an address, as a page may lead to it; '#' where it may not. */
export function safeAddress(place: Place, written: string): string {
  if (!isLink(written)) return '#'
  if (!written.startsWith('/')) return written
  if (/^\/portal(?=[/?#]|$)/.test(written)) return written
  // Whoever copied it from the product's own address means the same page.
  const own = written.replace(/^\/site(?=[/?#]|$)/, '')
  return at(place, own.startsWith('/') ? own : `/${own}`)
}

/** Of a service or, where it says so, of a product. */
export const serviceAddress = (one: { id: number; friendlyUrl: string | null; isGood?: boolean }): string =>
  `/${one.isGood ? 'goods' : 'services'}/${encodeURIComponent(one.friendlyUrl || one.id)}`

export type Size = 'small' | 'medium' | 'large'

/** Opens a file of the site to whoever looks at a draft, for the day. */
export const previewKey = (secret: string, id: number, day: string): string =>
  createHmac('sha256', secret).update(`site file ${id} ${day}`).digest('base64url').slice(0, 22)

/** An address as the header of a redirect says it: what is encoded already stays as it is. */
export const locationOf = (to: string): string =>
  /^https?:\/\//i.test(to)
    ? new URL(to).href
    : to.replace(/[^\x21-\x7e]+/g, (letters) => encodeURIComponent(letters.toWellFormed()))
