import { BlockList, isIP } from 'node:net'
import { readNetwork } from '@ordinator/model/areas/settings/networks'

/** Groups client addresses: an IPv4 address, or the /64 prefix of an IPv6 address. */
export function addressOf(ip: string): string {
  if (!ip.includes(':') || ip.startsWith('::ffff:')) return ip.replace('::ffff:', '')
  const [head = '', tail = ''] = ip.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const zeros = ip.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : []
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}

/** True when a server listening on this host is reachable only from this machine. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')

/** Parsed address lists, cached by their text. */
const lists = new Map<string, BlockList>()
const MAX_LISTS = 20

/** True when the address is in the list of addresses and networks; an empty list allows any address. */
export function isWithin(allowed: readonly string[], ip: string): boolean {
  if (allowed.length === 0) return true
  const key = allowed.join(' ')
  let list = lists.get(key)
  if (!list) {
    list = new BlockList()
    for (const text of allowed) {
      const network = readNetwork(text)
      if (network) list.addSubnet(network.address, network.bits, network.family)
    }
    if (lists.size >= MAX_LISTS) lists.clear()
    lists.set(key, list)
  }
  const address = ip.replace(/^::ffff:(?=[\d.]+$)/, '')
  return list.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
}

/** Named networks allowed in the server's settings. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Client address outside Fastify: the last address of X-Forwarded-For that is not a trusted proxy. */
export function clientAddress(
  { socket, headers }: { socket: { remoteAddress?: string | undefined }; headers: Record<string, unknown> },
  trusted: readonly string[],
): string {
  const networks = trusted.flatMap((one) => NAMED[one] ?? [one])
  const forwarded = String(headers['x-forwarded-for'] ?? '')
  let address = socket.remoteAddress ?? ''
  for (const next of forwarded.split(',').reverse()) {
    if (networks.length === 0 || !isIP(address) || !isWithin(networks, address) || !isIP(next.trim())) break
    address = next.trim()
  }
  return address
}
