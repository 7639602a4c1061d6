/**
 * Fast page loads: the calls of the previous load of this URL are sent at once, before the page's script has run, and
 * their answers handed to the first caller; the code chunks loaded then are preloaded. Only URLs of calls are stored, per
 * URL of the app, in this browser, until the sign-out.
 *
 * Every answer read meanwhile carries a realtime cursor: the websocket subscribes from the oldest one, so that no event is
 * missed.
 */
import { urlOf } from '#kit/root.ts'
import { callsToRemember, callsToRepeat } from './callsToRepeat.ts'
import { stored, write } from './stored.ts'
import { expiryOf, token } from './token.ts'

const PREFIX = 'ordinator:opening:'
const KNOWN = 'ordinator:openings'
/** Maximum URLs remembered; the least recently opened one is dropped. */
const MAX_ADDRESSES = 20
const MAX_PARTS = 40
/**
 * Calls within this time after the first one, or until the user's first action, belong to the page load, however slowly
 * the app itself has loaded.
 */
const LASTS_MS = 5_000
/** The calls are stored after this long without a new one. */
const QUIET_MS = 500
/** Unused answers are dropped after this time. */
const KEPT_MS = 10_000

const CURSOR = 'X-Cursor'
const ASSETS = '/web/app/assets/'

interface Opening {
  /** Build id: chunks of another build no longer exist. */
  build: string
  /** Day of the load, in the user's zone. */
  day: string
  calls: string[]
  parts: string[]
}

const build = import.meta.url

/** Set at the start of the app. */
let address: string | undefined
/** Chunks named in the page itself. */
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

export const earlyCalls = {
  /** Sends the calls of the previous load. Called only at the start of the app. */
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
    for (const path of callsToRepeat(known?.calls ?? [], known?.day === today())) send('GET', path, bearer)
    setTimeout(letGo, KEPT_MS)
  },

  /** The pending answer, for the first caller; undefined: send a request. */
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

  /** Headers of a call: before the subscription each answer must include its cursor. */
  headers: (): Record<string, string> => (isAccountRead ? {} : { [CURSOR]: '1' }),

  /** Includes a call in the computation of the cursor; call the result with the answer. */
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

  /** The account has been read: a subscription from `cursor`, once running calls are answered, misses nothing. */
  accountRead(accountCursor: string | undefined): void {
    note(accountCursor)
    isAccountRead = true
    finish()
  },

  /** The cursor to subscribe from; waits for the account and earlier calls. */
  cursor: (): Promise<string | undefined> => settled,

  /** Another user may sign in. */
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
  const answer = fetch(urlOf(path), { method, credentials: 'include', ...body })
  answer.catch(() => {})
  early.set(`${method} ${path}`, answer)
}

/** Cancels unused answers: one left half-read would block its connection. */
function letGo(): void {
  for (const answer of early.values())
    answer.then(
      (response) => response.body?.cancel(),
      () => {},
    )
  early.clear()
}

/** Preloads a chunk as the bundle would: the bundle then finds it loaded. */
function load(href: string): void {
  const link = document.createElement('link')
  link.rel = href.endsWith('.css') ? 'stylesheet' : 'modulepreload'
  link.href = href
  document.head.append(link)
}

function note(cursorRead: string | undefined): void {
  if (cursorRead === undefined) return
  if (cursor === undefined || BigInt(cursorRead) < BigInt(cursor)) cursor = cursorRead
}

function finish(): void {
  if (isAccountRead && running <= 0) settle(cursor)
}

function end(): void {
  isOpening = false
}

/** Stores the calls of this page load. */
function keep(): void {
  if (address === undefined || token.get() === null) return
  const parts = performance
    .getEntriesByType('resource')
    .map(({ name }) => name.slice(location.origin.length))
    .filter((path) => path.startsWith(ASSETS) && /\.(js|css)$/.test(path) && !first.has(path))
  write(PREFIX + address, { build, day: today(), calls: callsToRemember(asked), parts: parts.slice(0, MAX_PARTS) })
  const known = [address, ...((stored(KNOWN) as string[] | null) ?? []).filter((one) => one !== address)]
  for (const gone of known.slice(MAX_ADDRESSES)) write(PREFIX + gone, undefined)
  write(KNOWN, known.slice(0, MAX_ADDRESSES))
}
