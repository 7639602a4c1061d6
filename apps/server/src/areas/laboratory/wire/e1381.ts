/**
 * The ASTM E1381 link (CLSI LIS01-A2), both roles, as a state machine without input or output: `step(state, input,
 * clock)` changes the state in place and returns the bytes to send and the events. The acknowledgement of a message's last frame is held back until the
 * driver reports the commit: until then a device repeats it.
 *
 * Devices exceed 240 bytes per frame, and some send records without frames: both are accepted.
 */
import { Bytes } from './bytes.ts'

export const ENQ = 0x05
export const ACK = 0x06
export const NAK = 0x15
export const EOT = 0x04
export const STX = 0x02
export const ETX = 0x03
export const ETB = 0x17
const CR = 0x0d
const LF = 0x0a

/** Maximum bytes of a message; above it the connection is closed. A Yumizen H500 sends 32 kB with its histograms. */
export const MAX_MESSAGE = 1024 * 1024
/** Maximum text bytes of an outgoing frame (E1381 7.2.1: 247 with all delimiters). */
const MAX_TEXT = 240
/** Timeouts in milliseconds: of a receiver waiting for a frame, of a sender waiting for a reply, after a contention. */
const RECEIVE_MS = 30_000
const ANSWER_MS = 15_000
const CONTENTION_MS = 20_000
const MAX_TRIES = 6

export interface AstmState {
  phase: 'idle' | 'receiving' | 'committing' | 'asking' | 'sending'
  /** A started frame, from its number on; undefined if none. */
  frame: Bytes | undefined
  /** Of a finished frame: the received characters of its checksum. */
  check: number[] | undefined
  /** The expected number of the next frame; undefined: any. */
  next: number | undefined
  /** The text of the message so far. */
  text: Bytes
  /** Bytes outside of frames. */
  loose: Bytes
  /** Bytes received while a message was being committed. */
  pending: Bytes
  /** How many of them have been read. */
  pendingAt: number
  /** Time of the last received byte, in milliseconds. */
  receivedAt: number
  outbox: readonly (readonly Uint8Array[])[]
  at: number
  tries: number
  notBefore: number
}

export type AstmEvent =
  /** A complete message: it waits for `{ committed }`. `framed`: received in frames, so a reply is expected. */
  | { kind: 'message'; bytes: Uint8Array; framed: boolean }
  /** Unterminated or stray data: kept in the log. */
  | { kind: 'unfinished' | 'noise' | 'checksum'; bytes: Uint8Array }
  | { kind: 'sent' | 'unsent' }
  /** Too much data without an end: the connection is closed. */
  | { kind: 'close'; reason: string }

export type AstmInput =
  | { bytes: Uint8Array }
  | { committed: boolean }
  | { send: readonly Uint8Array[] }
  | { tick: true }
  | { ended: true }

export interface AstmStep {
  state: AstmState
  out: Uint8Array
  events: AstmEvent[]
}

export const astmStart = (now: number): AstmState => ({
  phase: 'idle',
  frame: undefined,
  check: undefined,
  next: undefined,
  text: new Bytes(),
  loose: new Bytes(),
  pending: new Bytes(),
  pendingAt: 0,
  receivedAt: now,
  outbox: [],
  at: 0,
  tries: 0,
  notBefore: 0,
})

/** Bytes of an unterminated message: shown by the status «N байт без конца». */
export const astmWaiting = ({ frame, text, loose, pending, pendingAt }: AstmState): number =>
  (frame?.length ?? 0) + text.length + loose.length + pending.length - pendingAt

/** @param now milliseconds */
export function astmStep(state: AstmState, input: AstmInput, now: number): AstmStep {
  const out: number[] = []
  const events: AstmEvent[] = []
  const machine = { state, out, events, now }
  if ('bytes' in input) {
    state.receivedAt = now
    read(machine, input.bytes)
  } else if ('committed' in input) commit(machine, input.committed)
  else if ('send' in input) {
    state.outbox = [...state.outbox, framesOf(input.send)]
    ask(machine)
  } else if ('ended' in input) finish(machine)
  else tick(machine)
  return { state, out: Uint8Array.from(out), events }
}

interface Machine {
  state: AstmState
  out: number[]
  events: AstmEvent[]
  now: number
}

function read(machine: Machine, bytes: Uint8Array): void {
  const { state } = machine
  for (const [at, byte] of bytes.entries()) {
    if (state.phase === 'committing') {
      state.pending.append(bytes.subarray(at))
      limit(machine)
      return
    }
    one(machine, byte)
    if (limit(machine)) return
  }
}

