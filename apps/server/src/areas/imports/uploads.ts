import { randomBytes } from 'node:crypto'
import type { ImportMapping, TableReading } from '@ordinator/model/areas/imports/wire'
import { formatFileSize } from '@ordinator/model/format'
import { plainSpelling } from '@ordinator/model/spelling'
import type { FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { HttpError, notFound } from '#platform/errors.ts'
import { readJson } from '#platform/json.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { removeFiles } from '#records/trash.ts'
import { refuse } from './read.ts'

export const MAX_FILE = 20 * 1024 * 1024
/** Minutes for which an uploaded file waits for the start of its import. */
const KEPT_MINUTES = 60
const MAX_NAME = 255

/** An uploaded file of a pending or running import. */
export interface Upload {
  id: string
  key: string
  fileName: string
  kind: string
  params: Record<string, unknown>
  idUser: number
  mapping: ImportMapping | null
  /** User's choice of how to parse the table. */
  reading: TableReading
  skipWrong: boolean
}

/** Stores the form's file. Its fields may precede or follow it. @throws HttpError 413, 422 */
export async function receiveUpload(app: AppContext, actor: ServerActor, request: FastifyRequest): Promise<Upload> {
  const fields: Record<string, string> = {}
  const id = randomBytes(16).toString('hex')
  const key = `imports/${id}`
  let fileName: string | undefined
  try {
    const limits = { fileSize: MAX_FILE + 1, files: 1, fields: 20, fieldSize: 10_000 }
    for await (const part of request.parts({ limits, defParamCharset: 'utf8' } as Parameters<
      FastifyRequest['parts']
    >[0])) {
      if (part.type === 'field') {
        fields[part.fieldname] = plainSpelling(String(part.value))
        continue
      }
      fileName = plainSpelling(part.filename || 'Файл').slice(-MAX_NAME)
      const size = await app.files.put(key, part.file)
      if (size > MAX_FILE || part.file.truncated)
        throw new HttpError(413, `Файл больше ${formatFileSize(MAX_FILE)}`, { code: 'fileTooLarge' })
      if (size === 0) throw refuse('Файл пуст')
    }
    if (fileName === undefined) throw refuse('Выберите файл')
    const upload: Upload = {
      id,
      key,
      fileName,
      kind: fields.kind ?? '',
      params: jsonOf(fields.params),
      idUser: actor.id,
      mapping: null,
      reading: {},
      skipWrong: false,
    }
    await app.db.query(sql`insert into import_uploads ("id", "key", "fileName", "kind", "params", "idUser")
      values (${id}, ${key}, ${fileName}, ${upload.kind}, ${JSON.stringify(upload.params)}::jsonb, ${actor.id})`)
    return upload
  } catch (error) {
    await dropFile(app, { id, key })
    throw error
  }
}

function jsonOf(text: string | undefined): Record<string, unknown> {
  try {
    const value = readJson(text || '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** An own upload without a started import. @throws HttpError 404 */
export async function waitingUpload(db: Queryable, actor: ServerActor, id: string): Promise<Upload> {
  const found = await db.one<Upload>(sql`select * from import_uploads
    where "id" = ${id} and "idUser" = ${actor.id} and "idImport" is null`)
  if (!found) throw notFound('Файл больше не хранится: загрузите его снова')
  return found
}

export const dropFile = (app: AppContext, { id, key }: Pick<Upload, 'id' | 'key'>): Promise<void> =>
  app.db.tx(async (tx) => {
    await tx.query(sql`delete from import_uploads where "id" = ${id}`)
    await removeFiles(app, tx, [key])
  })

/** Deletes files without a started import, and those of finished imports. */
export async function sweepUploads(app: AppContext): Promise<void> {
  const old =
    await app.db.query<Upload>(sql`select u.* from import_uploads u left join imports i on i."id" = u."idImport"
    where (u."idImport" is null and u."dateCreate" < now() - make_interval(mins => ${KEPT_MINUTES}))
      or i."state" <> 'running'`)
  await oneByOne(app, 'imports.sweep', old, (upload) => dropFile(app, upload))
}
