/** One analyser's connection: its listening port or its outgoing connection, and the conversations over its sockets. */
import { lookup } from 'node:dns/promises'
import { connect, createServer, isIP, type Server, type Socket } from 'node:net'
import { LabDevice } from '@ordinator/model/areas/laboratory/device'
import sql from 'sql-template-tag'
import { ValidationError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Device } from './intake.ts'
import { Noise } from './noise.ts'
import { Talk } from './talk.ts'

/** Milliseconds until a lost connection is dialled again, and to wait for one. */
const RECONNECT_MS = 5_000
const CONNECT_MS = 15_000
/** Connections of a device: the second is a reconnect whose predecessor is not closed yet. */
const MAX_SOCKETS = 2
/** Messages stored a second, and at once after a pause; more wait in the socket. */
const RATE = 40
const BURST = 200

export class DeviceLine {
  device: Device
  /** Russian; undefined: no failure. */
  error: string | undefined
  closed = false
  readonly noise: Noise
  readonly #app: AppContext
  readonly #talks = new Map<Socket, Talk>()
  #server: Server | undefined
  #dialled: Socket | undefined
  #retry: NodeJS.Timeout | undefined
  #refused: string | undefined
  #tokens = BURST
  #refilledAt = Date.now()

  constructor(app: AppContext, device: Device) {
    this.#app = app
    this.device = device
    this.noise = new Noise(app, device)
  }

  get connections(): number {
    return this.#talks.size
  }

  /** Bytes of unterminated messages. */
  get waiting(): number {
    let sum = 0
    for (const talk of this.#talks.values()) sum += talk.waiting
    return sum
  }

  /** A listening port that could not be opened: it may be free by now. */
  get isShut(): boolean {
    return this.device.transport === 'tcp-server' && this.#server === undefined
  }

  /** Opens the port, or begins to dial. */
  open(): Promise<void> {
    return this.device.transport === 'tcp-client' ? this.#dial() : this.#listen()
  }

  /** Ends everything at once and for good; what was not stored is not acknowledged. */
  close(): void {
    this.closed = true
    clearTimeout(this.#retry)
    this.#server?.close()
    this.#dialled?.destroy()
    for (const socket of this.#talks.keys()) socket.destroy()
    this.noise.write().catch((error) => this.#app.log.warn({ err: error }, 'laboratory: noise was not counted'))
  }

  /** Sends an unsolicited work list by the latest connection. @returns false without one */
  send(records: readonly Uint8Array[], onSent: (isSent: boolean) => unknown): boolean {
    const talk = [...this.#talks.values()].at(-1)
    if (!talk) return false
    talk.send(records, onSent)
    return true
  }

  /** Waits until another message of the device may be stored. */
  async pace(): Promise<void> {
    for (;;) {
      const now = Date.now()
      this.#tokens = Math.min(BURST, this.#tokens + ((now - this.#refilledAt) * RATE) / 1_000)
      this.#refilledAt = now
      if (this.#tokens >= 1 || this.closed) break
      await new Promise((resolve) => setTimeout(resolve, 1_000 / RATE).unref())
    }
    this.#tokens--
  }

  #listen(): Promise<void> {
    const { device } = this
    return new Promise((resolve) => {
      const server = createServer({ pauseOnConnect: true }, (socket) => {
        socket.on('error', () => socket.destroy())
        this.#accept(socket).catch((error) => {
          this.#app.log.warn({ err: error }, 'laboratory: a connection was not accepted')
          socket.destroy()
        })
      })
      server.on('error', (error: NodeJS.ErrnoException) => {
        this.#server = undefined
        this.error = error.code === 'EADDRINUSE' ? 'Порт занят другой программой' : 'Порт не открылся'
        resolve()
      })
      // The demo clinic accepts devices from this machine only.
      server.listen(device.port, this.#app.config.demo ? '127.0.0.1' : this.#app.config.host, () => {
        this.#server = server
        this.error = undefined
        if (this.closed) server.close()
        resolve()
      })
    })
  }

  async #accept(socket: Socket): Promise<void> {
    const from = plain(socket.remoteAddress ?? '')
    if (!(await this.#isKnown(from))) {
      socket.destroy()
      return
    }
    this.#speak(socket)
    socket.resume()
  }

  /** Whether the address is the device's; without a set address, the first one that connects is stored as it. */
  async #isKnown(from: string): Promise<boolean> {
    const { device } = this
    if (device.host) return this.#isSame(device.host, from)
    if (this.#app.config.demo || device.pinnedHost === from) return true
    if (from === this.#refused && device.pinnedHost) return false
    const { asSystem } = this.#app.engine.for(systemActor)
    const wrote = await asSystem.tx(async (records, tx) => {
      await tx.query(sql`select 1 from laboratory_devices where "id" = ${device.id} for update`)
      const { host, pinnedHost } = await records.row(LabDevice, device.id)
      if (host || pinnedHost === from) return { pinnedHost, isKnown: pinnedHost === from }
      const change = pinnedHost ? { askedHost: from } : { pinnedHost: from }
      await records.asSystem.update(LabDevice, device.id, change)
      return { pinnedHost: pinnedHost ?? from, isKnown: !pinnedHost }
    })
    this.device = { ...this.device, pinnedHost: wrote.pinnedHost }
    if (!wrote.isKnown) this.#refused = from
    return wrote.isKnown
  }

  async #isSame(host: string, from: string): Promise<boolean> {
    if (isIP(host)) return host === from
    const found = await lookup(host, { all: true }).catch(() => [])
    return found.some(({ address }) => address === from)
  }

  async #dial(): Promise<void> {
    if (this.closed) return
    const { host, port } = this.device
    let address: string
    try {
      address = await this.#app.outbound.place(host ?? '', this.#app.config.analyserNetworks)
    } catch (error) {
      this.error = error instanceof ValidationError ? error.message : 'Адрес не найден'
      this.#redial()
      return
    }
    if (this.closed) return
    const socket = connect({ host: address, port })
    this.#dialled = socket
    socket.setTimeout(CONNECT_MS, () => socket.destroy())
    socket.on('error', () => socket.destroy())
    socket.on('connect', () => {
      socket.setTimeout(0)
      this.error = undefined
      this.#speak(socket)
    })
    socket.on('close', () => {
      this.error = 'Прибор не отвечает'
      this.#redial()
    })
  }

  #redial(): void {
    if (this.closed) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#dial(), RECONNECT_MS).unref()
  }

  #speak(socket: Socket): void {
    if (this.closed || socket.destroyed) {
      socket.destroy()
      return
    }
    const former = [...this.#talks.keys()]
    for (const old of former.slice(0, Math.max(0, former.length + 1 - MAX_SOCKETS))) old.destroy()
    this.#talks.set(socket, new Talk(this.#app, this, socket))
    socket.on('close', () => this.#talks.delete(socket))
  }
}

const plain = (address: string): string => address.replace('::ffff:', '')

/** The columns of a device that its connection depends on. */
export const sameLine = (a: Device, b: Device): boolean =>
  (['protocol', 'transport', 'host', 'port', 'tubeField', 'direction', 'name', 'patientData'] as const).every(
    (field) => a[field] === b[field],
  )
