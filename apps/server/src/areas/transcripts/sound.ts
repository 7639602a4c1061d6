/** Channels of a recording, and speech detection. Pure, except for reading the bytes. */

import type { Wave } from '#areas/calls/index.ts'
import type { Storage } from '#platform/storage.ts'

/** Maximum bytes read of a recording: an hour of 8 kHz, 16 bits, two channels. */
export const MAX_BYTES = 128 * 1024 * 1024

/** Samples from -1 to 1. */
export type Samples = Float32Array

/** A stretch of speech, seconds. */
export interface Span {
  from: number
  to: number
}

/** The channels of a recording, separately. */
export async function channelsOf(files: Storage, key: string, wave: Wave): Promise<Samples[]> {
  const { start, bytes, bits, channels } = wave
  const step = bits / 8
  const count = Math.floor(Math.min(bytes, MAX_BYTES) / (step * channels))
  const read = Array.from({ length: channels }, () => new Float32Array(count))
  if (count === 0) return read
  let at = 0
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of await files.get(key, { start, end: start + count * step * channels - 1 })) {
    const data = rest.length ? Buffer.concat([rest, part as Buffer]) : (part as Buffer)
    const whole = data.length - (data.length % step)
    for (let byte = 0; byte < whole; byte += step, at++) {
      const value = step === 2 ? data.readInt16LE(byte) / 32_768 : ((data[byte] as number) - 128) / 128
      const frame = Math.floor(at / channels)
      if (frame < count) (read[at % channels] as Samples)[frame] = value
    }
    rest = data.subarray(whole)
  }
  return read
}

const FRAME_S = 0.03
/** Loudness limits as shares of full scale: below the first nothing is speech, above the second noise is ignored. */
const QUIET = 0.008
const LOUD = 0.03
const OVER_NOISE = 3
/** Shorter pauses belong to the speech; shorter speech is a click. Seconds. */
const PAUSE_S = 0.35
const CLICK_S = 0.12
const PAD_S = 0.12

/**
 * Speech detection: stretches louder than the line noise. Models hallucinate words in silence, so silence is never sent
 * and words in it are dropped.
 */
export function speechIn(samples: Samples, rate: number): Span[] {
  const frame = Math.max(1, Math.round(rate * FRAME_S))
  const loudness: number[] = []
  for (let at = 0; at < samples.length; at += frame) {
    let sum = 0
    const end = Math.min(samples.length, at + frame)
    for (let i = at; i < end; i++) sum += (samples[i] as number) ** 2
    loudness.push(Math.sqrt(sum / (end - at)))
  }
  const noise = loudness.toSorted((a, b) => a - b)[Math.floor(loudness.length / 5)] ?? 0
  const threshold = Math.min(Math.max(noise * OVER_NOISE, QUIET), LOUD)
  const spans: Span[] = []
  for (const [at, loud] of loudness.entries()) {
    if (loud < threshold) continue
    const from = at * FRAME_S
    const last = spans.at(-1)
    if (last && from - last.to <= PAUSE_S) last.to = from + FRAME_S
    else spans.push({ from, to: from + FRAME_S })
  }
  const length = samples.length / rate
  return spans
    .filter(({ from, to }) => to - from >= CLICK_S)
    .map(({ from, to }) => ({ from: Math.max(0, from - PAD_S), to: Math.min(length, to + PAD_S) }))
}

/** Whether a moment is in speech, with the tolerance of a frame. */
export const isSpoken = (spans: readonly Span[], at: number, slack = 0.3): boolean =>
  spans.some(({ from, to }) => at >= from - slack && at <= to + slack)

/** Seconds of a piece sent at once. */
const PIECE_S = 600

/** Groups stretches into pieces, split at pauses: none is longer than PIECE_S unless it has no pause. */
export function piecesOf(spans: readonly Span[], most = PIECE_S): Span[] {
  const pieces: Span[] = []
  for (const { from, to } of spans) {
    const last = pieces.at(-1)
    if (last && to - last.from <= most) last.to = to
    else for (let at = from; at < to; at += most) pieces.push({ from: at, to: Math.min(to, at + most) })
  }
  return pieces
}

/** A recording of one channel, 16 bits, of a stretch of samples. */
export function waveOf(samples: Samples, rate: number, { from, to }: Span): Buffer<ArrayBuffer> {
  const first = Math.floor(from * rate)
  const cut = samples.subarray(first, Math.min(samples.length, Math.ceil(to * rate)))
  const wave = Buffer.alloc(44 + cut.length * 2)
  wave.write('RIFF', 0, 'latin1')
  wave.writeUInt32LE(36 + cut.length * 2, 4)
  wave.write('WAVEfmt ', 8, 'latin1')
  wave.writeUInt32LE(16, 16)
  wave.writeUInt16LE(1, 20)
  wave.writeUInt16LE(1, 22)
  wave.writeUInt32LE(rate, 24)
  wave.writeUInt32LE(rate * 2, 28)
  wave.writeUInt16LE(2, 32)
  wave.writeUInt16LE(16, 34)
  wave.write('data', 36, 'latin1')
  wave.writeUInt32LE(cut.length * 2, 40)
  for (let i = 0; i < cut.length; i++) {
    const value = Math.max(-1, Math.min(1, cut[i] as number))
    wave.writeInt16LE(Math.round(value * 32_767), 44 + i * 2)
  }
  return wave
}

/** The samples of a recording made by `waveOf`. */
export function samplesOf(wave: Buffer): { samples: Samples; rate: number } {
  const rate = wave.readUInt32LE(24)
  const samples = new Float32Array((wave.length - 44) / 2)
  for (let i = 0; i < samples.length; i++) samples[i] = wave.readInt16LE(44 + i * 2) / 32_768
  return { samples, rate }
}

/** For tests and the demo: two voices of one recording, each in a channel of its own. */
export function stereoOf(first: Samples, second: Samples, rate: number): Buffer {
  const count = Math.max(first.length, second.length)
  const wave = Buffer.alloc(44 + count * 4)
  waveOf(new Float32Array(0), rate, { from: 0, to: 0 }).copy(wave)
  wave.writeUInt32LE(36 + count * 4, 4)
  wave.writeUInt16LE(2, 22)
  wave.writeUInt32LE(rate * 4, 28)
  wave.writeUInt16LE(4, 32)
  wave.writeUInt32LE(count * 4, 40)
  for (let i = 0; i < count; i++) {
    wave.writeInt16LE(Math.round((first[i] ?? 0) * 32_767), 44 + i * 4)
    wave.writeInt16LE(Math.round((second[i] ?? 0) * 32_767), 46 + i * 4)
  }
  return wave
}
