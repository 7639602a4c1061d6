import { crc32, inflateRawSync } from 'node:zlib'
import { ReadRefusal } from './answerReading.ts'

/** Unpacked files of an archive, by name. */
export type Zip = ReadonlyMap<string, Buffer>

/** A file of an archive, unpacked when it is read. */
export interface ZipEntry {
  name: string
  /** Unpacked bytes, as the directory says: they may be wrong. */
  size: number
  /** @throws ReadRefusal when it is more than `maxBytes` */
  read(maxBytes: number): Buffer
}

/**
 * The directory of an archive; nothing is unpacked yet.
 * @throws ReadRefusal
 */
export function openZip(file: Buffer, { maxEntries }: { maxEntries: number }): ZipEntry[] {
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0 || end + 22 > file.length) throw new ReadRefusal('Файл повреждён: архив обрывается')
  const count = file.readUInt16LE(end + 10)
  if (count > maxEntries) throw tooLarge()
  const entries: ZipEntry[] = []
  let at = file.readUInt32LE(end + 16)
  for (let n = 0; n < count; n++) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== 0x02014b50) throw broken()
    const [method, packedSize, size] = [
      file.readUInt16LE(at + 10),
      file.readUInt32LE(at + 20),
      file.readUInt32LE(at + 24),
    ]
    const [name, extra, comment] = [28, 30, 32].map((offset) => file.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const local = file.readUInt32LE(at + 42)
    if (local + 30 > file.length) throw broken()
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    entries.push({
      name: file.toString('utf8', at + 46, at + 46 + name),
      size,
      read: (maxBytes) => unpacked(method, file.subarray(start, start + packedSize), maxBytes),
    })
    at += 46 + name + extra + comment
  }
  return entries
}

/**
 * Unpacks an archive, with limits: the sizes declared in it may be wrong.
 * @param limits total unpacked bytes and number of files
 * @throws ReadRefusal
 */
export function checkedZip(file: Buffer, limits: { maxBytes: number; maxEntries: number }): Zip {
  const zip = new Map<string, Buffer>()
  let left = limits.maxBytes
  for (const { name, read } of openZip(file, limits)) {
    const bytes = read(left)
    left -= bytes.length
    zip.set(name, bytes)
  }
  return zip
}

/**
 * An archive of exactly these files, for a library that would read an untrusted archive in its own way: files missing in
 * the directory, a second directory.
 */
export function packed(zip: Zip): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [path, bytes] of zip) {
    const name = Buffer.from(path)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    describe(local, 4, bytes, name.length)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(20, 4)
    describe(entry, 6, bytes, name.length)
    entry.writeUInt32LE(at, 42)
    parts.push(local, name, bytes)
    directory.push(entry, name)
    at += local.length + name.length + bytes.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(zip.size, 8)
  end.writeUInt16LE(zip.size, 10)
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  )
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...directory, end])
}

/** Fields common to both headers of a file, from the version on: stored uncompressed, names in UTF-8. */
function describe(head: Buffer, from: number, bytes: Buffer, nameLength: number): void {
  head.writeUInt16LE(20, from)
  head.writeUInt16LE(0x0800, from + 2)
  head.writeUInt32LE(crc32(bytes), from + 10)
  head.writeUInt32LE(bytes.length, from + 14)
  head.writeUInt32LE(bytes.length, from + 18)
  head.writeUInt16LE(nameLength, from + 22)
}

/** @throws ReadRefusal when it is more than `maxBytes` */
function unpacked(method: number, bytes: Buffer, maxBytes: number): Buffer {
  if (method === 0) {
    if (bytes.length > maxBytes) throw tooLarge()
    return bytes
  }
  if (method !== 8) throw broken()
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, maxBytes) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw error
  }
}

const broken = () => new ReadRefusal('Файл повреждён: архив не читается')
const tooLarge = () => new ReadRefusal('Файл слишком велик в распакованном виде')
