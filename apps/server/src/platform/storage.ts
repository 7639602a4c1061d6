/**
 * Where files live: a folder or an S3 bucket behind one interface. Keys are made by the server (`[\w./-]`),
 * never from a name that a person gave.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { HttpError } from './errors.ts'
import { sweepFolder } from './scratch.ts'

export interface Range {
  /** First byte. */
  start: number
  /** Last byte, included. */
  end: number
}

export interface Storage {
  /**
   * Takes a stream, or the path of a file, which stays where it is: on a disk it is copied without passing through this
   * process. Returns the size in bytes. The file appears whole or not at all.
   */
  put(key: string, from: Readable | string): Promise<number>
  /** @throws an error with `code: 'ENOENT'` when there is no such file */
  get(key: string, range?: Range): Promise<Readable>
  stat(key: string): Promise<{ size: number } | undefined>
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>
  /** Removes what uploads that were killed on their way have left. */
  sweep(): Promise<void>
}

/** Where a smaller copy of a stored image lies, beside the image itself. */
export const previewKey = (key: string, size: string): string => `${key}-${size}`

/** A store that takes longer for a small file at the start is of no use: each of the SDK's own tries waits as long. */
const CHECK_MS = 20_000

/**
 * Writes and removes a small file, so that a store that takes none is known at the start and not from the first upload.
 * @throws what the disk or the store says
 */
export async function checkStorage(files: Storage, ms = CHECK_MS): Promise<void> {
  const key = `check-${randomBytes(6).toString('hex')}`
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(Object.assign(new Error('the store is silent'), { code: 'ETIMEDOUT' })), ms)
  })
  const work = files.put(key, Readable.from(['check'])).then(() => files.remove(key))
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** @param where an absolute folder, or `s3://bucket[/prefix][?region=&endpoint=]` */
export function createStorage(where: string): Storage {
  return where.startsWith('s3:') ? s3Storage(new URL(where)) : diskStorage(where)
}

function checkKey(key: string): void {
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(key)) throw new TypeError('storage: bad key')
}

const FILE_MODE = 0o600

/** The folder of files that are not whole yet: on the same disk, so that a rename puts them in their place. */
export const PARTS = 'parts'

