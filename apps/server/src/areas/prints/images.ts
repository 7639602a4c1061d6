/** Pictures in documents: their size, and decoding once. */
import { openImage } from '#platform/letterhead.ts'
import type { Pdf } from '#platform/pdf.ts'

type Opened = ReturnType<typeof openImage>

const opened = new WeakMap<Pdf, Map<string, Opened>>()

/** A picture is decoded and embedded into a document once, however often it is used. */
export function openedIn(doc: Pdf, src: string, bytes: Uint8Array): Opened {
  const own = opened.get(doc) ?? new Map<string, Opened>()
  opened.set(doc, own)
  const image = own.get(src) ?? openImage(doc, bytes)
  own.set(src, image)
  return image
}

/** Size of a PNG or JPEG, in pixels. */
export function sizeOf(given: Uint8Array): { width: number; height: number } | undefined {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  if (bytes.length > 24 && bytes.readUInt32BE(0) === 0x89504e47)
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  for (let at = 2; at + 9 < bytes.length; ) {
    const marker = bytes[at + 1] as number
    if (bytes[at] !== 0xff) return undefined
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
