/** Stored recordings: WAV, PCM of 8 or 16 bits. Reader and generator; other formats are not supported. */
import type { Storage } from '#platform/storage.ts'

/** Maximum bytes of a recording read for its waveform: an hour of 8 kHz, 16 bits. */
const MAX_DRAWN = 60 * 1024 * 1024
const HEAD_BYTES = 512
const PCM = 1

export interface Wave {
  rate: number
  /** 8 or 16. */
  bits: number
  channels: number
  /** Offset and size in bytes of the samples. */
  start: number
  bytes: number
}

/** Parses the first bytes of a file; undefined if it is no recording. */
export function readWave(head: Buffer, size: number): Wave | undefined {
  if (head.length < 44 || head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE') return
  let at = 12
  let format: Pick<Wave, 'rate' | 'bits' | 'channels'> | undefined
  while (at + 8 <= head.length) {
    const kind = head.toString('latin1', at, at + 4)
    const length = head.readUInt32LE(at + 4)
    if (kind === 'fmt ' && at + 24 <= head.length) {
      if (head.readUInt16LE(at + 8) !== PCM) return
      format = {
        channels: head.readUInt16LE(at + 10),
        rate: head.readUInt32LE(at + 12),
        bits: head.readUInt16LE(at + 22),
      }
    }
    if (kind === 'data') {
      const start = at + 8
      // A truncated recording declares more than it has.
      const bytes = Math.min(length, size - start)
      const plays = format && format.rate > 0 && format.channels > 0 && (format.bits === 8 || format.bits === 16)
      return format && plays && bytes > 0 ? { ...format, start, bytes } : undefined
    }
    at += 8 + length + (length % 2)
  }
}

/** Length in seconds. */
export const secondsOf = ({ bytes, rate, channels, bits }: Wave): number => bytes / (rate * channels * (bits / 8))

/** The recording under a key, or the reason why it is unusable, for a person. */
export async function openWave(files: Storage, key: string): Promise<Wave | 'missing' | 'empty' | 'alien'> {
  const there = await files.stat(key)
  if (!there) return 'missing'
  if (there.size === 0) return 'empty'
  const head = await bytesOf(files, key, { start: 0, end: Math.min(there.size, HEAD_BYTES) - 1 })
  return readWave(head, there.size) ?? 'alien'
}

async function bytesOf(files: Storage, key: string, range: { start: number; end: number }): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of await files.get(key, range)) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/**
 * Loudness of a recording in this many bars, 0 to 100, the maximum of each: at most the first MAX_DRAWN bytes, read in
 * pieces to limit memory.
 */
export async function peaksOf(files: Storage, key: string, wave: Wave, bars: number): Promise<number[]> {
  const step = wave.bits / 8
  const length = Math.floor(Math.min(wave.bytes, MAX_DRAWN) / step) * step
  const samples = length / step
  const peaks = new Array<number>(bars).fill(0)
  let at = 0
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of await files.get(key, { start: wave.start, end: wave.start + length - 1 })) {
    const data = rest.length ? Buffer.concat([rest, part as Buffer]) : (part as Buffer)
    const whole = data.length - (data.length % step)
    for (let byte = 0; byte < whole; byte += step, at++) {
      const loud = step === 2 ? Math.abs(data.readInt16LE(byte)) / 32_768 : Math.abs((data[byte] as number) - 128) / 128
      const bar = Math.min(bars - 1, Math.floor((at / samples) * bars))
      const height = Math.round(loud * 100)
      if (height > (peaks[bar] as number)) peaks[bar] = height
    }
    rest = data.subarray(whole)
  }
  return peaks
}

const RATE = 8_000
const HEADER = 44
const VOICES = 2

/** File header: PCM of 8 bits in two channels. */
function header(samples: number): Buffer {
  const head = Buffer.alloc(HEADER)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(HEADER - 8 + samples * VOICES, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(PCM, 20)
  head.writeUInt16LE(VOICES, 22)
  head.writeUInt32LE(RATE, 24)
  head.writeUInt32LE(RATE * VOICES, 28)
  head.writeUInt16LE(VOICES, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples * VOICES, 40)
  return head
}

/**
 * Generates a short recording of two alternating voices, each in a channel of its own as exchanges record them: vowels
 * with pauses, 8 kHz, 8 bits. The second channel, the clinic's, begins.
 * @param random of 0 to 1: the same numbers make the same recording
 */
export function speechLike(seconds: number, random: () => number): Buffer {
  const samples = Math.round(seconds * RATE)
  const wave = Buffer.concat([header(samples), Buffer.alloc(samples * VOICES, 128)])
  let at = 0
  let voice = 1
  while (at < samples) {
    // A turn of one voice: some syllables, then silence.
    const syllables = 7 + Math.floor(random() * 8)
    for (let n = 0; n < syllables && at < samples; n++) {
      const length = Math.min(samples - at, Math.round((0.12 + random() * 0.16) * RATE))
      const pitch = (voice ? 205 : 118) * (0.9 + random() * 0.25)
      const formant = 500 + random() * 900
      for (let i = 0; i < length; i++) {
        const swell = Math.sin((Math.PI * i) / length)
        const t = i / RATE
        const tone =
          Math.sin(2 * Math.PI * pitch * t) * 0.5 +
          Math.sin(2 * Math.PI * formant * t) * 0.22 * (0.5 + 0.5 * Math.sin(2 * Math.PI * pitch * t)) +
          Math.sin(4 * Math.PI * pitch * t) * 0.2
        wave[HEADER + (at + i) * VOICES + voice] = 128 + Math.round(tone * swell * 95)
      }
      at += length + Math.round(random() * 0.05 * RATE)
    }
    at += Math.round((0.4 + random() * 0.5) * RATE)
    voice = 1 - voice
  }
  return wave
}
