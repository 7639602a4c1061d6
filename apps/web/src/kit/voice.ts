/** Voice messages as WAV (one channel, 16 bits), which every browser and messenger plays. */

const RATE = 16_000
const BARS = 64
const HEADER = 44
const FULL = 0x7fff

export interface Voice {
  file: File
  seconds: number
  /** Bar heights of the waveform, 0 to 100. */
  peaks: number[]
}

/** @param recorded in the browser's format @throws DOMException when the browser cannot decode it */
export async function voiceOf(recorded: Blob, name: string): Promise<Voice> {
  const decoded = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(await recorded.arrayBuffer())
  const channels = Array.from({ length: decoded.numberOfChannels }, (_, at) => decoded.getChannelData(at))
  const samples = channels[0] ?? new Float32Array()
  const mono =
    channels.length > 1
      ? samples.map((_, at) => channels.reduce((sum, one) => sum + (one[at] ?? 0), 0) / channels.length)
      : samples
  return {
    file: new File([wavOf(mono, RATE)], name, { type: 'audio/wav' }),
    seconds: decoded.duration,
    peaks: peaksOf(mono, BARS),
  }
}

/** @param samples -1 to 1 @param rate samples per second */
export function wavOf(samples: Float32Array, rate: number): ArrayBuffer {
  const bytes = samples.length * 2
  const view = new DataView(new ArrayBuffer(HEADER + bytes))
  const words = (at: number, text: string) => {
    for (const [place, letter] of [...text].entries()) view.setUint8(at + place, letter.charCodeAt(0))
  }
  words(0, 'RIFF')
  view.setUint32(4, HEADER - 8 + bytes, true)
  words(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  words(36, 'data')
  view.setUint32(40, bytes, true)
  for (const [at, sample] of samples.entries())
    view.setInt16(HEADER + at * 2, Math.round(Math.max(-1, Math.min(1, sample)) * FULL), true)
  return view.buffer
}

/** The peak of each of so many equal pieces; the highest is 100. */
export function peaksOf(samples: Float32Array, bars: number): number[] {
  const heights = Array.from({ length: bars }, (_, bar) => {
    const piece = samples.subarray(
      Math.floor((bar * samples.length) / bars),
      Math.floor(((bar + 1) * samples.length) / bars),
    )
    return piece.reduce((most, one) => Math.max(most, Math.abs(one)), 0)
  })
  const most = Math.max(...heights)
  return heights.map((height) => (most > 0 ? Math.round((height / most) * 100) : 0))
}
