/**
 * The opening of the app at an address. What it asked for the last time is asked at once, before the script of the page
 * has run, and handed to whoever asks for it then; the parts of the app that it loaded are loaded beside. Only
 * addresses of calls are kept, for each address of the app, in this browser, until the sign-out.
 *
 * Whatever is read meanwhile says from where nothing of it is missed: the oldest of these cursors is where the
 * websocket begins to listen.
 */
import { callsAgain, lastingCalls } from './lastingCalls.ts'
import { stored, write } from './stored.ts'
import { expiryOf, token } from './token.ts'

const PREFIX = 'ordinator:opening:'
const KNOWN = 'ordinator:openings'
/** Addresses remembered; the one opened longest ago is forgotten. */
const MAX_ADDRESSES = 20
const MAX_PARTS = 40
/**
 * What is read so long after the first read, or until the person does something, belongs to the opening: however slowly
 * the app itself has come.
 */
const LASTS_MS = 5_000
/** Kept when nothing more has been asked for so long. */
const QUIET_MS = 500
/** An answer that nobody has asked for by then is let go. */
const KEPT_MS = 10_000

const CURSOR = 'X-Cursor'
const ASSETS = '/web/app/assets/'

interface Opening {
  /** Of the build: parts of another one are not there any more. */
  build: string
  /** When it was, in the reader's zone. */
  day: string
  calls: string[]
  parts: string[]
}

const build = import.meta.url

/** Set at the start of the app. */
let address: string | undefined
/** What the page itself names. */
let first: ReadonlySet<string | null> = new Set()
let isOpening = true
let isAccountRead = false
let running = 0
let cursor: string | undefined
let settle: (cursor: string | undefined) => void = () => {}
let settled = new Promise<string | undefined>((resolve) => {
  settle = resolve
})
const early = new Map<string, Promise<Response>>()
const asked = new Set<string>()
let quiet: ReturnType<typeof setTimeout> | undefined

export const opening = {
  /** Sends what the address asked for the last time. For the start of the app alone. */
  start(): void {
    address = location.pathname + location.search
    first = new Set(
      [...document.querySelectorAll('script[src], link[href]')].map(
        (one) => one.getAttribute('src') ?? one.getAttribute('href'),
      ),
    )
    for (const deed of ['pointerdown', 'keydown', 'popstate'])
      addEventListener(deed, end, { once: true, capture: true })
    const bearer = token.get()
    if (!bearer || expiryOf(bearer) < Date.now()) return
    const known = stored(PREFIX + address) as Partial<Opening> | null
    if (known?.build === build) for (const part of known.parts ?? []) load(part)
    send('POST', ACCOUNT, bearer)
    for (const path of callsAgain(known?.calls ?? [], known?.day === today())) send('GET', path, bearer)
    setTimeout(letGo, KEPT_MS)
  },

  /** The answer that is on its way already, for the first who asks; undefined: it has to be asked for. */
  answer(method: string, path: string): Promise<Response> | undefined {
    if (isOpening && address !== undefined && method === 'GET') {
      if (asked.size === 0) setTimeout(end, LASTS_MS)
      asked.add(path)
      clearTimeout(quiet)
      quiet = setTimeout(keep, QUIET_MS)
    }
    const key = `${method} ${path}`
    const found = early.get(key)
    early.delete(key)
    return found
  },

  /** For the headers of a call: while nothing listens yet, each answer is asked for its cursor. */
  headers: (): Record<string, string> => (isAccountRead ? {} : { [CURSOR]: '1' }),

  /** Waits for a call in the reckoning of the cursor; the answer ends it. */
  begin(): (response?: Response) => void {
    if (isAccountRead) return () => {}
    const round = settled
    running++
    return (response) => {
      if (round !== settled) return
      note(response?.headers.get(CURSOR) ?? undefined)
      running--
      finish()
    }
  },

  /** The account has been read: who listens from `cursor` on, once all that runs is answered, misses nothing. */
  accountRead(told: string | undefined): void {
    note(told)
    isAccountRead = true
    finish()
  },

  /** From where to listen; waits for the account and for what was asked before it. */
  cursor: (): Promise<string | undefined> => settled,

  /** Another person may sign in. */
  restart(): void {
    isAccountRead = false
    running = 0
    cursor = undefined
    letGo()
    settled = new Promise((resolve) => {
      settle = resolve
    })
  },
}

const ACCOUNT = '/common/get-account'
const today = (): string => new Date().toDateString()

function send(method: string, path: string, bearer: string): void {
  const headers = { Accept: 'application/json', Authorization: `Bearer ${bearer}`, [CURSOR]: '1' }
  const body =
    method === 'POST' ? { body: '{}', headers: { ...headers, 'Content-Type': 'application/json' } } : { headers }
  const answer = fetch(path, { method, credentials: 'include', ...body })
  answer.catch(() => {})
  early.set(`${method} ${path}`, answer)
}

/** What nobody has asked for is not read to its end: an answer left half-read would hold its connection. */
function letGo(): void {
  for (const answer of early.values())
    answer.then(
      (response) => response.body?.cancel(),
      () => {},
    )
  early.clear()
}

/** As the bundle itself would ask for it a little later: it sees that it is there. */
function load(href: string): void {
  const link = document.createElement('link')
  link.rel = href.endsWith('.css') ? 'stylesheet' : 'modulepreload'
  link.href = href
  document.head.append(link)
}

function note(told: string | undefined): void {
  if (told === undefined) return
  if (cursor === undefined || BigInt(told) < BigInt(cursor)) cursor = told
}

function finish(): void {
  if (isAccountRead && running <= 0) settle(cursor)
}

function end(): void {
  isOpening = false
}

/** Remembers what this opening has asked for. */
function keep(): void {
  if (address === undefined || token.get() === null) return
  const parts = performance
    .getEntriesByType('resource')
    .map(({ name }) => name.slice(location.origin.length))
    .filter((path) => path.startsWith(ASSETS) && /\.(js|css)$/.test(path) && !first.has(path))
  write(PREFIX + address, { build, day: today(), calls: lastingCalls(asked), parts: parts.slice(0, MAX_PARTS) })
  const known = [address, ...((stored(KNOWN) as string[] | null) ?? []).filter((one) => one !== address)]
  for (const gone of known.slice(MAX_ADDRESSES)) write(PREFIX + gone, undefined)
  write(KNOWN, known.slice(0, MAX_ADDRESSES))
}
