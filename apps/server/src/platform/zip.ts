import { promisify } from 'node:util'
import { crc32, inflateRaw, inflateRawSync, type ZlibOptions } from 'node:zlib'
import { ReadRefusal } from './answerReading.ts'

/** Unpacked files of an archive, by name. */
export type Zip = ReadonlyMap<string, Buffer>

/** A file of an archive, as the directory describes it: the sizes may be wrong. */
interface Entry {
  name: string
  method: number
  packedSize: number
  /** Unpacked bytes. */
  size: number
  /** Offset of its header. */
  start: number
}

/** Bytes of the longest end of an archive: its record and a comment. */
const MAX_END = 22 + 65_535
/** Bytes of a file's header besides its name and additions. */
const HEAD = 30

/** Position of the directory. @param tail the last bytes of the archive, from `MAX_END` on */
function endOf(tail: Buffer): { count: number; start: number; length: number } {
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0 || end + 22 > tail.length) throw new ReadRefusal('Файл повреждён: архив обрывается')
  return { count: tail.readUInt16LE(end + 10), length: tail.readUInt32LE(end + 12), start: tail.readUInt32LE(end + 16) }
}

/** The entries of a directory, which begins at `at`. */
function entriesOf(bytes: Buffer, at: number, count: number): Entry[] {
  const entries: Entry[] = []
  for (let n = 0; n < count; n++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) throw broken()
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    entries.push({
      name: nameOf(bytes.subarray(at + 46, at + 46 + name)),
      method: bytes.readUInt16LE(at + 10),
      packedSize: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      start: bytes.readUInt32LE(at + 42),
    })
    at += 46 + name + extra + comment
  }
  return entries
}

/** Windows writes Russian names in the code page of DOS. */
function nameOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('ibm866').decode(bytes)
  }
}

/** The packed bytes of an entry. @param bytes of the archive, from the entry's header on */
function packedOf(bytes: Buffer, { packedSize }: Entry): Buffer {
  if (bytes.length < HEAD) throw broken()
  const start = HEAD + bytes.readUInt16LE(26) + bytes.readUInt16LE(28)
  return bytes.subarray(start, start + packedSize)
}

/** Reads `length` bytes of a stored file from `start`; fewer where it ends. */
export type ReadPart = (start: number, length: number) => Promise<Buffer>

/** An archive that stays where it is stored: only its directory and what is asked of it are read. */
export interface StoredZip {
  files: readonly { name: string; size: number }[]
  /**
   * Unpacks files by their places in `files`; adjacent ones are read together. One that unpacks to more than
   * its `size` is refused.
   * @returns each file, or why it cannot be read
   */
  read(places: readonly number[], maxBytes: number): Promise<(Buffer | ReadRefusal)[]>
}

/** Bytes read at once, and bytes of others that are read with them rather than in two reads. */
const MAX_READ = 16 * 1024 * 1024
const MAX_GAP = 64 * 1024
/** Files above this are unpacked beside the event loop. */
const LARGE = 256 * 1024

/** @throws ReadRefusal */
export async function openStoredZip(
  readPart: ReadPart,
  size: number,
  { maxEntries }: { maxEntries: number },
): Promise<StoredZip> {
  const tail = await readPart(Math.max(0, size - MAX_END), MAX_END)
  const { count, start, length } = endOf(tail)
  if (count > maxEntries) throw tooLarge()
  if (start + length > size) throw broken()
  const files = entriesOf(await readPart(start, length), 0, count)
  // The header of the next file, or the directory, ends what belongs to a file.
  const starts = [...files.map((file) => file.start), start].sort((a, b) => a - b)
  const ends = new Map(starts.map((one, at) => [one, starts[at + 1] ?? start]))
  const rangeOf = (at: number): [from: number, to: number] => {
    const file = files[at] as Entry
    const most = HEAD + 2 * 65_535 + file.packedSize
    return [file.start, Math.min(ends.get(file.start) ?? start, file.start + most)]
  }
  return {
    files,
    async read(places, maxBytes) {
      const found = new Map<number, Buffer | ReadRefusal>()
      const fits = places.filter((at) => (files[at]?.packedSize ?? 0) <= maxBytes)
      const runs: { from: number; to: number; places: number[] }[] = []
      for (const at of fits.toSorted((a, b) => rangeOf(a)[0] - rangeOf(b)[0])) {
        const [from, to] = rangeOf(at)
        const run = runs.at(-1)
        if (run && from - run.to <= MAX_GAP && to - run.from <= MAX_READ) {
          run.to = Math.max(run.to, to)
          run.places.push(at)
        } else runs.push({ from, to, places: [at] })
      }
      for (const run of runs) {
        const bytes = await readPart(run.from, run.to - run.from)
        for (const at of run.places) {
          const file = files[at] as Entry
          found.set(
            at,
            await asked(() =>
              unpackedBeside(
                file,
                packedOf(bytes.subarray(file.start - run.from), file),
                Math.min(maxBytes, file.size),
              ),
            ),
          )
        }
      }
      return places.map((at) => found.get(at) ?? tooLarge())
    },
  }
}

/** The answer of `run`, or its refusal. */
async function asked<T>(run: () => Promise<T>): Promise<T | ReadRefusal> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ReadRefusal) return error
    throw error
  }
}

/**
 * Unpacks an archive, with limits: the sizes declared in it may be wrong.
 * @param limits total unpacked bytes and number of files
 * @throws ReadRefusal
 */
export function checkedZip(file: Buffer, limits: { maxBytes: number; maxEntries: number }): Zip {
  const { count, start } = endOf(file)
  if (count > limits.maxEntries) throw tooLarge()
  const zip = new Map<string, Buffer>()
  let left = limits.maxBytes
  for (const entry of entriesOf(file, start, count)) {
    const bytes = unpacked(entry.method, packedOf(file.subarray(entry.start), entry), left)
    left -= bytes.length
    zip.set(entry.name, bytes)
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
  if (method === 0) return stored(bytes, maxBytes)
  if (method !== 8) throw broken()
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, maxBytes) })
  } catch (error) {
    throw refusalOf(error)
  }
}

/** The same; a large file is unpacked beside the event loop. */
async function unpackedBeside({ method }: Entry, bytes: Buffer, maxBytes: number): Promise<Buffer> {
  if (method !== 8 || bytes.length <= LARGE) return unpacked(method, bytes, maxBytes)
  try {
    return await inflate(bytes, { maxOutputLength: Math.max(1, maxBytes) })
  } catch (error) {
    throw refusalOf(error)
  }
}
const inflate = promisify<Buffer, ZlibOptions, Buffer>(inflateRaw)

function stored(bytes: Buffer, maxBytes: number): Buffer {
  if (bytes.length > maxBytes) throw tooLarge()
  return bytes
}

const refusalOf = (error: unknown): unknown => {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ERR_BUFFER_TOO_LARGE') return tooLarge()
  return code?.startsWith('Z_') ? broken() : error
}

const broken = () => new ReadRefusal('Файл повреждён: архив не читается')
const tooLarge = () => new ReadRefusal('Файл слишком велик в распакованном виде')
