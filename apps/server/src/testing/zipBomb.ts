import { deflateRawSync } from 'node:zlib'
import { packed } from '#platform/zip.ts'

/** For tests: an archive with one file of zeros, whose header claims that it is small. */
export function bomb(file: string, bytes: number): Uint8Array {
  const name = Buffer.from(file)
  const data = deflateRawSync(Buffer.alloc(bytes))
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(data.length, 18)
  local.writeUInt32LE(100, 22)
  local.writeUInt16LE(name.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(data.length, 20)
  entry.writeUInt32LE(100, 24)
  entry.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(46 + name.length, 12)
  end.writeUInt32LE(30 + name.length + data.length, 16)
  return Buffer.concat([local, name, data, entry, name, end])
}

/**
 * For tests: an archive whose directory lists the files of one archive, while the files of another are beside them: for a
 * reader that scans the files themselves, and in a second directory for one that reads ZIP64.
 */
export function twoFaced(shown: Map<string, Buffer>, hidden: Map<string, Buffer>): Buffer {
  const [a, b] = [partsOf(packed(shown)), partsOf(packed(hidden))]
  for (let at = 0; at < b.directory.length; at += 46 + b.directory.readUInt16LE(at + 28))
    b.directory.writeUInt32LE(b.directory.readUInt32LE(at + 42) + a.files.length, at + 42)
  const directoryAt = a.files.length + b.files.length
  const end64At = directoryAt + a.directory.length + b.directory.length
  const end64 = Buffer.alloc(56)
  end64.writeUInt32LE(0x06064b50)
  end64.writeBigUInt64LE(44n, 4)
  end64.writeBigUInt64LE(BigInt(hidden.size), 24)
  end64.writeBigUInt64LE(BigInt(hidden.size), 32)
  end64.writeBigUInt64LE(BigInt(b.directory.length), 40)
  end64.writeBigUInt64LE(BigInt(directoryAt + a.directory.length), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50)
  locator.writeBigUInt64LE(BigInt(end64At), 8)
  locator.writeUInt32LE(1, 16)
  a.end.writeUInt16LE(0xffff, 4)
  a.end.writeUInt32LE(directoryAt, 16)
  return Buffer.concat([a.files, b.files, a.directory, b.directory, end64, locator, a.end])
}

function partsOf(archive: Buffer): { files: Buffer; directory: Buffer; end: Buffer } {
  const end = Buffer.from(archive.subarray(archive.length - 22))
  const at = end.readUInt32LE(16)
  return {
    files: archive.subarray(0, at),
    directory: Buffer.from(archive.subarray(at, archive.length - 22)),
    end,
  }
}
