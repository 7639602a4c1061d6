/**
 * HL7 v2 framing over TCP (MLLP): VT … FS CR, as a state machine without input or output. Tolerates FS without CR, noise
 * before VT, two messages in one chunk, a message restarted in the middle of another.
 */
import { Bytes } from './bytes.ts'

export const VT = 0x0b
export const FS = 0x1c
const CR = 0x0d
const LF = 0x0a

/** Maximum bytes of a message; above it the connection is closed. */
export const MAX_MESSAGE = 1024 * 1024

/** Owned by the machine: a step changes it in place. */
export interface MllpState {
  /** Between VT and FS. */
  inside: boolean
  bytes: Bytes
  receivedAt: number
}

export type MllpEvent =
  | { kind: 'message'; bytes: Uint8Array }
  | { kind: 'unfinished' | 'noise'; bytes: Uint8Array }
  | { kind: 'close'; reason: string }

export const mllpStart = (now: number): MllpState => ({ inside: false, bytes: new Bytes(), receivedAt: now })

/** Bytes of an unterminated message. */
export const mllpWaiting = ({ bytes }: MllpState): number => bytes.length

/** @param now milliseconds */
export function mllpStep(
  state: MllpState,
  input: { bytes: Uint8Array } | { ended: true },
  now: number,
): { state: MllpState; events: MllpEvent[] } {
  const events: MllpEvent[] = []
  const drop = () => {
    if (state.bytes.length) events.push({ kind: state.inside ? 'unfinished' : 'noise', bytes: state.bytes.take() })
    state.inside = false
  }
  if ('ended' in input) {
    drop()
    return { state, events }
  }
  state.receivedAt = now
  const { bytes } = input
  for (let from = 0; from < bytes.length; ) {
    // Line ends after a message.
    if (!state.inside && state.bytes.length === 0 && (bytes[from] === CR || bytes[from] === LF)) {
      from++
      continue
    }
    let to = from
    while (to < bytes.length && bytes[to] !== VT && !(state.inside && bytes[to] === FS)) to++
    state.bytes.append(bytes.subarray(from, to))
    if (state.bytes.length > MAX_MESSAGE) {
      drop()
      events.push({ kind: 'close', reason: `Больше ${MAX_MESSAGE} байт без конца сообщения` })
      return { state, events }
    }
    if (bytes[to] === VT) {
      drop()
      state.inside = true
    } else if (to < bytes.length) {
      events.push({ kind: 'message', bytes: state.bytes.take() })
      state.inside = false
    }
    from = to + 1
  }
  return { state, events }
}

/** A message in its frame. */
export const framed = (text: string): Uint8Array => Uint8Array.from([VT, ...new TextEncoder().encode(text), FS, CR])
