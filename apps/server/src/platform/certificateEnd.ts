import { connect } from 'node:tls'

const TIMEOUT = 5_000
const ports: Readonly<Record<string, number>> = { 'https:': 443, 'smtps:': 465 }

/**
 * Expiry of the TLS certificate at this address; undefined: it presents none or does not answer. Trust is not checked
 * here but by the code that talks to it.
 * @param place the checked IP address to connect to for the host name @throws nothing
 */
export async function certificateEnd(
  url: string,
  place: (host: string) => Promise<string> = async (host) => host,
): Promise<Date | undefined> {
  const { protocol, hostname, port } = new URL(url)
  if (ports[protocol] === undefined) return undefined
  const host = hostname.replace(/^\[|\]$/g, '')
  try {
    return await ask(await place(host), Number(port) || (ports[protocol] as number), host)
  } catch {
    return undefined
  }
}

const ask = (host: string, port: number, servername: string): Promise<Date | undefined> =>
  new Promise((done, fail) => {
    const socket = connect({ host, port, servername, rejectUnauthorized: false, timeout: TIMEOUT }, () => {
      const end = Date.parse(socket.getPeerCertificate().valid_to)
      socket.destroy()
      done(Number.isNaN(end) ? undefined : new Date(end))
    })
    socket.on('error', fail)
    socket.on('timeout', () => socket.destroy(new Error('no answer')))
  })

/** The earliest of several; undefined: none presents a certificate. */
export async function earliestEnd(ends: readonly Promise<Date | undefined>[]): Promise<Date | undefined> {
  const known = (await Promise.all(ends)).flatMap((end) => end ?? [])
  return known.toSorted((a, b) => a.getTime() - b.getTime())[0]
}
