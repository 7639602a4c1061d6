/** People of the network's day: each signed in, with a socket open that is subscribed as the page of their role. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { PASSWORD } from './bigData.ts'
import { http } from './centreScreen.ts'
import { hold, type Process } from './clinic.ts'

/** In the order of people in a branch; further people only have a page open. */
export const ROLES = ['operator', 'registrar', 'doctor', 'secondDoctor', 'laboratory', 'keeper'] as const
export type Role = (typeof ROLES)[number]

/** A token lives for 15 minutes; a page renews it before. */
const TOKEN_MS = 12 * 60_000
const WAIT_MS = 20_000
const AT_ONCE = 20

/** Paths of each role's page; `calls/legs` is filtered by the person, the rest by the branch where it is known. */
const PATHS: Record<Role, readonly string[]> = {
  operator: ['live-assist', 'calls/legs'],
  registrar: ['appointments', 'coupons', 'cash-shifts'],
  doctor: ['appointments', 'coupons'],
  secondDoctor: ['appointments', 'coupons'],
  laboratory: ['laboratory/orders', 'laboratory/samples'],
  keeper: ['warehouse/documents'],
}
const OF_BRANCH = ['appointments', 'coupons', 'laboratory/orders']

export interface Answer {
  status: number
  body: any
}

export class Person {
  readonly id: number
  readonly role: Role
  readonly #login: string
  readonly #address: string
  readonly #server: Process
  readonly #waits = new Set<{ has: (path: string, id: number) => boolean; resolve: () => void }>()
  #token = ''
  #cookie = ''
  #since = 0
  #renewing: Promise<void> | undefined

  /** @param at number of the person, from 0, in the order of the data set's users */
  constructor(at: number, id: number, role: Role, server: Process) {
    this.id = id
    this.role = role
    this.#login = `bench-${at + 1}`
    this.#address = `10.1.${Math.floor(at / 250)}.${at % 250}`
    this.#server = server
  }

  async signIn(): Promise<void> {
    await this.#renew('/auth/login', { login: this.#login, password: PASSWORD, forceLogin: true })
  }

  /** Status and body, of whatever status; a token near its end is renewed before, as by a page. */
  async ask(method: string, path: string, body?: object): Promise<Answer> {
    if (performance.now() - this.#since > TOKEN_MS) {
      this.#renewing ??= this.#renew('/auth/refresh-token').finally(() => {
        this.#renewing = undefined
      })
      await this.#renewing
    }
    const headers = { authorization: `Bearer ${this.#token}`, 'x-forwarded-for': this.#address }
    return http(method, this.#server.url + path, headers, body)
  }

  /** Opens the socket of a page of this role and branch. */
  async open(idFilial: number): Promise<void> {
    const url = `${this.#server.url.replace('http', 'ws')}/ws?token=${encodeURIComponent(this.#token)}`
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      headers: { 'x-forwarded-for': this.#address },
    })
    hold(() => socket.terminate())
    await once(socket, 'open')
    const listeners = PATHS[this.role].map((path) => ({
      path,
      ...(path === 'calls/legs' && { filter: { idUser: this.id } }),
      ...(OF_BRANCH.includes(path) && { filter: { idFilial } }),
    }))
    socket.send(JSON.stringify({ controller: 'system', action: 'addListeners', data: { listeners } }))
    const [first] = await once(socket, 'message')
    if (String(first).includes('"isError":true')) throw new Error(`${this.role}: ${first}`)
    socket.on('message', (received: Buffer) => {
      if (this.#waits.size === 0) return
      const { controller, action, data } = JSON.parse(received.toString())
      const resets: string[] = controller === 'system' && action === 'reset' ? data.paths : []
      if (resets.length > 0) this.resets++
      for (const wait of this.#waits)
        if (wait.has(controller, data?.id) || resets.some((path) => wait.has(path, 0))) wait.resolve()
    })
    socket.on('close', () => this.onClosed?.())
  }
  onClosed: (() => void) | undefined
  /** Reset messages to the page instead of single events. */
  resets = 0

  /** Resolves on an event of this path, or when the page must read it anew. @param id of the record; absent: of any */
  waitForEvent(path: string, id?: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const wait = {
        has: (of: string, one: number) => of === path && (id === undefined || one === id || one === 0),
        resolve: () => {
          clearTimeout(late)
          this.#waits.delete(wait)
          resolve()
        },
      }
      const late = setTimeout(() => {
        this.#waits.delete(wait)
        reject(new Error(`an event of ${path} did not come within ${WAIT_MS / 1000} s`))
      }, WAIT_MS)
      this.#waits.add(wait)
    })
  }

  async #renew(path: string, body?: object): Promise<void> {
    const answer = await fetch(this.#server.url + path, {
      method: 'POST',
      headers: {
        'x-forwarded-for': this.#address,
        ...(this.#cookie && { cookie: this.#cookie }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const tokens = (await answer.json()) as { accessToken?: string; token?: string }
    const token = tokens.accessToken ?? tokens.token
    if (!token) throw new Error(`${path} of ${this.#login}: ${answer.status} ${JSON.stringify(tokens)}`)
    this.#token = token
    this.#since = performance.now()
    this.#cookie = answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
  }
}

/** Runs the work over all, a few at once. */
export async function inGroups<T>(all: readonly T[], run: (one: T) => Promise<unknown>): Promise<void> {
  const left = [...all]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) await run(one)
    }),
  )
}