/** Bytes received during a commit; each is read once, also when further messages among them stop it again. */
function readPending(machine: Machine): void {
  const { state } = machine
  while (state.pendingAt < state.pending.length && state.phase !== 'committing')
    one(machine, state.pending.at(state.pendingAt++) as number)
  if (state.pendingAt < state.pending.length) return
  state.pending.clear()
  state.pendingAt = 0
}

/** Ends a message that is too long. @returns whether it did */
function limit({ state, events }: Machine): boolean {
  if (astmWaiting(state) <= MAX_MESSAGE) return false
  events.push({ kind: 'unfinished', bytes: all(state) })
  events.push({ kind: 'close', reason: `Больше ${MAX_MESSAGE} байт без конца сообщения` })
  reset(state)
  return true
}

function all({ text, frame, loose, pending, pendingAt }: AstmState): Uint8Array {
  const whole = new Bytes()
  for (const part of [text, frame, loose]) if (part) whole.append(part.view())
  whole.append(pending.view(pendingAt))
  return whole.take()
}

function reset(state: AstmState): void {
  Object.assign(state, { phase: 'idle', frame: undefined, check: undefined, next: undefined, pendingAt: 0 })
  for (const bytes of [state.text, state.loose, state.pending]) bytes.clear()
}

function one(machine: Machine, byte: number): void {
  const { state, out } = machine
  if (state.check) {
    if (isHex(byte)) state.check.push(byte)
    else refuseFrame(machine, byte)
    if (state.check?.length === 2) endFrame(machine)
    return
  }
  if (state.frame) {
    if (byte === ETX || byte === ETB) {
      state.frame.push(byte)
      state.check = []
      return
    }
    // A restart by the device discards the frame before.
    if (byte !== STX && byte !== ENQ && byte !== EOT) {
      state.frame.push(byte)
      return
    }
    if (state.frame.length) machine.events.push({ kind: 'unfinished', bytes: state.frame.take() })
    state.frame = undefined
  }
  switch (byte) {
    case ENQ:
      if (state.phase === 'asking') {
        // Contention: the device goes first (E1381 6.2.7.1).
        Object.assign(state, { phase: 'idle', notBefore: machine.now + CONTENTION_MS })
        return
      }
      dropText(machine)
      Object.assign(state, { phase: 'receiving', next: 1 })
      out.push(ACK)
      return
    case EOT:
      flushLoose(machine)
      dropText(machine)
      state.phase = 'idle'
      ask(machine)
      return
    case STX:
      flushLoose(machine)
      if (state.phase === 'idle') Object.assign(state, { phase: 'receiving', next: undefined })
      state.frame = new Bytes()
      return
    case ACK:
      answered(machine)
      return
    case NAK:
      again(machine)
      return
    case LF:
    case CR:
      if (state.loose.length === 0) return
  }
  state.loose.push(byte)
  if (byte === CR) looseRecord(machine)
}

const isHex = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)

/** A frame without a valid checksum: all of it is kept in the log. */
function refuseFrame(machine: Machine, byte: number): void {
  const { state, out, events } = machine
  events.push({ kind: 'checksum', bytes: withCheck(state) })
  Object.assign(state, { frame: undefined, check: undefined })
  out.push(NAK)
  if (byte !== CR && byte !== LF) one(machine, byte)
}

/** The frame with the received characters of its checksum. */
function withCheck({ frame = new Bytes(), check = [] }: AstmState): Uint8Array {
  for (const byte of check) frame.push(byte)
  return frame.take()
}

function endFrame(machine: Machine): void {
  const { state, out, events } = machine
  const sum = Number.parseInt(String.fromCharCode(...(state.check ?? [])), 16)
  const frame = state.frame?.view() ?? new Uint8Array()
  if (checksum(frame) !== sum) {
    events.push({ kind: 'checksum', bytes: withCheck(state) })
    Object.assign(state, { frame: undefined, check: undefined })
    out.push(NAK)
    return
  }
  Object.assign(state, { frame: undefined, check: undefined })
  const number = (frame[0] as number) - 0x30
  const body = frame.subarray(1, -1)
  // A repeat of the previous frame: its acknowledgement was lost.
  if (state.next !== undefined && number === (state.next + 7) % 8 && state.text.length > 0) {
    out.push(ACK)
    return
  }
  if (state.next !== undefined && number !== state.next) {
    out.push(NAK)
    return
  }
  state.next = (number + 1) % 8
  state.text.append(body)
  if (frame.at(-1) === ETX && endsMessage(state.text)) {
    events.push({ kind: 'message', bytes: state.text.take(), framed: true })
    state.phase = 'committing'
    return
  }
  out.push(ACK)
}

/** Sum of all bytes from the number of the frame to its ETX or ETB, modulo 256. */
export const checksum = (bytes: readonly number[] | Uint8Array): number => {
  let sum = 0
  for (const byte of bytes) sum = (sum + byte) & 0xff
  return sum
}

