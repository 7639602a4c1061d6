/**
 * HL7 v2 framing over TCP (MLLP): VT … FS CR, as a pure state machine. Tolerates FS without CR, noise before VT, two
 * messages in one chunk, a message restarted in the middle of another.
 */

export const VT = 0x0b
export const FS = 0x1c
const CR = 0x0d
const LF = 0x0a

/** Maximum bytes of a message; above it the connection is closed. */
export const MAX_MESSAGE = 1024 * 1024

export interface MllpState {
  /** Between VT and FS. */
  inside: boolean
  bytes: number[]
  heard: number
}

export type MllpEvent =
  | { kind: 'message'; bytes: Uint8Array }
  | { kind: 'unfinished' | 'noise'; bytes: Uint8Array }
  | { kind: 'close'; reason: string }

export const mllpStart = (now: number): MllpState => ({ inside: false, bytes: [], heard: now })

/** Bytes of an unterminated message. */
export const mllpWaiting = ({ bytes }: MllpState): number => bytes.length

/** @param now milliseconds */
export function mllpStep(
  before: MllpState,
  input: { bytes: Uint8Array } | { ended: true },
  now: number,
): { state: MllpState; events: MllpEvent[] } {
  const state: MllpState = { ...before, bytes: [...before.bytes] }
  const events: MllpEvent[] = []
  const drop = () => {
    if (state.bytes.length)
      events.push({ kind: state.inside ? 'unfinished' : 'noise', bytes: Uint8Array.from(state.bytes) })
    state.bytes = []
  }
  if ('ended' in input) {
    drop()
    state.inside = false
    return { state, events }
  }
  state.heard = now
  for (const byte of input.bytes) {
    if (byte === VT) {
      drop()
      state.inside = true
    } else if (byte === FS && state.inside) {
      events.push({ kind: 'message', bytes: Uint8Array.from(state.bytes) })
      Object.assign(state, { inside: false, bytes: [] })
    } else if (state.inside || state.bytes.length || (byte !== CR && byte !== LF)) state.bytes.push(byte)
    if (state.bytes.length > MAX_MESSAGE) {
      drop()
      state.inside = false
      events.push({ kind: 'close', reason: `Больше ${MAX_MESSAGE} байт без конца сообщения` })
      return { state, events }
    }
  }
  return { state, events }
}

/** A message in its frame. */
export const framed = (text: string): Uint8Array => Uint8Array.from([VT, ...new TextEncoder().encode(text), FS, CR])
