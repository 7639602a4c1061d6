/**
 * Downloads from addresses that a user, or an outside system, has named. Such an address must not make the server
 * speak to its own network (server-side request forgery, OWASP A10:2021): every address that the name stands for is
 * checked, the connection goes to the address that was checked, and each redirect is checked anew. What is sent to such
 * an address follows no redirect at all.
 */
import { lookup as lookUp } from 'node:dns/promises'
import { createWriteStream } from 'node:fs'
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ValidationError } from './errors.ts'

export interface Outbound {
  /**
   * Writes what stands at the address to the file `to`.
   * @param maxBytes more than this is refused
   * @param authorization what is shown at this address, and at none that it leads on to
   * @returns the name at the end of the address, for people: it proves nothing
   * @throws ValidationError that names `url`; of them Unreached where the address may give it another time
   */
  download(
    url: string,
    to: string,
    options: { maxBytes: number; authorization?: string },
  ): Promise<{ size: number; name: string }>
  /**
   * Sends a body by POST and reads the beginning of the answer, whatever its status; redirects are answers like others.
   * @param maxAnswer bytes of the answer that are read; the rest is not waited for
   * @param timeout milliseconds, where the answer takes longer than a page does
   * @throws ValidationError that names `url`; of them Unreached where nobody has answered
   */
  post(
    url: string,
    body: string | Uint8Array,
    options: { headers: Record<string, string>; maxAnswer: number; timeout?: number },
  ): Promise<Posted>
  /** The same without a body, by GET. */
  get(url: string, options: { headers: Record<string, string>; maxAnswer: number }): Promise<Posted>
  /**
   * Asks by any method and reads the whole answer as bytes; redirects are answers like others.
   * @throws ValidationError that names `url`; of them Unreached where nobody has answered, or said too much
   */
  ask(url: string, options: Asked): Promise<Answered>
  /** The address to connect to for a name, checked. @throws ValidationError that names `url` */
  place(host: string): Promise<string>
}

export interface Posted {
  status: number
  /** Its beginning; what is no text reads as signs of replacement. */
  answer: string
}

export interface Asked {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers: Record<string, string>
  body?: string | Buffer
  /** Bytes; a longer answer is a failure. */
  maxAnswer: number
  /** Milliseconds for all of it; absent: the house's. */
  timeout?: number
  /** The address is the server's own setting and not a person's: it may lie in the network of the server. */
  isOwn?: boolean
}

