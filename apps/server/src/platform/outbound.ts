/**
 * Requests to addresses entered by a user or sent by an outside system. Such an address must not make the server connect
 * to its own network (server-side request forgery, OWASP A10:2021): every address the host resolves to is checked, the
 * connection goes to the checked address, and every redirect is checked again. Requests with a body follow no redirect.
 */
import { lookup as lookUp } from 'node:dns/promises'
import { createWriteStream } from 'node:fs'
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ValidationError } from './errors.ts'
import { inSpan } from './tracing.ts'

export interface Outbound {
  /**
   * Downloads the address to the file `to`.
   * @param maxBytes a larger file is refused
   * @param authorization sent to this address only, not to redirects
   * @param timeout milliseconds in total, for what may be large
   * @param isOwn the address is of a server setting: it may be in the server's own network; a redirect may not
   * @returns the last part of the path, for people: it proves nothing
   * @throws ValidationError on `url`; its subclass Unreached when a retry may succeed
   */
  download(
    url: string,
    to: string,
    options: { maxBytes: number; authorization?: string; timeout?: number; isOwn?: boolean },
  ): Promise<{ size: number; name: string }>
  /**
   * Sends a body by POST and reads the beginning of the answer, whatever its status; redirects are not followed.
   * @param maxAnswer bytes of the answer to read; the rest is dropped
   * @param timeout milliseconds, when the answer takes longer than a page does
   * @throws ValidationError on `url`; its subclass Unreached when there was no answer
   */
  post(
    url: string,
    body: string | Uint8Array,
    options: { headers: Record<string, string>; maxAnswer: number; timeout?: number },
  ): Promise<Posted>
  /** The same by GET, without a body. */
  get(url: string, options: { headers: Record<string, string>; maxAnswer: number }): Promise<Posted>
  /**
   * Sends a request of any method and reads the whole answer as bytes; redirects are not followed.
   * @throws ValidationError on `url`; its subclass Unreached when there was no answer or it was too long
   */
  ask(url: string, options: Asked): Promise<Answered>
  /**
   * Resolves and checks a host; returns the address to connect to.
   * @param within networks of the server's owner in which it may be: `192.168.10.0/24`, or an address
   * @throws ValidationError on `url`
   */
  place(host: string, within?: readonly string[]): Promise<string>
}

export interface Posted {
  status: number
  /** Beginning of the answer; binary data becomes replacement characters. */
  answer: string
}

export interface Asked {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers: Record<string, string>
  body?: string | Buffer
  /** Bytes; a longer answer is an error. */
  maxAnswer: number
  /** Milliseconds in total; absent: the default. */
  timeout?: number
  /** The address is a server setting, not user input: it may be in the server's own network. */
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
  /** Called once the connection is established. */
  onConnected?(): void
}

interface Address {
  address: string
  family: number
}

export interface OutboundOptions {
  /** Resolver of host names; absent: the system's. */
  resolve?(host: string): Promise<Address[]>
  /** Addresses allowed although they are private: simulators in tests. */
  allow?: readonly string[]
  /** Milliseconds in total. */
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
// Of IPv6 only the global unicast block is allowed, without the ranges that embed IPv4 addresses and documentation.
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

/** @param listed networks `10.1.0.0/16` and addresses */
function networks(listed: readonly string[]): BlockList {
  const named = new BlockList()
  for (const one of listed) {
    const [net = '', bits] = one.split('/')
    const family = isIP(net) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) named.addAddress(net, family)
    else named.addSubnet(net, Number(bits), family)
  }
  return named
}

const refuse = (message: string) => new ValidationError([{ field: 'url', message }])

/** A failure that a retry may cure: no answer, a broken connection, or a server error. */
export class Unreached extends ValidationError {
  /** The connection was lost after the request had been sent. */
  readonly mayHaveArrived: boolean
  /** The answer exceeds the limit. */
  readonly isTooLong: boolean
  constructor(message: string, mayHaveArrived = false, isTooLong = false) {
    super([{ field: 'url', message }])
    this.mayHaveArrived = mayHaveArrived
    this.isTooLong = isTooLong
  }
}

export function openOutbound({ resolve = resolveAll, allow = [], timeout = TIMEOUT }: OutboundOptions = {}): Outbound {
  const mayReach = (at: Address) => allow.includes(at.address) || !isSpecial(at)

  /** Resolves a host to the address to connect to. None of its addresses may be special. */
  async function checked(host: string, isOwn = false, within = new BlockList()): Promise<Address> {
    const family = isIP(host)
    const all = family ? [{ address: host, family }] : await resolve(host).catch(() => [])
    const [first] = all
    if (!first) throw new Unreached('Адрес не найден: проверьте имя сайта')
    const isNamed = ({ address, family: of }: Address) => within.check(address, of === 6 ? 'ipv6' : 'ipv4')
    if (!isOwn && !all.every((at) => mayReach(at) || isNamed(at)))
      throw refuse('Этот адрес ведёт во внутреннюю сеть, обращаться к нему нельзя')
    return first
  }

  const open = (address: URL, signal: AbortSignal, sent: Sent): Promise<IncomingMessage> =>
    inSpan(
      'outside system',
      () => ({ 'http.request.method': sent.method ?? 'GET', 'server.address': address.hostname }),
      () => openChecked(address, signal, sent),
    )

  async function openChecked(address: URL, signal: AbortSignal, sent: Sent): Promise<IncomingMessage> {
    const at = await checked(address.hostname.replace(/^\[|\]$/g, ''), sent.isOwn)
    // The name is not resolved a second time: it could lead elsewhere by then.
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
    { authorization, isOwn = false }: { authorization?: string; isOwn?: boolean },
  ): Promise<{ answer: IncomingMessage; address: URL }> {
    let address = parse(url)
    for (let turns = 0; ; turns++) {
      const known = turns === 0 && authorization !== undefined
      const answer = await open(address, signal, {
        headers: { ...WANTS_PICTURES, ...(known && { authorization }) },
        isOwn: isOwn && turns === 0,
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

  async function send(url: string, maxAnswer: number, sent: Sent, ms = timeout): Promise<Posted> {
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
    async download(url, to, { maxBytes, timeout: ms = timeout, ...how }) {
      const signal = AbortSignal.timeout(ms)
      try {
        const { answer, address } = await follow(url, signal, how)
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
      send(
        url,
        maxAnswer,
        { method: 'POST', headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) }, body },
        ms,
      ),
    get: (url, { headers, maxAnswer }) => send(url, maxAnswer, { headers }),
    place: async (host, within = []) => (await checked(host, false, networks(within))).address,
  }
}

const WANTS_PICTURES = { accept: 'image/*,*/*;q=0.5' }

/** First bytes of an answer; one that breaks off or takes too long is returned as far as it came. */
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
    // The status is enough.
  }
  answer.destroy()
  return Buffer.concat(pieces).subarray(0, most).toString('utf8')
}

/** @throws Unreached when the answer is too long; the error that broke it off */
async function allOf(answer: IncomingMessage, most: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of answer) {
    pieces.push(piece as Buffer)
    size += (piece as Buffer).length
    if (size > most) throw new Unreached('Ответ слишком велик', true, true)
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

/** Counts the bytes, and fails when there are too many. */
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