/** Whether the last record ends a message: `L`. */
function endsMessage(text: Bytes): boolean {
  const start = text.lastLine()
  return text.at(start) === 0x4c && !isWordByte(text.at(start + 1))
}

/** A letter or a digit directly after it makes it another record type. */
const isWordByte = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a))

/** Collects records without frames: a message from its H to its L. */
function looseRecord(machine: Machine): void {
  const { state } = machine
  if (state.phase !== 'idle' || state.loose.at(0) !== 0x48 || !endsMessage(state.loose)) return
  machine.events.push({ kind: 'message', bytes: state.loose.take(), framed: false })
  state.phase = 'committing'
}

function flushLoose({ state, events }: Machine): void {
  if (state.loose.length) events.push({ kind: 'noise', bytes: state.loose.take() })
}

function dropText({ state, events }: Machine): void {
  if (state.text.length) events.push({ kind: 'unfinished', bytes: state.text.take() })
}

function commit(machine: Machine, done: boolean): void {
  const { state, out } = machine
  if (state.phase !== 'committing') return
  const isFramed = state.next !== undefined
  // The message is over; the device may send more before its EOT.
  state.phase = isFramed ? 'receiving' : 'idle'
  if (isFramed) out.push(done ? ACK : NAK)
  if (!done && state.next !== undefined) state.next = (state.next + 7) % 8
  readPending(machine)
  if (state.phase === 'idle') ask(machine)
}

function finish(machine: Machine): void {
  const { state, events } = machine
  if (state.frame) events.push({ kind: 'unfinished', bytes: withCheck(state) })
  dropText(machine)
  flushLoose(machine)
  if (state.pendingAt < state.pending.length)
    events.push({ kind: 'unfinished', bytes: state.pending.view(state.pendingAt).slice() })
  reset(state)
}

function tick(machine: Machine): void {
  const { state, out, events, now } = machine
  const quiet = now - state.receivedAt
  if (state.phase === 'receiving' && quiet >= RECEIVE_MS) finish(machine)
  if ((state.phase === 'asking' || state.phase === 'sending') && quiet >= ANSWER_MS) {
    out.push(EOT)
    Object.assign(state, { phase: 'idle', notBefore: now + ANSWER_MS, at: 0, tries: 0, receivedAt: now })
    events.push({ kind: 'unsent' })
  }
  if (state.phase === 'idle') {
    if (state.loose.length && quiet >= RECEIVE_MS) flushLoose(machine)
    ask(machine)
  }
}

function ask({ state, out, now }: Machine): void {
  if (state.phase !== 'idle' || state.outbox.length === 0 || now < state.notBefore) return
  out.push(ENQ)
  Object.assign(state, { phase: 'asking', at: 0, tries: 0, receivedAt: now })
}

function answered(machine: Machine): void {
  const { state, out, events, now } = machine
  if (state.phase === 'asking') state.phase = 'sending'
  else if (state.phase === 'sending') state.at++
  else return
  state.tries = 0
  state.receivedAt = now
  const frame = state.outbox[0]?.[state.at]
  if (frame) {
    out.push(...frame)
    return
  }
  out.push(EOT)
  Object.assign(state, { phase: 'idle', outbox: state.outbox.slice(1), at: 0 })
  events.push({ kind: 'sent' })
  ask(machine)
}

function again(machine: Machine): void {
  const { state, out, events, now } = machine
  if (state.phase === 'asking') {
    Object.assign(state, { phase: 'idle', notBefore: now + ANSWER_MS })
    return
  }
  if (state.phase !== 'sending') return
  const frame = state.outbox[0]?.[state.at]
  if (++state.tries < MAX_TRIES && frame) {
    out.push(...frame)
    return
  }
  out.push(EOT)
  // Six refusals end it: the device does not accept this message.
  Object.assign(state, { phase: 'idle', outbox: state.outbox.slice(1), at: 0, tries: 0 })
  events.push({ kind: 'unsent' })
}

/** Splits records into frames, one record or a part of one in each, numbered 1…7, 0. */
export function framesOf(records: readonly Uint8Array[]): Uint8Array[] {
  const frames: Uint8Array[] = []
  for (const record of records)
    for (let from = 0; from < record.length || from === 0; from += MAX_TEXT) {
      const part = record.subarray(from, from + MAX_TEXT)
      const isLast = from + MAX_TEXT >= record.length
      const inner = [0x30 + ((frames.length + 1) % 8), ...part, isLast ? ETX : ETB]
      const sum = checksum(inner).toString(16).toUpperCase().padStart(2, '0')
      frames.push(Uint8Array.from([STX, ...inner, sum.charCodeAt(0), sum.charCodeAt(1), CR, LF]))
    }
  return frames
}