/** Files lie two folders deep, by the hash of the key, so that no folder grows past what a disk handles well. */
function diskStorage(root: string): Storage {
  const pathOf = (key: string): string => {
    checkKey(key)
    const hash = createHash('sha256').update(key).digest('hex')
    return join(root, hash.slice(0, 2), hash.slice(2, 4), key.replaceAll('/', '~'))
  }
  return {
    async put(key, from) {
      const path = pathOf(key)
      const part = join(root, PARTS, randomBytes(12).toString('hex'))
      await mkdir(dirname(part), { recursive: true })
      await mkdir(dirname(path), { recursive: true })
      try {
        const size = typeof from === 'string' ? await copyTo(part, from) : await writeTo(part, from)
        await rename(part, path)
        await syncFolder(dirname(path))
        return size
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async get(key, range) {
      const file = await open(pathOf(key))
      return createReadStream('', { fd: file, ...range })
    },
    async stat(key) {
      try {
        return { size: (await stat(pathOf(key))).size }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    sweep: () => sweepFolder(join(root, PARTS)),
  }
}

async function writeTo(path: string, stream: Readable): Promise<number> {
  const out = createWriteStream(path, { mode: FILE_MODE, flush: true })
  await pipeline(stream, out)
  return out.bytesWritten
}

async function copyTo(path: string, from: string): Promise<number> {
  await copyFile(from, path)
  const file = await open(path, 'r+')
  try {
    await file.chmod(FILE_MODE)
    await file.sync()
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

/** A rename is durable only when its folder is. Windows cannot open folders and does not need it. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Part of a multipart upload; also what one upload holds in memory at most. */
const S3_PART = 8 * 1024 * 1024

/** A store that is not there, or takes a request and says nothing, must hold nobody for ever. */
const S3_CONNECT_MS = 5_000
const S3_SILENT_MS = 10_000

const silent = () =>
  new HttpError(503, 'Хранилище файлов не отвечает. Повторите позже', {
    code: 'storage',
    headers: { 'retry-after': '30' },
  })

function s3Storage(url: URL): Storage {
  const bucket = url.hostname
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  const keyOf = (key: string): string => {
    checkKey(key)
    return prefix ? `${prefix}/${key}` : key
  }
  let opened: ReturnType<typeof connect> | undefined
  async function connect() {
    const s3 = await import('@aws-sdk/client-s3')
    const endpoint = url.searchParams.get('endpoint')
    const client = new s3.S3Client({
      region: url.searchParams.get('region') ?? 'us-east-1',
      requestHandler: { connectionTimeout: S3_CONNECT_MS, requestTimeout: S3_SILENT_MS, throwOnRequestTimeout: true },
      ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    })
    // What timed out is not tried again: whoever uploads is told after ten seconds, and not after three times ten.
    const handler = client.config.requestHandler
    const handle = handler.handle.bind(handler)
    handler.handle = (request, options) =>
      handle(request, options).catch((error: unknown) => {
        throw (error as Error).name === 'TimeoutError' ? silent() : error
      })
    return { s3, client }
  }
  const lazily = () => (opened ??= connect())

  return {
    async put(key, from) {
      const { s3, client } = await lazily()
      const target = { Bucket: bucket, Key: keyOf(key) }
      let upload: string | undefined
      let size = 0
      const parts: { ETag: string | undefined; PartNumber: number }[] = []
      try {
        for await (const chunk of chunks(typeof from === 'string' ? createReadStream(from) : from, S3_PART)) {
          size += chunk.length
          if (chunk.length < S3_PART && upload === undefined) {
            await client.send(new s3.PutObjectCommand({ ...target, Body: chunk }))
            return size
          }
          upload ??= (await client.send(new s3.CreateMultipartUploadCommand(target))).UploadId
          const PartNumber = parts.length + 1
          const part = { ...target, UploadId: upload, PartNumber, Body: chunk }
          const { ETag } = await client.send(new s3.UploadPartCommand(part))
          parts.push({ ETag, PartNumber })
        }
        if (upload === undefined) await client.send(new s3.PutObjectCommand({ ...target, Body: '' }))
        else {
          const end = { ...target, UploadId: upload, MultipartUpload: { Parts: parts } }
          await client.send(new s3.CompleteMultipartUploadCommand(end))
        }
        return size
      } catch (error) {
        if (upload !== undefined) {
          await client.send(new s3.AbortMultipartUploadCommand({ ...target, UploadId: upload })).catch(() => {})
        }
        throw error
      }
    },
    async get(key, range) {
      const { s3, client } = await lazily()
      const Range = range && `bytes=${range.start}-${range.end}`
      try {
        const { Body } = await client.send(new s3.GetObjectCommand({ Bucket: bucket, Key: keyOf(key), Range }))
        return (Body as Readable | undefined) ?? new PassThrough().end()
      } catch (error) {
        if ((error as Error).name === 'NoSuchKey') throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
        throw error
      }
    },
    async stat(key) {
      const { s3, client } = await lazily()
      try {
        const head = await client.send(new s3.HeadObjectCommand({ Bucket: bucket, Key: keyOf(key) }))
        return { size: head.ContentLength ?? 0 }
      } catch (error) {
        if (['NotFound', 'NoSuchKey'].includes((error as Error).name)) return undefined
        throw error
      }
    },
    async remove(key) {
      const { s3, client } = await lazily()
      await client.send(new s3.DeleteObjectCommand({ Bucket: bucket, Key: keyOf(key) }))
    },
    // The store's own rule removes uploads in parts that were never completed (docs/operations.md).
    sweep: async () => {},
  }
}

/** Cuts a stream into pieces of exactly `size` bytes; only the last may be shorter. */
async function* chunks(stream: Readable, size: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let bytes = 0
  for await (const data of stream) {
    const piece = Buffer.from(data as Uint8Array)
    held.push(piece)
    bytes += piece.length
    while (bytes >= size) {
      const all = Buffer.concat(held, bytes)
      yield all.subarray(0, size)
      held = [all.subarray(size)]
      bytes -= size
    }
  }
  if (bytes > 0) yield Buffer.concat(held, bytes)
}
