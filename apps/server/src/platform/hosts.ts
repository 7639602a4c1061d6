/**
 * Names by which a part of the product is reached instead of the product itself: what comes by such a name is led under
 * that part's prefix, so that nothing else is there.
 */
import type { IncomingMessage } from 'node:http'

export interface Hosts {
  /** @param host null: the part has no name of its own; the product's own name is not taken either */
  set(part: string, host: string | null): void
  of(part: string): string | undefined
  /** Whether a request came by the part's own name. @param header as the request says it, with a port or without */
  isOwn(part: string, header: string | undefined): boolean
  /** The address that a request means. */
  rewrite(request: IncomingMessage): string
}

/** What a page of any part may ask for by the product's own addresses. */
const shared = /^\/(live-assist|intake|portal)(\/|\?|$)/

/** A name as parts are told apart by it: without a port and `www.` */
const nameOf = (header: string | undefined) =>
  header
    ?.toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^www\./, '')

/** Whether this is the name that the product itself is opened by: led to a part it would shut the clinic out. */
export const isProductHost = (publicUrl: string, host: string): boolean =>
  URL.canParse(publicUrl) && nameOf(new URL(publicUrl).hostname) === nameOf(host)

export function createHosts(publicUrl: string): Hosts {
  const hosts = new Map<string, string>()
  const isOwn = (part: string, header: string | undefined) => {
    const host = hosts.get(part)
    return host !== undefined && nameOf(header) === host
  }
  return {
    set(part, host) {
      if (host && !isProductHost(publicUrl, host)) hosts.set(part, host)
      else hosts.delete(part)
    },
    of: (part) => hosts.get(part),
    isOwn,
    rewrite({ url = '/', headers }) {
      if (hosts.size === 0 || shared.test(url)) return url
      const part = [...hosts.keys()].find((one) => isOwn(one, headers.host))
      return part === undefined ? url : `/${part}${url}`
    },
  }
}
