/**
 * Host names of single parts of the product (the site, the portal): requests to such a host are rewritten to the prefix
 * of that part, so that nothing else is reachable there.
 */
import type { IncomingMessage } from 'node:http'

export interface Hosts {
  /** @param host null: the part has no host of its own; the product's own host is rejected */
  set(part: string, host: string | null): void
  of(part: string): string | undefined
  /** True when the request came to the part's own host. @param header the Host header, with or without a port */
  isOwn(part: string, header: string | undefined): boolean
  /** The URL after rewriting. */
  rewrite(request: IncomingMessage): string
}

/** Product paths that pages of any part may request. */
const shared = /^\/(live-assist|intake|portal)(\/|\?|$)/

/** Normalised host name: without port and `www.` */
const nameOf = (header: string | undefined) =>
  header
    ?.toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^www\./, '')

/** True for the product's own host: assigning it to a part would lock the clinic out. */
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
