import { inflateRawSync } from 'node:zlib'
import { ReadRefusal } from './answerReading.ts'

interface Entry {
  method: number
  packed: Buffer
}
export type Zip = ReadonlyMap<string, Entry>

/**
 * The files of an archive that has been unpacked once to see how large it is: what it says of itself may be a lie.
 * @param limits bytes of all of it when unpacked, and how many files
 * @throws ReadRefusal
 */
export function checkedZip(file: Buffer, limits: { maxBytes: number; maxEntries: number }): Zip {
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0 || end + 22 > file.length) throw new ReadRefusal('Файл повреждён: архив обрывается')
  const count = file.readUInt16LE(end + 10)
  if (count > limits.maxEntries) throw tooLarge()
  const zip = new Map<string, Entry>()
  let at = file.readUInt32LE(end + 16)
  let left = limits.maxBytes
  for (let n = 0; n < count; n++) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== 0x02014b50)
      throw new ReadRefusal('Файл повреждён: архив не читается')
    const [method, size] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 20)]
    const [name, extra, comment] = [28, 30, 32].map((offset) => file.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const local = file.readUInt32LE(at + 42)
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    const entry = { method, packed: file.subarray(start, start + size) }
    left -= unpacked(entry, left).length
    zip.set(file.toString('utf8', at + 46, at + 46 + name), entry)
    at += 46 + name + extra + comment
  }
  return zip
}

/** @throws ReadRefusal when it is more than `maxBytes` */
export function unpacked({ method, packed }: Entry, maxBytes: number): Buffer {
  if (method === 0) {
    if (packed.length > maxBytes) throw tooLarge()
    return packed
  }
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, maxBytes) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw error
  }
}

const tooLarge = () => new ReadRefusal('Файл слишком велик в распакованном виде')
