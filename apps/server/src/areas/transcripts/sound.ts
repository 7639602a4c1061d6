/** Channels of a recording, and where somebody speaks in them. Pure, but for reading the bytes. */

import type { Wave } from '#areas/calls/index.ts'
import type { Storage } from '#platform/storage.ts'

/** Bytes of a recording that are read: an hour of 8 kHz, 16 bits, two channels. */
export const MAX_BYTES = 128 * 1024 * 1024

/** Samples from -1 to 1. */
export type Samples = Float32Array

/** A stretch of speech, seconds. */
export interface Span {
  from: number
  to: number
}

/** The channels of a recording, each by itself. */
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
/** Loudness below which nothing is speech, and above which noise cannot hide it: shares of full scale. */
const QUIET = 0.008
const LOUD = 0.03
const OVER_NOISE = 3
/** Pauses shorter than this belong to the speech; speech shorter than this is a click. Seconds. */
const PAUSE_S = 0.35
const CLICK_S = 0.12
const PAD_S = 0.12

/**
 * Where somebody speaks: what is louder than the noise of the line. A model invents words for silence, so that what is
 * silent is never sent and words that lie in it are not believed.
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

/** Whether a moment lies in speech, with the width of a frame around it. */
export const isSpoken = (spans: readonly Span[], at: number, slack = 0.3): boolean =>
  spans.some(({ from, to }) => at >= from - slack && at <= to + slack)

/** Seconds of a piece that is sent at once. */
const PIECE_S = 600

/** Stretches to be sent, each whole pauses apart from the next: none is longer than PIECE_S but for one breathless talk. */
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

/** The samples of a recording that `waveOf` has made. */
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
