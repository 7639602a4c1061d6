/** The conversation over one socket of an analyser: bytes to messages, messages to the intake, replies back. */
import type { Socket } from 'node:net'
import type { AppContext } from '#records/context.ts'
import { type Device, isMessage, keepSent, takeMessage } from './intake.ts'
import type { Noise, NoiseKind } from './noise.ts'
import { isTooLong } from './wire/bytes.ts'
import { type AstmInput, astmStart, astmStep, astmWaiting } from './wire/e1381.ts'
import { writeAstm } from './wire/e1394.ts'
import { acknowledge, answerQuery } from './wire/hl7.ts'
import { framed, mllpStart, mllpStep, mllpWaiting } from './wire/mllp.ts'

/** Milliseconds: of TCP keep-alive, of timers. */
const KEEP_ALIVE_MS = 30_000
const TICK_MS = 1_000
/** Bytes of replies that a device may leave unread. */
const MAX_UNREAD = 1024 * 1024
/** Complete messages still stored after the device has closed its connection without waiting for replies. */
const AFTER_CLOSE = 100

type OnSent = (isSent: boolean) => unknown

/** The line that a conversation belongs to. */
interface Line {
  readonly device: Device
  readonly closed: boolean
  readonly noise: Noise
  /** Waits until another message of the device may be stored. */
  pace(): Promise<void>
}

export class Talk {
  readonly #app: AppContext
  readonly #line: Line
  readonly #socket: Socket
  readonly #protocol: Protocol
  readonly #sendings: OnSent[] = []
  #turn = Promise.resolve()
  #left = AFTER_CLOSE
  #since: number | undefined

