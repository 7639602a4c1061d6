/** Writes a ZIP archive file by file, as a stream: neither a file nor the archive is held in memory. */
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface StreamedFile {
  name: string
  content: AsyncIterable<string | Uint8Array>
}

/** Names are in UTF-8; sizes and checksum follow the content of a file (APPNOTE 4.4.4, bits 11 and 3). */
const FLAGS = 0x0808
const VERSION = 20
const DEFLATED = 8
/** The format without ZIP64 counts bytes in 32 bits. */
const MAX_BYTES = 0xffff_ffff

interface Written {
  name: Buffer
  start: number
  crc: number
  size: number
  packedSize: number
}

/** The bytes of an archive of these files. @throws RangeError above 4 GB */
export async function* zipStream(files: AsyncIterable<StreamedFile>): AsyncGenerator<Buffer, void> {
  const written: Written[] = []
  let at = 0
  const counted = (bytes: Buffer) => {
    at += bytes.length
    if (at > MAX_BYTES) throw new RangeError('a ZIP archive above 4 GB')
    return bytes
  }
  for await (const { name, content } of files) {
    const file: Written = { name: Buffer.from(name), start: at, crc: 0, size: 0, packedSize: 0 }
    yield counted(localHeader(file))
    for await (const bytes of deflated(content, file)) yield counted(bytes)
    yield counted(descriptor(file))
    written.push(file)
  }
  const start = at
  for (const file of written) yield counted(directoryEntry(file))
  yield endOfDirectory(written.length, start, at - start)
}

/** Packs a file; its checksum and sizes are known when it ends. */
async function* deflated(content: AsyncIterable<string | Uint8Array>, file: Written): AsyncGenerator<Buffer, void> {
  const deflate = createDeflateRaw()
  const done = pipeline(async function* () {
    for await (const part of content) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part
      file.crc = crc32(bytes, file.crc)
      file.size += bytes.length
      yield bytes
    }
  }, deflate)
  // A failure of the content also ends the loop below.
  done.catch(() => {})
  for await (const bytes of deflate as AsyncIterable<Buffer>) {
    file.packedSize += bytes.length
    yield bytes
  }
  await done
  if (file.size > MAX_BYTES) throw new RangeError('a file above 4 GB in a ZIP archive')
}

function localHeader({ name }: Written): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50)
  head.writeUInt16LE(VERSION, 4)
  head.writeUInt16LE(FLAGS, 6)
  head.writeUInt16LE(DEFLATED, 8)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, name])
}

function descriptor(file: Written): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32LE(0x08074b50)
  writeSizes(bytes, 4, file)
  return bytes
}

function directoryEntry(file: Written): Buffer {
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50)
  entry.writeUInt16LE(VERSION, 4)
  entry.writeUInt16LE(VERSION, 6)
  entry.writeUInt16LE(FLAGS, 8)
  entry.writeUInt16LE(DEFLATED, 10)
  writeSizes(entry, 16, file)
  entry.writeUInt16LE(file.name.length, 28)
  entry.writeUInt32LE(file.start, 42)
  return Buffer.concat([entry, file.name])
}

function writeSizes(bytes: Buffer, at: number, { crc, packedSize, size }: Written): void {
  bytes.writeUInt32LE(crc, at)
  bytes.writeUInt32LE(packedSize, at + 4)
  bytes.writeUInt32LE(size, at + 8)
}

function endOfDirectory(count: number, start: number, length: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(length, 12)
  end.writeUInt32LE(start, 16)
  return end
}
