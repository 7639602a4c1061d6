import { Socket } from 'node:net'
import { splitOptions } from './schema.ts'

/** The address of a database as the driver connects to it: a port of a host, or a socket in a folder. */
function endpointOf(databaseUrl: string): { port: number; path: string | undefined } {
  const { url } = splitOptions(databaseUrl)
  const parsed = new URL(url.replace('@/', '@localhost/'))
  const port = Number(parsed.searchParams.get('port') ?? parsed.port) || 5432
  const folder = parsed.searchParams.get('host')
  return { port, path: folder?.startsWith('/') ? `${folder}/.s.PGSQL.${port}` : undefined }
}

/**
 * Refuses every outgoing connection of this process except to its database: mail, SMS, registers, messengers, exchanges
 * and whatever else is set up there reach nothing, however they connect.
 */
export function closeNetwork(databaseUrl: string): void {
  const endpoint = endpointOf(databaseUrl)
  const host = new URL(splitOptions(databaseUrl).url.replace('@/', '@localhost/')).hostname
  const connect = Socket.prototype.connect
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    const asked = targetOf(args)
    const isBase =
      endpoint.path !== undefined ? asked.path === endpoint.path : asked.port === endpoint.port && asked.host === host
    if (isBase) return Reflect.apply(connect, this, args) as Socket
    process.nextTick(() => this.destroy(new Error('a training clinic connects to nothing outside')))
    return this
  } as Socket['connect']
}

function targetOf([first, second]: unknown[]): { port?: number; host?: string; path?: string } {
  // `net.connect` passes its normalised arguments as one array.
  const given = Array.isArray(first) ? first[0] : first
  if (typeof given === 'object' && given !== null) {
    const { port, host, path } = given as { port?: number | string; host?: string; path?: string }
    return { ...(path ? { path } : {}), port: Number(port), host: host ?? 'localhost' }
  }
  if (typeof given === 'string' && Number.isNaN(Number(given))) return { path: given }
  return { port: Number(given), host: typeof second === 'string' ? second : 'localhost' }
}