export interface Answered {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

interface Sent {
  method?: string
  headers: Record<string, string>
  body?: string | Uint8Array
  isOwn?: boolean
  /** Called once the other side can hear what is said. */
  onConnected?(): void
}

interface Address {
  address: string
  family: number
}

export interface OutboundOptions {
  /** Addresses of a name; the system's resolver where absent. */
  resolve?(host: string): Promise<Address[]>
  /** Addresses that may be spoken to although they are private: a simulator of the tests. */
  allow?: readonly string[]
  /** Milliseconds for all of it. */
  timeout?: number
}

const TIMEOUT = 10_000
const MAX_REDIRECTS = 3
const MAX_URL = 2000

/** Special-purpose addresses (IANA registries, RFC 6890): this host, private, shared, link-local, multicast, reserved. */
const special = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(net, bits, 'ipv4')
// Of IPv6 only the global unicast block is spoken to, and of it not what carries an IPv4 address or documentation.
for (const [net, bits] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(net, bits, 'ipv6')

const isSpecial = ({ address, family }: Address): boolean => special.check(address, family === 6 ? 'ipv6' : 'ipv4')

const refuse = (message: string) => new ValidationError([{ field: 'url', message }])

/** Nothing came now, and nothing says that nothing ever will: no answer, one broken off, or a server that is out of order. */
export class Unreached extends ValidationError {
  /** The request was on its way when the connection was lost. */
  readonly mayHaveArrived: boolean
  constructor(message: string, mayHaveArrived = false) {
    super([{ field: 'url', message }])
    this.mayHaveArrived = mayHaveArrived
  }
}

export function openOutbound({ resolve = resolveAll, allow = [], timeout = TIMEOUT }: OutboundOptions = {}): Outbound {
  const mayReach = (at: Address) => allow.includes(at.address) || !isSpecial(at)

  /** The address to speak to. Not one of the host's addresses may be special. */
  async function checked(host: string, isOwn = false): Promise<Address> {
    const family = isIP(host)
    const all = family ? [{ address: host, family }] : await resolve(host).catch(() => [])
    const [first] = all
    if (!first) throw new Unreached('Адрес не найден: проверьте имя сайта')
    if (!isOwn && !all.every(mayReach)) throw refuse('Этот адрес ведёт во внутреннюю сеть, обращаться к нему нельзя')
    return first
  }

  async function open(address: URL, signal: AbortSignal, sent: Sent): Promise<IncomingMessage> {
    const at = await checked(address.hostname.replace(/^\[|\]$/g, ''), sent.isOwn)
    // The name is not looked up a second time: it could lead elsewhere by then.
    const lookup = ((_host, options, done) =>
      options.all ? done(null, [at]) : done(null, at.address, at.family)) as LookupFunction
    const ask = address.protocol === 'https:' ? requestHttps : requestHttp
    return new Promise((done, fail) => {
      const { method = 'GET', headers, body } = sent
      const request: ClientRequest = ask(
        address,
        {
          method,
          lookup,
          signal,
          agent: false,
          headers: { 'accept-encoding': 'identity', 'user-agent': 'Ordinator', ...headers },
        },
        done,
      )
      request.on('error', fail)
      const connected = address.protocol === 'https:' ? 'secureConnect' : 'connect'
      if (sent.onConnected) request.once('socket', (line) => line.once(connected, () => sent.onConnected?.()))
      request.end(body)
    })
  }

  async function follow(
    url: string,
    signal: AbortSignal,
    authorization?: string,
  ): Promise<{ answer: IncomingMessage; address: URL }> {
    let address = parse(url)
    for (let turns = 0; ; turns++) {
      const known = turns === 0 && authorization !== undefined
      const answer = await open(address, signal, {
        headers: { ...WANTS_PICTURES, ...(known && { authorization }) },
      })
      const { statusCode = 0, headers } = answer
      if (statusCode >= 200 && statusCode < 300) return { answer, address }
      answer.destroy()
      if (statusCode === 429 || statusCode >= 500) throw new Unreached(`Сайт не отдал файл: ответ ${statusCode}`)
      if (statusCode < 300 || statusCode >= 400 || !headers.location)
        throw refuse(`Сайт не отдал файл: ответ ${statusCode}`)
      if (turns === MAX_REDIRECTS) throw refuse('Слишком много переадресаций')
      address = parse(headers.location, address)
    }
  }

  async function tell(url: string, maxAnswer: number, sent: Sent, ms = timeout): Promise<Posted> {
    const signal = AbortSignal.timeout(ms)
    try {
      const answer = await open(parse(url), signal, sent)
      return { status: answer.statusCode ?? 0, answer: await beginningOf(answer, maxAnswer) }
    } catch (error) {
      if (error instanceof ValidationError) throw error
      throw new Unreached(signal.aborted ? 'Не ответил вовремя' : 'Не удалось соединиться')
    }
  }

  async function ask(url: string, { maxAnswer, timeout: patience = timeout, ...sent }: Asked): Promise<Answered> {
    const signal = AbortSignal.timeout(patience)
    let isConnected = false
    const onConnected = () => {
      isConnected = true
    }
    try {
      const answer = await open(parse(url), signal, { ...sent, onConnected })
      const bytes = await allOf(answer, maxAnswer)
      return { status: answer.statusCode ?? 0, headers: answer.headers, bytes }
    } catch (error) {
      if (error instanceof ValidationError) throw error
      throw new Unreached(signal.aborted ? 'Не ответил вовремя' : 'Не удалось соединиться', isConnected)
    }
  }

  return {
    ask,
    async download(url, to, { maxBytes, authorization }) {
      const signal = AbortSignal.timeout(timeout)
      try {
        const { answer, address } = await follow(url, signal, authorization)
        if (Number(answer.headers['content-length']) > maxBytes) {
          answer.destroy()
          throw tooLarge(maxBytes)
        }
        const meter = metered(maxBytes)
        await pipeline(answer, meter.stream, createWriteStream(to, { mode: 0o600 }), { signal })
        return { size: meter.size(), name: nameOf(address) }
      } catch (error) {
        if (error instanceof ValidationError) throw error
        throw new Unreached(signal.aborted ? 'Сайт не отдал файл вовремя' : 'Не удалось скачать файл по этому адресу')
      }
    },
    post: (url, body, { headers, maxAnswer, timeout: ms }) =>
      tell(
        url,
        maxAnswer,
        { method: 'POST', headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) }, body },
        ms,
      ),
    get: (url, { headers, maxAnswer }) => tell(url, maxAnswer, { headers }),
    place: async (host) => (await checked(host)).address,
  }
}

const WANTS_PICTURES = { accept: 'image/*,*/*;q=0.5' }

/** The first bytes of an answer; one that breaks off or takes too long is what has come of it. */
async function beginningOf(answer: IncomingMessage, most: number): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of answer) {
      pieces.push(piece as Buffer)
      size += (piece as Buffer).length
      if (size >= most) break
    }
  } catch {
    // Its status has said what matters.
  }
  answer.destroy()
  return Buffer.concat(pieces).subarray(0, most).toString('utf8')
}

/** @throws Unreached if it is longer; what breaks it off */
async function allOf(answer: IncomingMessage, most: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of answer) {
    pieces.push(piece as Buffer)
    size += (piece as Buffer).length
    if (size > most) throw new Unreached('Ответ слишком велик', true)
  }
  if (!answer.complete) throw new Unreached('Ответ оборвался', true)
  return Buffer.concat(pieces)
}

const resolveAll = (host: string): Promise<Address[]> => lookUp(host, { all: true, verbatim: true })

function parse(text: string, base?: URL): URL {
  const address = text.length <= MAX_URL ? URL.parse(text.trim(), base) : null
  if (!address) throw refuse('Это не адрес: нужна ссылка вида https://…')
  if (address.protocol !== 'http:' && address.protocol !== 'https:')
    throw refuse('Подойдёт только адрес http или https')
  if (address.username || address.password) throw refuse('В адресе не должно быть имени и пароля')
  return address
}

function nameOf({ pathname }: URL): string {
  const last = pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

const tooLarge = (maxBytes: number) => refuse(`Файл больше ${Math.floor(maxBytes / 1_048_576)} МБ`)

/** Counts what passes, and ends it when it is too much. */
function metered(maxBytes: number): { stream: Transform; size(): number } {
  let size = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > maxBytes) done(tooLarge(maxBytes))
      else done(null, chunk)
    },
  })
  return { stream, size: () => size }
}
