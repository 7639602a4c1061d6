/** The clinic's own pictures in forms of examinations: drawn anew, known by what they are, kept as long as the versions. */
import { createHash } from 'node:crypto'
import { allowed } from '@ordinator/model/access'
import { examinationCalls } from '@ordinator/model/areas/examinations/calls'
import { type ExaminationForm, isOwnPicture } from '@ordinator/model/areas/examinations/form'
import { templateView } from '@ordinator/model/areas/examinations/template'
import sql from 'sql-template-tag'
import { authOf } from '../../auth/index.ts'
import type { Queryable } from '../../platform/db.ts'
import { PictureError } from '../../platform/decoding.ts'
import { forbidden, notFound, ValidationError } from '../../platform/errors.ts'
import { operation } from '../../records/operation.ts'
import { asPerson, withinQuota } from '../files/index.ts'

/** Pixels: as fine as an editor shows it on a dense screen. */
const SIDE = 1_200
const MAX_PIXELS = 24_000_000

export const addPicture = operation(examinationCalls.addPicture, async ({ app, actor, body }) => {
  const given = Buffer.from(body.picture.slice(body.picture.indexOf(',') + 1), 'base64')
  return withinQuota(app, [asPerson(app, actor)], given.length, async () => {
    const bytes = await drawn(given)
    const name = createHash('sha256').update(bytes).digest('hex')
    await app.db.query(
      sql`insert into examination_pictures (name, bytes) values (${name}, ${bytes}) on conflict do nothing`,
    )
    return { name }
  })

  /** Whatever it was, it is pixels now: what a drawing could run or call for is gone. */
  async function drawn(source: Buffer): Promise<Buffer> {
    try {
      const [made] = await app.pictures.draw(source, {
        maxPixels: MAX_PIXELS,
        failOn: 'error',
        resize: { width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true },
        copies: [{ format: 'png', quality: 90 }],
      })
      return (made as { bytes: Buffer }).bytes
    } catch (error) {
      if (!(error instanceof PictureError)) throw error
      throw new ValidationError([{ field: 'picture', message: 'Рисунок повреждён или слишком велик' }])
    }
  }
})

export const picture = operation(examinationCalls.picture, async ({ app, params, request, reply }) => {
  const actor = await authOf(app).actorOfFileRequest(request)
  if (!allowed(actor, templateView)) throw forbidden()
  const found = await app.db.reads.one<{ bytes: Buffer }>(
    sql`select bytes from examination_pictures where name = ${params.name}`,
  )
  if (!found) throw notFound('Рисунок не найден')
  return reply.type('image/png').header('cache-control', 'private, max-age=86400, immutable').send(found.bytes)
})

/** @throws ValidationError where a form names a picture that nobody has uploaded */
export async function mustHavePictures(db: Queryable, form: ExaminationForm | undefined): Promise<void> {
  const fields = form?.sections.flatMap((section) => section.fields) ?? []
  const named = fields.filter(({ picture: name }) => isOwnPicture(name))
  if (named.length === 0) return
  const known = await db.query<{ name: string }>(
    sql`select name from examination_pictures where name = any (${named.map(({ picture: name }) => name)}::text[])`,
  )
  const there = new Set(known.map(({ name }) => name))
  const lacking = named.find(({ picture: name }) => !there.has(name as string))
  if (lacking)
    throw new ValidationError([{ field: 'form', message: `«${lacking.label}»: такого рисунка нет, загрузите его` }])
}
