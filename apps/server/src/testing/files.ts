import { crc32 } from 'node:zlib'
import sharp, { type PngOptions } from 'sharp'

/** For tests and benchmarks: a picture of one colour. */
export const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2f9e44' }, limitInputPixels: false })

/** A small PNG whose header claims to be `side` pixels wide and high. */
export async function liar(side: number, options: PngOptions = {}): Promise<Buffer> {
  const png = await picture(1, 1).png(options).toBuffer()
  png.writeUInt32BE(side, 16)
  png.writeUInt32BE(side, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return png
}

/** A small progressive JPEG whose header claims to be `side` pixels wide and high. */
export async function liarJpeg(side: number): Promise<Buffer> {
  const jpeg = await picture(1, 1).jpeg({ progressive: true }).toBuffer()
  const head = jpeg.indexOf(Buffer.from([0xff, 0xc2]))
  jpeg.writeUInt16BE(side, head + 5)
  jpeg.writeUInt16BE(side, head + 7)
  return jpeg
}

/** An animation of one pixel: `frames` frames of 23 bytes. */
export function longGif(frames: number): Buffer {
  const head = Buffer.from('47494638396101000100800000000000ffffff', 'hex')
  const frame = Buffer.from('21f90400010000002c000000000100010000' + '0202440100', 'hex')
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])])
}

export function form(content: Uint8Array | string, name: string, field = 'file'): FormData {
  const data = new FormData()
  data.append(field, new Blob([content as BlobPart]), name)
  return data
}

/** File headers of audio formats, as recorded by telephones and messengers. */
export const sounds = {
  // The first page of an Ogg that holds Opus: header of 28 bytes, then the codec's name.
  ogg: Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from('OpusHead'), Buffer.alloc(64)]),
  mp3: Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(800)]),
  m4a: Buffer.concat([Buffer.from('\0\0\0\u0018ftypM4A \0\0\0\0M4A mp42'), Buffer.alloc(64)]),
  wav: Buffer.concat([Buffer.from('RIFF\u0024\0\0\0WAVEfmt '), Buffer.alloc(64)]),
} as const
export type Sound = keyof typeof sounds
export const soundTypes: Record<Sound, string> = {
  ogg: 'audio/ogg',
  mp3: 'audio/mpeg',
  m4a: 'audio/x-m4a',
  wav: 'audio/wav',
}
