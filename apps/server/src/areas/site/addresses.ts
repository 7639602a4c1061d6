/** Addresses and links of the site. */
import { createHmac } from 'node:crypto'
import { isLink } from '@ordinator/model/areas/site/blocks'

export interface Place {
  /** Prefix of every address of the site: '/site', or '' on its own domain. */
  base: string
  /** Canonical address for search engines: without a trailing slash. */
  origin: string
}

/** An address of the site as used in links. @param path begins with a slash */
export const at = ({ base }: Place, path: string): string => (path === '/' ? base || '/' : base + path)
export const fullAddress = ({ origin }: Place, path: string): string => (path === '/' ? `${origin}/` : origin + path)

/** A written address made safe for a link; '#' if it is not allowed. */
export function safeAddress(place: Place, written: string): string {
  if (!isLink(written)) return '#'
  if (!written.startsWith('/')) return written
  if (/^\/portal(?=[/?#]|$)/.test(written)) return written
  // A link copied from the product's own address means the same page.
  const own = written.replace(/^\/site(?=[/?#]|$)/, '')
  return at(place, own.startsWith('/') ? own : `/${own}`)
}

/** Of a service or, if marked so, of a product. */
export const serviceAddress = (one: { id: number; friendlyUrl: string | null; isGood?: boolean }): string =>
  `/${one.isGood ? 'goods' : 'services'}/${encodeURIComponent(one.friendlyUrl || one.id)}`

export type Size = 'small' | 'medium' | 'large'

/** Key that opens a file of the site in a draft's preview, for the day. */
export const previewKey = (secret: string, id: number, day: string): string =>
  createHmac('sha256', secret).update(`site file ${id} ${day}`).digest('base64url').slice(0, 22)

/** An address for a redirect header: encoded parts are unchanged. */
export const locationOf = (to: string): string =>
  /^https?:\/\//i.test(to)
    ? new URL(to).href
    : to.replace(/[^\x21-\x7e]+/g, (letters) => encodeURIComponent(letters.toWellFormed()))
