import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { holds } from '@ordinator/model/access'
import { staffCalls } from '@ordinator/model/areas/staff/calls'
import { User } from '@ordinator/model/areas/staff/user'
import type { FastifyRequest } from 'fastify'
import { fileTypeFromBuffer } from 'file-type'
import { asPerson, declaredBytes, withinQuota } from '#areas/files/index.ts'
import { authOf } from '#auth/index.ts'
import { type Decoder, type Drawn, PictureError, type Plan } from '#platform/decoding.ts'
import { forbidden, notFound, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'

const MAX_BYTES = 10 * 1024 * 1024
/** The original picture, and the shown part. */
const MAX_FILES = 2
/** A small file may decode to any size; this limit fits a large camera. */
const MAX_PIXELS = 50_000_000
/** Sides in pixels, the largest first: it is the default. */
const SIZES = [256, 64] as const
const ORIGINAL_SIDE = 1024
const ACCEPTED = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])
const QUALITY = 85
const YEAR_SECONDS = 31_536_000

const put = operation(staffCalls.setAvatar, ({ app, actor, params: { id }, request }) => {
  refuseStrangers(actor, id)
  const bytes = declaredBytes(request, MAX_BYTES * MAX_FILES)
  return withinQuota(app, [asPerson(app, actor)], bytes, () => take(app, actor, id, request))
})

async function take(app: AppContext, actor: ServerActor, id: number, request: FastifyRequest) {
  const { originalFile, croppedFile } = await readFiles(request)
  const source = croppedFile ?? originalFile
  if (!source) throw new ValidationError([{ field: 'croppedFile', message: 'Выберите файл' }])
  const pictures = new Map<string, Buffer>()
  const drawn = await squares(app.pictures, source, croppedFile ? 'croppedFile' : 'originalFile')
  for (const [i, side] of SIZES.entries()) pictures.set(String(side), drawn[i]?.bytes as Buffer)
  if (originalFile) pictures.set('original', await bounded(app.pictures, originalFile))
  const version = randomBytes(6).toString('hex')
  for (const [size, bytes] of pictures) await app.files.put(keyOf(id, version, size), Readable.from([bytes]))
  return setAvatar(app, actor, id, `/users/${id}/avatar/${version}`)
}

const remove = operation(staffCalls.removeAvatar, ({ app, actor, params: { id } }) => {
  refuseStrangers(actor, id)
  return setAvatar(app, actor, id, null)
})

const get = operation(staffCalls.avatar, async ({ app, params: { id, version }, query, request, reply }) => {
  await authOf(app).actorOfFileRequest(request)
  const key = keyOf(id, version, query.size)
  const found = await app.files.stat(key)
  if (!found) throw notFound('Фотография не найдена')
  reply.header('cache-control', `private, max-age=${YEAR_SECONDS}, immutable`).header('content-length', found.size)
  return reply.type('image/webp').send(await app.files.get(key))
})

export const avatarOperations = [put, remove, get]

function refuseStrangers(actor: ServerActor, id: number): void {
  if (actor.id !== id && !holds(actor, 'editUsers')) throw forbidden()
}

const keyOf = (id: number, version: string, size: string) => `avatars/${id}-${version}-${size}.webp`

/** @throws HttpError 413 when a file is over the limit */
async function readFiles(request: FastifyRequest): Promise<{ originalFile?: Buffer; croppedFile?: Buffer }> {
  const files: Record<string, Buffer> = {}
  for await (const part of request.parts({ limits: { fileSize: MAX_BYTES, files: MAX_FILES, fields: 10 } })) {
    if (part.type !== 'file') continue
    const bytes = await part.toBuffer()
    if (part.fieldname === 'originalFile' || part.fieldname === 'croppedFile') files[part.fieldname] = bytes
  }
  return files
}

const squares = (decoder: Decoder, bytes: Buffer, field: string) =>
  draw(decoder, bytes, field, {
    resize: { width: SIZES[0], height: SIZES[0], fit: 'cover', position: 'attention' },
    copies: SIZES.map((side) => ({ side, format: 'webp', quality: QUALITY })),
  })

async function bounded(decoder: Decoder, bytes: Buffer): Promise<Buffer> {
  const [original] = await draw(decoder, bytes, 'originalFile', {
    resize: { width: ORIGINAL_SIDE, height: ORIGINAL_SIDE, fit: 'inside', withoutEnlargement: true },
    copies: [{ format: 'webp', quality: QUALITY }],
  })
  return original?.bytes as Buffer
}

/** Decodes the actual bytes and re-encodes the pixels, which removes location, owner and scripts. */
async function draw(
  decoder: Decoder,
  bytes: Buffer,
  field: string,
  plan: Pick<Plan, 'resize' | 'copies'>,
): Promise<Drawn[]> {
  const type = await fileTypeFromBuffer(bytes)
  if (!type || !ACCEPTED.has(type.mime))
    throw new ValidationError([{ field, message: 'Нужна картинка JPEG, PNG, WebP или GIF' }])
  try {
    return await decoder.draw(bytes, { ...plan, maxPixels: MAX_PIXELS, failOn: 'error' })
  } catch (error) {
    if (!(error instanceof PictureError)) throw error
    throw new ValidationError([{ field, message: 'Картинка повреждена или слишком велика' }])
  }
}

async function setAvatar(app: AppContext, actor: ServerActor, id: number, avatar: string | null) {
  const before = await app.engine.for(actor).tx(async (records) => {
    const user = await records.row(User, id)
    await records.asSystem.update(User, id, { avatar })
    return user.avatar
  })
  const version = before?.match(/\/([0-9a-f]{12})$/)?.[1]
  if (version) {
    for (const size of [...SIZES.map(String), 'original']) {
      await app.files
        .remove(keyOf(id, version, size))
        .catch((error) => app.log.warn({ err: error }, 'avatar not removed'))
    }
  }
  return { id, avatar }
}
