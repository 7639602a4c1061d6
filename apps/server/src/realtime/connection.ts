/** One socket: its limits, its subscriptions, and the order of its answers. */
import type { RawData, WebSocket } from 'ws'
import { badRequest, tooMany } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { errorMessage, type Listener, MessageError, readMessage, systemMessage, type Wish } from './messages.ts'

export const MAX_MESSAGE_BYTES = 64 * 1024
export const MAX_LISTENERS = 500
/** Messages per second, and in a burst. */
const RATE = 100
/** Messages waiting for their answer. */
const MAX_WAITING = 200
/** Bytes that a client may leave unread. */
export const MAX_UNREAD = 1024 * 1024
/** A client that does not answer the close frame is disconnected. */
const CLOSE_WAIT_MS = 1_000

export const closeCodes = {
  goingAway: 1001,
  idle: 4000,
  sessionEnded: 4001,
  /** Reconnect to get current rights. */
  rightsChanged: 4003,
  slow: 4008,
  tooManyMessages: 4029,
  /** More sockets than a person may have. */
  tooManySockets: 4030,
} as const

/** What a connection needs from the hub. */
export interface Desk {
  /** Resolves when the subscriptions are active and missed events are sent. */
  admit(connection: Connection, wishes: Wish[]): Promise<{ cursor: string; reset: boolean }>
  dismiss(connection: Connection, listener: Listener): void
  cursor(connection: Connection): string
  /** @param code of the close frame, when the server closed */
  left(connection: Connection, code?: number): void
}

export class Connection {
  actor: ServerActor
  readonly listeners = new Map<string, Listener>()
  /** Time of the last message or pong from the client. */
  receivedAt = Date.now()
  sent = 0
  readonly #socket: WebSocket
  readonly #desk: Desk
  #allowance = RATE
  #allowedAt = Date.now()
  #waiting = 0
  #answers: Promise<void> = Promise.resolve()
  #over = false

  constructor(socket: WebSocket, actor: ServerActor, desk: Desk) {
    this.actor = actor
    this.#socket = socket
    this.#desk = desk
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    socket.on('pong', () => {
      this.receivedAt = Date.now()
    })
    // Too long a frame, invalid UTF-8, a reset connection: ws closes the socket itself.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#over = true
      desk.left(this)
    })
  }

  get over(): boolean {
    return this.#over
  }

  get unread(): number {
    return this.#socket.bufferedAmount
  }

  /** A Buffer is shared by all receivers and must not change. */
  send(message: string | Buffer): void {
    if (this.#over) return
    if (this.#socket.bufferedAmount > MAX_UNREAD) {
      this.close(closeCodes.slow, 'slow')
      return
    }
    this.sent++
    this.#socket.send(message, { binary: false })
  }

  ping(): void {
    if (!this.#over) this.#socket.ping()
  }

  close(code: number, reason: string): void {
    if (this.#over) return
    this.#over = true
    closeSocket(this.#socket, code, reason)
    this.#desk.left(this, code)
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#over) return
    this.receivedAt = Date.now()
    if (!this.#within()) {
      this.send(errorMessage('error', tooMany(1, 'Слишком много сообщений')))
      this.close(closeCodes.tooManyMessages, 'too many messages')
      return
    }
    try {
      if (isBinary) throw new MessageError('error', badRequest('Двоичные сообщения не принимаются'))
      const message = readMessage(String(data), MAX_LISTENERS)
      if (message.action === 'ping') this.send(PONG)
      else if (message.action === 'removeListener') this.#inTurn(message.action, () => this.#remove(message.listener))
      else this.#inTurn(message.action, () => this.#add(message.wishes))
    } catch (error) {
      const action = error instanceof MessageError ? error.action : 'error'
      this.#inTurn(action, () => Promise.reject(error))
    }
  }

  #within(): boolean {
    const now = Date.now()
    this.#allowance = Math.min(RATE, this.#allowance + ((now - this.#allowedAt) / 1000) * RATE)
    this.#allowedAt = now
    return --this.#allowance >= 0 && this.#waiting < MAX_WAITING
  }

  /** Answers keep the order of the messages: the client matches them by it. */
  #inTurn(action: string, run: () => Promise<object>): void {
    this.#waiting++
    this.#answers = this.#answers
      .then(() => (this.#over ? undefined : run()))
      .then(
        (data) => data && this.send(systemMessage(action, data)),
        (error) => this.send(errorMessage(action, error)),
      )
      .finally(() => void this.#waiting--)
  }

  async #add(wishes: Wish[]): Promise<object> {
    const fresh = new Set(wishes.map((wish) => wish.key).filter((key) => !this.listeners.has(key)))
    if (this.listeners.size + fresh.size > MAX_LISTENERS)
      throw badRequest(`Подписок может быть не больше ${MAX_LISTENERS}`)
    const answer = await this.#desk.admit(this, wishes)
    return { listeners: this.listeners.size, ...answer }
  }

  async #remove(listener: Listener): Promise<object> {
    this.#desk.dismiss(this, listener)
    return { listeners: this.listeners.size, cursor: this.#desk.cursor(this), reset: false }
  }
}

const PONG = Buffer.from(systemMessage('pong'))

/** Refuses a socket with a reason. */
export function turnAway(socket: WebSocket, message: string): void {
  socket.on('error', () => {})
  socket.send(message)
  closeSocket(socket, closeCodes.tooManySockets, 'too many sockets')
}

function closeSocket(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason)
  setTimeout(() => socket.terminate(), CLOSE_WAIT_MS).unref()
}