  constructor(app: AppContext, line: Line, socket: Socket) {
    this.#app = app
    this.#line = line
    this.#socket = socket
    const taken = {
      message: (bytes: Uint8Array) => this.#store(bytes),
      noise: (kind: NoiseKind, bytes: Uint8Array) => line.noise.take(kind, bytes),
      write: (bytes: Uint8Array) => this.#write(bytes),
      reply: () => void this.#sendings.push(() => undefined),
      sent: (isSent: boolean) => this.#sendings.shift()?.(isSent),
      close: () => socket.destroy(),
    }
    this.#protocol = line.device.protocol === 'hl7' ? new Hl7(app, line, taken) : new Astm(app, line, taken)
    // Medplum #3560: network equipment may drop a connection after two idle minutes.
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    socket.setNoDelay(true)
    socket.on('data', (bytes) => {
      // The rest waits in the socket, so that a fast sender costs no memory.
      socket.pause()
      this.#inTurn(() => this.#protocol.receive(bytes)).then(() => socket.resume())
    })
    const timer = setInterval(() => this.#tick(), TICK_MS).unref()
    socket.on('close', () => {
      clearInterval(timer)
      this.#inTurn(() => this.#protocol.ended())
      for (const onSent of this.#sendings.splice(0)) onSent(false)
    })
  }

  get waiting(): number {
    return this.#protocol.waiting
  }

  /** Sends an unsolicited work list, ASTM only. */
  send(records: readonly Uint8Array[], onSent: OnSent): void {
    this.#sendings.push(onSent)
    this.#inTurn(() => this.#protocol.send(records))
  }

  /** Runs the work of the socket in order; none after its line was closed. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn
      .then(() => (this.#line.closed ? undefined : work()))
      .catch((error) => {
        // Uncommitted messages are not acknowledged: the device sends them again.
        this.#app.log.warn({ err: error }, 'laboratory: a message was not stored')
        this.#socket.destroy()
      })
    return this.#turn
  }

  #tick(): void {
    const now = Date.now()
    this.#since = this.waiting === 0 ? undefined : (this.#since ?? now)
    if (this.#since !== undefined && isTooLong(now, this.#since, this.#protocol.receivedAt)) this.#socket.destroy()
    else this.#inTurn(() => this.#protocol.tick())
  }

  #write(bytes: Uint8Array): void {
    if (this.#socket.destroyed) return
    this.#socket.write(bytes)
    if (this.#socket.writableLength > MAX_UNREAD) this.#socket.destroy()
  }

  /** @returns undefined for what was not stored as a message: noise, or too late */
  async #store(bytes: Uint8Array) {
    const { device, noise } = this.#line
    if (this.#line.closed || (this.#socket.destroyed && this.#left-- <= 0)) return undefined
    if (!isMessage(device, bytes)) {
      await noise.take('message', bytes)
      return undefined
    }
    await this.#line.pace()
    this.#since = undefined
    return takeMessage(this.#app, device, bytes)
  }
}

interface Taken {
  message(bytes: Uint8Array): Promise<Awaited<ReturnType<typeof takeMessage>> | undefined>
  noise(kind: NoiseKind, bytes: Uint8Array): Promise<void>
  write(bytes: Uint8Array): void
  /** A reply to a query is among the work lists being sent. */
  reply(): void
  /** The earliest of them was sent, or refused. */
  sent(isSent: boolean): void
  close(): void
}

interface Protocol {
  /** Bytes of an unterminated message. */
  readonly waiting: number
  /** Time of the last byte, in milliseconds. */
  readonly receivedAt: number
  receive(bytes: Uint8Array): Promise<void>
  ended(): Promise<void>
  tick(): Promise<void>
  send(records: readonly Uint8Array[]): Promise<void>
}

/** Shared by the protocols. */
class ProtocolBase {
  protected readonly app: AppContext
  protected readonly line: Line
  protected readonly taken: Taken

  constructor(app: AppContext, line: Line, taken: Taken) {
    this.app = app
    this.line = line
    this.taken = taken
  }
}

class Astm extends ProtocolBase implements Protocol {
  readonly #state = astmStart(Date.now())

  get waiting(): number {
    return astmWaiting(this.#state)
  }
  get receivedAt(): number {
    return this.#state.receivedAt
  }
  receive = (bytes: Uint8Array) => this.#step({ bytes })
  ended = () => this.#step({ ended: true })
  tick = () => this.#step({ tick: true })
  send = (records: readonly Uint8Array[]) => this.#step({ send: records })

  async #step(input: AstmInput): Promise<void> {
    const { out, events } = astmStep(this.#state, input, Date.now())
    if (out.length) this.taken.write(out)
    for (const event of events) {
      if (event.kind === 'message') await this.#message(event.bytes)
      else if (event.kind === 'close') this.taken.close()
      else if ('bytes' in event) await this.taken.noise(event.kind, event.bytes)
      else this.taken.sent(event.kind === 'sent')
    }
  }

  async #message(bytes: Uint8Array): Promise<void> {
    const { device } = this.line
    const taken = await this.taken.message(bytes)
    await this.#step({ committed: true })
    if (!taken?.queries.length || device.direction !== 'two') return
    const records = writeAstm(
      taken.queries.flatMap(({ order }) => (order ? [order] : [])),
      Date.now(),
    )
    await keepSent(this.app, device, Buffer.concat(records))
    this.taken.reply()
    await this.#step({ send: records })
  }
}

class Hl7 extends ProtocolBase implements Protocol {
  readonly #state = mllpStart(Date.now())

  get waiting(): number {
    return mllpWaiting(this.#state)
  }
  get receivedAt(): number {
    return this.#state.receivedAt
  }
  receive = (bytes: Uint8Array) => this.#step({ bytes })
  ended = () => this.#step({ ended: true })
  tick = async () => {}
  send = async () => this.taken.sent(false)

  async #step(input: { bytes: Uint8Array } | { ended: true }): Promise<void> {
    for (const event of mllpStep(this.#state, input, Date.now()).events) {
      if (event.kind === 'message') await this.#message(event.bytes)
      else if (event.kind === 'close') this.taken.close()
      else await this.taken.noise(event.kind, event.bytes)
    }
  }

  async #message(bytes: Uint8Array): Promise<void> {
    const { device } = this.line
    const taken = await this.taken.message(bytes)
    if (!taken?.hl7) return
    const { hl7, queries, state } = taken
    if (queries.length === 0 || device.direction !== 'two') {
      this.taken.write(framed(acknowledge(hl7, state === 'broken' ? 'AR' : 'AA', Date.now())))
      return
    }
    for (const { order } of queries)
      for (const answer of answerQuery(hl7, order, Date.now())) {
        await keepSent(this.app, device, Buffer.from(answer))
        this.taken.write(framed(answer))
      }
  }
}
