import { allowed } from '@ordinator/model/access'
import { fileCalls } from '@ordinator/model/areas/files/calls'
import type { Entity } from '@ordinator/model/entity'
import { type FileMeta, type PreviewSize, shownInPlace } from '@ordinator/model/storedFile'
import type { FastifyReply, FastifyRequest } from 'fastify'
import sql, { join, raw } from 'sql-template-tag'
import { authOf } from '#auth/index.ts'
import { disposition } from '#platform/disposition.ts'
import { HttpError, notFound } from '#platform/errors.ts'
import { previewKey, type Range } from '#platform/storage.ts'
import { type ServerActor, withRight } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { journalContents } from '#records/journalRecords.ts'
import { type Operation, operation } from '#records/operation.ts'

/**
 * GET of a file's contents, for users who may see its record. Authenticated by the token or, for `<img>` and `<a>`, by
 * the cookie.
 */
export function serving(entities: readonly Entity[]): Operation[] {
  const serve = async (
    app: AppContext,
    request: FastifyRequest,
    reply: FastifyReply,
    asked: { id: number; size?: PreviewSize },
    download: boolean,
  ) => {
    const actor = await authOf(app).actorOfFileRequest(request)
    const entity = await entityOf(app, entities, asked.id)
    const record = app.engine.for(lookingInto(actor, entity)).row(entity, asked.id)
    const file = (await record.catch(asIfAbsent)) as unknown as FileRow
    await journalContents(app, entity, actor, file.id)
    return send(app, request, reply, file, asked.size, download)
  }
  return [
    operation(fileCalls.file, ({ app, request, reply, params, query }) =>
      serve(app, request, reply, params, query.download !== undefined),
    ),
    operation(fileCalls.preview, ({ app, request, reply, params, query }) =>
      serve(app, request, reply, params, query.download !== undefined),
    ),
  ]
}

/** The user with the right to view the records, for entities with more open contents; row scopes still apply. */
function lookingInto(actor: ServerActor, { access, upload }: Entity): ServerActor {
  if (!upload?.contents || !allowed(actor, upload.contents)) return actor
  return withRight(actor, access.view)
}

/** A hidden file gets the response of a missing one. */
function asIfAbsent(error: unknown): never {
  throw error instanceof HttpError && [403, 404].includes(error.status) ? noFile() : error
}

const noFile = () => notFound('Файл не найден')

interface FileRow {
  id: number
  name: string
  size: number
  key: string
  meta: FileMeta
}

/** The file entities share one sequence of ids, so an id is in at most one of their tables. */
async function entityOf(app: AppContext, entities: readonly Entity[], id: number): Promise<Entity> {
  const places = entities.map(
    (entity) => sql`select ${entity.path}::text as path from ${raw(`"${entity.table}"`)} where "id" = ${id}`,
  )
  const found = await app.db.one<{ path: string }>(join(places, ' union all '))
  const entity = entities.find((one) => one.path === found?.path)
  if (!entity) throw noFile()
  return entity
}

async function send(
  app: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  file: FileRow,
  preview: PreviewSize | undefined,
  download: boolean,
): Promise<FastifyReply> {
  // An image smaller than the preview replaces it.
  const small = preview !== undefined && file.meta.previews?.includes(preview)
  const key = small ? previewKey(file.key, preview) : file.key
  const type = small ? 'image/webp' : file.meta.type
  // A PDF may be another program at the same time: a stranger's one is never opened inline.
  const isRisky = file.meta.isStrange === true && type === 'application/pdf'
  return sendStored(app, request, reply, { key, type, name: file.name }, download || isRisky)
}

/**
 * Sends stored content, whole or the requested range. The caller has checked the rights.
 * @param key its content never changes
 * @param caching of the response, if it does not depend on the user
 * @throws HttpError 404 for a missing key, 416 for an invalid range
 */
export async function sendStored(
  app: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, type, name, caching = 'private, no-cache' }: { key: string; type: string; name: string; caching?: string },
  download: boolean,
): Promise<FastifyReply> {
  const there = await app.files.stat(key)
  if (!there) {
    app.log.error({ key }, 'stored file is missing')
    throw notFound('Файл не найден в хранилище')
  }
  const inline = shownInPlace(type) && !download
  // The content of a key never changes, so the key's name is its etag.
  const tag = `"${key.slice(key.lastIndexOf('/') + 1)}"`
  reply
    .header('etag', tag)
    // Cached, but revalidated each time: the right to see it may have been lost.
    .header('cache-control', caching)
    .header('accept-ranges', 'bytes')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', policy(type, inline))
    .header('content-disposition', disposition(inline ? 'inline' : 'attachment', name))
    .type(inline ? type : 'application/octet-stream')
  if (matches(request.headers['if-none-match'], tag)) return reply.code(304).send()
  const range = rangeOf(request, tag, there.size)
  if (range === 'unsatisfiable') {
    throw new HttpError(416, 'Такой части у файла нет', { headers: { 'content-range': `bytes */${there.size}` } })
  }
  const stream = await app.files.get(key, range)
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${there.size}`)
  return reply.header('content-length', range ? range.end - range.start + 1 : there.size).send(stream)
}

/** A sandbox disables browsers' PDF viewers; they isolate a document's scripts themselves. */
const policy = (type: string, inline: boolean): string =>
  inline && type === 'application/pdf'
    ? "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'"
    : "default-src 'none'; sandbox"

const matches = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((one) => one.trim().replace(/^W\//, '') === tag || one.trim() === '*') ?? false

/** The single requested range; undefined: the whole. Several ranges get the whole, as RFC 9110 allows. */
function rangeOf(request: FastifyRequest, tag: string, size: number): Range | 'unsatisfiable' | undefined {
  const { range, 'if-range': ifRange } = request.headers
  if (range === undefined || (ifRange !== undefined && ifRange !== tag)) return undefined
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.trim())
  if (!asked || (asked[1] === '' && asked[2] === '')) return undefined
  const [, from = '', to = ''] = asked
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (start >= size || (from === '' && Number(to) === 0)) return 'unsatisfiable'
  return end < start ? undefined : { start, end }
}
