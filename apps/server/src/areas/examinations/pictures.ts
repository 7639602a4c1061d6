/** The clinic's own pictures in examination forms: re-rendered, addressed by content, kept as long as the versions. */
import { createHash } from 'node:crypto'
import { allowed } from '@ordinator/model/access'
import { examinationCalls } from '@ordinator/model/areas/examinations/calls'
import { type ExaminationForm, isOwnPicture } from '@ordinator/model/areas/examinations/form'
import { templateView } from '@ordinator/model/areas/examinations/template'
import sql from 'sql-template-tag'
import { asPerson, withinQuota } from '#areas/files/index.ts'
import { authOf } from '#auth/index.ts'
import type { Queryable } from '#platform/db.ts'
import { PictureError } from '#platform/decoding.ts'
import { forbidden, notFound, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'

/** Pixels: enough for an editor on a dense screen. */
const SIDE = 1_200
const MAX_PIXELS = 24_000_000

export const addPicture = operation(examinationCalls.addPicture, async ({ app, actor, body }) => {
  const given = Buffer.from(body.picture.slice(body.picture.indexOf(',') + 1), 'base64')
  return withinQuota(app, [asPerson(app, actor)], given.length, async () => {
    const bytes = await drawn(given)
    const name = createHash('sha256').update(bytes).digest('hex')
    await app.db.query(
      sql`insert into examination_pictures (name, bytes) values (${name}, ${bytes})
        on conflict (name) do update set "dateUsed" = now()`,
    )
    return { name }
  })

  /** Re-rendered to pixels, so that a drawing can execute or load nothing. */
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

/** @throws ValidationError if a form uses a picture that was not uploaded */
export async function mustHavePictures(db: Queryable, form: ExaminationForm | undefined): Promise<void> {
  const fields = form?.sections.flatMap((section) => section.fields) ?? []
  const named = fields.filter(({ picture: name }) => isOwnPicture(name))
  if (named.length === 0) return
  // Marks the use, so that a concurrent sweep keeps it.
  const known = await db.query<{ name: string }>(sql`
    update examination_pictures set "dateUsed" = now()
    where name = any (${named.map(({ picture: name }) => name)}::text[]) returning name`)
  const there = new Set(known.map(({ name }) => name))
  const lacking = named.find(({ picture: name }) => !there.has(name as string))
  if (lacking)
    throw new ValidationError([{ field: 'form', message: `«${lacking.label}»: такого рисунка нет, загрузите его` }])
}

/** The clinic's own pictures, PNG by name. */
export async function ownPictures(db: Queryable, names: readonly string[]): Promise<Record<string, Uint8Array>> {
  if (names.length === 0) return {}
  const rows = await db.query<{ name: string; bytes: Buffer }>(
    sql`select name, bytes from examination_pictures where name = any (${names}::text[])`,
  )
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]))
}

/** Days for which an unused picture is kept: its template may be in progress. */
const UNUSED_DAYS = 7

/** The job `examinations.pictures`: deletes pictures that no template or version uses. */
export async function sweepPictures({ db }: Pick<AppContext, 'db'>): Promise<void> {
  await db.query(sql`
    with named as (
      select distinct f ->> 'picture' as name from examination_templates_versions v,
        jsonb_array_elements(v."form" -> 'sections') s, jsonb_array_elements(s -> 'fields') f where f ? 'picture'
      union select f ->> 'picture' from examination_templates t,
        jsonb_array_elements(t."form" -> 'sections') s, jsonb_array_elements(s -> 'fields') f where f ? 'picture'
    )
    delete from examination_pictures p where p."dateUsed" < now() - make_interval(days => ${UNUSED_DAYS})
      and not exists (select from named n where n.name = p.name)`)
}
