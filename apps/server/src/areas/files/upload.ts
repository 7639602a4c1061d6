import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { picturesCall, uploadCall } from '@ordinator/model/areas/files/calls'
import type { Call } from '@ordinator/model/call'
import type { Entity, Row } from '@ordinator/model/entity'
import { categoryLabels, extensionOf, type FileCategory } from '@ordinator/model/files'
import { formatFileSize } from '@ordinator/model/format'
import { plainSpelling } from '@ordinator/model/spelling'
import { type FileMeta, type PreviewSize, previewSizes } from '@ordinator/model/storedFile'
import type { FastifyRequest } from 'fastify'
import { scanFile } from '#platform/clamd.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { previewKey } from '#platform/storage.ts'
import { paced } from '#platform/uploadRate.ts'
import type { AppContext } from '#records/context.ts'
import { type Operation, type OperationContext, operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { cleanName, detect } from './detect.ts'
import { previewsOf } from './previews.ts'
import { asPerson, declaredBytes, withinQuota } from './quota.ts'

const sizes = Object.keys(previewSizes) as PreviewSize[]

/** Uploads a file; the record is created when it is stored completely. */
export function uploadOf(entity: Entity): Operation {
  return entity.upload?.sizes
    ? operation(picturesCall(entity), async (context) => sizesOf(await taken(entity, context)))
    : operation(uploadCall(entity), (context) => taken(entity, context))
}

type Stored = Row<Entity> & { key: string }

async function taken(
  entity: Entity,
  context: Pick<OperationContext<Call>, 'app' | 'records' | 'request' | 'actor'>,
): Promise<Stored> {
  const { app, actor, request } = context
  const bytes = declaredBytes(request, entity.upload?.maxSize ?? 0)
  return withinQuota(app, [asPerson(app, actor)], bytes, () => store(entity, context))
}

async function store(
  entity: Entity,
  { app, records, request }: Pick<OperationContext<Call>, 'app' | 'records' | 'request'>,
): Promise<Stored> {
  return app.scratch.use(async (folder) => {
    const received = await receive(request, join(folder, 'file'), entity)
    return (await keep(entity, app, records, received)) as Stored
  })
}

export interface Received {
  path: string
  size: number
  name: string | undefined
}

/** Every size is available: one that is not smaller returns the picture itself. */
const sizesOf = ({ id, key }: Stored) => ({
  key,
  ...(Object.fromEntries(sizes.map((size) => [size, { url: `/files/${id}/${size}`, id }])) as Record<
    PreviewSize,
    { url: string; id: number }
  >),
})

/**
 * Writes the form's file to `path`.
 * @throws HttpError 413 when it is too large; 422 when it is missing, empty, or its extension is not allowed
 */
export async function receive(
  request: FastifyRequest,
  path: string,
  { upload }: Pick<Entity, 'upload'>,
): Promise<Received> {
  const maxSize = upload?.maxSize ?? 0
  const part = await request.file({
    // One byte above the limit distinguishes a file that is too large from one that just fits.
    limits: { fileSize: maxSize + 1, files: 1, fields: 20, fieldSize: 10_000 },
    throwFileSizeLimit: false,
    defParamCharset: 'utf8',
  } as Parameters<FastifyRequest['file']>[0])
  if (!part) throw refuse('Выберите файл')
  if (part.fieldname !== 'file') {
    part.file.resume()
    throw refuse('Файл должен быть в поле file')
  }
  if (upload?.extensions && !upload.extensions.includes(extensionOf(part.filename))) {
    part.file.resume()
    throw unsupported(upload.extensions)
  }
  await pipeline(part.file, paced(request.who), createWriteStream(path, { mode: 0o600 }))
  const { size } = await stat(path)
  if (size > maxSize || part.file.truncated) {
    throw new HttpError(413, `Файл больше ${formatFileSize(maxSize)}`, { code: 'fileTooLarge' })
  }
  if (size === 0) throw refuse('Файл пуст')
  return { path, size, name: plainSpelling(part.filename) }
}

const refuse = (message: string) => new ValidationError([{ field: 'file', message }])
const unsupported = (kinds: readonly string[]) => refuse(`Неподдерживаемый тип файла. Подойдёт: ${kinds.join(', ')}`)

/** Checks the file, stores it with its previews, and creates its record; a failure leaves nothing. */
export async function keep(
  entity: Entity,
  app: Pick<AppContext, 'config' | 'files' | 'pictures'>,
  records: Records,
  received: Received,
  /** Uploaded by a person outside the staff. */
  isStrange = false,
) {
  const { body, stored } = await storeFile(entity, app, received, isStrange)
  try {
    return await records.asSystem.create(entity, body)
  } catch (error) {
    for (const to of stored) await app.files.remove(to).catch(() => {})
    throw error
  }
}

/** A file that is stored and has no record yet. */
export interface StoredFile {
  /** Of its record. */
  body: { name: string; extension: string; size: number; meta: FileMeta; key: string }
  /** What is to be removed where no record is made. */
  stored: string[]
}

/** A file in memory, which goes to `path` only where a scanner or a decoder of pictures reads it there. */
export interface InMemory {
  bytes: Buffer
  path: string
  name: string | undefined
}

/** Looks into the file and stores it with its previews; on any failure nothing of it is left. */
export async function storeFile(
  entity: Pick<Entity, 'upload'>,
  app: Pick<AppContext, 'config' | 'files' | 'pictures'>,
  received: Received | InMemory,
  isStrange = false,
): Promise<StoredFile> {
  const { path, name } = received
  const bytes = 'bytes' in received ? received.bytes : undefined
  const size = 'bytes' in received ? received.bytes.length : received.size
  let isOnDisk = !bytes
  const onDisk = async (): Promise<string> => {
    if (bytes && !isOnDisk) await writeFile(path, bytes, { mode: 0o600 })
    isOnDisk = true
    return path
  }
  const virus = app.config.clamd === undefined ? undefined : await scanFile(app.config.clamd, await onDisk())
  if (virus !== undefined) throw refuse(`В файле найден вирус (${virus.slice(0, 80)}): он не сохранён`)
  const { extension, type, category } = await detect(bytes ?? path, name ?? '')
  const { accept, extensions } = entity.upload ?? {}
  if (extensions && !extensions.includes(extension)) throw unsupported(extensions)
  if (accept && !accept.includes(category))
    throw unsupported(accept.map((one) => categoryLabels[one as FileCategory]?.toLowerCase() ?? one))
  const previews = category === 'image' ? await previewsOf(app.pictures, await onDisk(), extension) : undefined
  const meta: FileMeta = {
    category,
    type,
    ...(isStrange && { isStrange: true as const }),
    ...(previews && { width: previews.width, height: previews.height, previews: [...previews.made.keys()] }),
  }
  const key = `${entity.upload?.category}/${randomBytes(16).toString('hex')}`
  const stored: string[] = []
  const put = async (to: string, from: string | Buffer) => {
    stored.push(to)
    await app.files.put(to, from)
  }
  try {
    await put(key, bytes ?? path)
    for (const [preview, small] of previews?.made ?? []) await put(previewKey(key, preview), small)
    return { body: { name: cleanName(name, extension), extension, size, meta, key }, stored }
  } catch (error) {
    for (const to of stored) await app.files.remove(to).catch(() => {})
    throw error
  }
}
