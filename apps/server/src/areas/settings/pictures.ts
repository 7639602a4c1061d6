/** Pictures of settings: re-rendered, addressed by content, public. */
import { createHash } from 'node:crypto'
import { settingsCalls } from '@ordinator/model/areas/settings/calls'
import { type CommonSettingName, commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import { isGivenPicture } from '@ordinator/model/areas/settings/setting'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { type Decoder, PictureError } from '#platform/decoding.ts'
import { type FieldError, notFound, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { readCommonSettings } from './read.ts'

/** Pixels: the space in a document header and a menu, at double density. */
const WIDTH = 480
const HEIGHT = 144
const MAX_PIXELS = 24_000_000

/**
 * Renders, stores and names each new picture in the values. @throws ValidationError for an invalid or missing picture
 */
export async function keepPictures(
  { db, pictures }: { db: Queryable; pictures: Decoder },
  value: Partial<Record<CommonSettingName, unknown>>,
): Promise<Partial<Record<CommonSettingName, unknown>>> {
  const kept = { ...value }
  const errors: FieldError[] = []
  for (const [name, given] of Object.entries(value) as [CommonSettingName, unknown][]) {
    if (commonSettings[name].input?.kind !== 'picture' || given === '' || given === null) continue
    if (isGivenPicture(given)) {
      const bytes = await drawn(pictures, Buffer.from(given.slice(given.indexOf(',') + 1), 'base64'))
      if (bytes) kept[name] = await keep(db, bytes)
      else errors.push({ field: name, message: 'Картинка повреждена или слишком велика' })
    } else if (!(await pictureNamed(db, String(given)))) errors.push({ field: name, message: 'Такой картинки нет' })
  }
  if (errors.length) throw new ValidationError(errors)
  return kept
}

async function drawn(decoder: Decoder, bytes: Buffer): Promise<Buffer | undefined> {
  try {
    const [made] = await decoder.draw(bytes, {
      maxPixels: MAX_PIXELS,
      failOn: 'error',
      resize: { width: WIDTH, height: HEIGHT, fit: 'inside', withoutEnlargement: true },
      copies: [{ format: 'png', quality: 90 }],
    })
    return made?.bytes
  } catch (error) {
    if (error instanceof PictureError) return undefined
    throw error
  }
}

async function keep(db: Queryable, bytes: Buffer): Promise<string> {
  const name = createHash('sha256').update(bytes).digest('hex')
  await db.query(sql`insert into setting_pictures (name, bytes) values (${name}, ${bytes}) on conflict do nothing`)
  return name
}

/** The bytes of a picture, PNG. */
export const pictureNamed = async (db: Queryable, name: string): Promise<Buffer | undefined> =>
  (await db.one<{ bytes: Buffer }>(sql`select bytes from setting_pictures where name = ${name}`))?.bytes

export const face = operation(settingsCalls.face, async ({ app }) => {
  const { companyBrand, clinicName, companyLogo, companyColor } = await readCommonSettings(app.db.reads)
  return { name: companyBrand || clinicName, logo: companyLogo, color: companyColor }
})

/** Only the current one: former ones are in history. */
export const picture = operation(settingsCalls.picture, async ({ app, params, reply }) => {
  const { companyLogo } = await readCommonSettings(app.db.reads)
  const bytes = companyLogo === params.name ? await pictureNamed(app.db.reads, params.name) : undefined
  if (!bytes) throw notFound('Картинка не найдена')
  return reply.type('image/png').header('cache-control', 'public, max-age=86400').send(bytes)
})
