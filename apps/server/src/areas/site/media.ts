/** Pictures and documents for visitors: only those used by public pages. */
import { timingSafeEqual } from 'node:crypto'
import type { FileMeta, PreviewSize } from '@ordinator/model/storedFile'
import type { FastifyReply, FastifyRequest } from 'fastify'
import sql, { raw } from 'sql-template-tag'
import { publicDoctor, publicFilial, publicGood, publicService } from '#areas/catalogue/index.ts'
import { sendStored } from '#areas/files/index.ts'
import { clinicToday } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import { notFound } from '#platform/errors.ts'
import { previewKey as storedPreviewKey } from '#platform/storage.ts'
import type { AppContext } from '#records/context.ts'
import { previewKey } from './addresses.ts'
import { publicDocument, publicNews } from './reads.ts'

interface Stored {
  key: string
  name: string
  meta: FileMeta
}

const fields = raw('f."key", f."name", f."meta"')

const publicFile = (db: Queryable, id: number): Promise<Stored | undefined> =>
  db.one(sql`
    select ${fields} from client_files f where f."id" = ${id} and not f."deleted" and (
      exists (select 1 from client_page_files h join client_versions v on v."idPage" = h."idPage" and v."isCurrent"
        where h."idFile" = f."id" and not h."deleted" and f."id" = any (v."files"))
      or exists (select 1 from client_theme t where t."idLogo" = f."id")
      or exists (select 1 from client_documents d where d."idFile" = f."id" and ${publicDocument(raw('d'))}))
    union all select ${fields} from filials_files f where f."id" = ${id} and not f."deleted" and exists (
      select 1 from filials p where ${publicFilial(raw('p'))} and (p."cardImage" = f."id" or exists (
        select 1 from filials_gallery g where g."idFilial" = p."id" and g."idFileRegister" = f."id" and not g."deleted")))
    union all select ${fields} from service_files f where f."id" = ${id} and not f."deleted" and exists (
      select 1 from service_images i join services s on s."id" = i."idService"
      where i."idFile" = f."id" and not i."deleted" and (${publicService(raw('s'))} or ${publicGood(raw('s'))}))
    union all select ${fields} from news_images_files f where f."id" = ${id} and not f."deleted" and exists (
      select 1 from news_images i join news n on n."id" = i."idNews"
      where i."idFileRegister" = f."id" and not i."deleted" and ${publicNews(raw('n'))})
    union all select ${fields} from users_photos f where f."id" = ${id} and not f."deleted" and exists (
      select 1 from users u where u."idSitePhoto" = f."id" and ${publicDoctor(raw('u'))})
    limit 1`)

/** A draft's picture, with the key from today's preview. */
async function draftFile(app: AppContext, id: number, key: unknown): Promise<Stored | undefined> {
  if (typeof key !== 'string') return undefined
  const day = await app.db.reads.one<{ today: string }>(sql`select ${clinicToday}::text as today`)
  const right = Buffer.from(previewKey(app.config.secret, id, day?.today ?? ''))
  const given = Buffer.from(key)
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
  return app.db.reads.one(sql`select ${fields} from client_files f where f."id" = ${id} and not f."deleted"`)
}

export async function sendMedia(
  app: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: { id: number; size?: PreviewSize },
): Promise<FastifyReply> {
  const { key } = request.query as { key?: unknown }
  // A draft also shows public files.
  const file = (await draftFile(app, asked.id, key)) ?? (await publicFile(app.db.reads, asked.id))
  if (!file) throw notFound('Файл не найден')
  // The preview is in a frame with an opaque origin.
  reply.header('cross-origin-resource-policy', 'cross-origin')
  const small = asked.size !== undefined && file.meta.previews?.includes(asked.size)
  return sendStored(
    app,
    request,
    reply,
    {
      key: small ? storedPreviewKey(file.key, asked.size as PreviewSize) : file.key,
      type: small ? 'image/webp' : file.meta.type,
      name: file.name,
      // After removal from the site browsers drop it within a minute.
      caching: key === undefined ? 'public, max-age=30' : 'private, max-age=60',
    },
    false,
  )
}
