import { join } from 'node:path'
import type { Entity, Row } from '@ordinator/model/entity'
import { ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { detect } from './detect.ts'
import { type Sender, withinQuota } from './quota.ts'
import { keep } from './upload.ts'

/** Allowed types of pictures shown to everyone (spec §5, news images). */
const pictures: ReadonlySet<string> = new Set(['png', 'jpg', 'jpeg', 'webp', 'gif'])

/**
 * Downloads a picture from an outside address and stores it as a record of a file entity, so that it is never
 * hot-linked: the address is checked (platform/outbound.ts), the type is determined by content, the size limit is that
 * of an upload.
 * @throws ValidationError that names `url`; HttpError 429 above the author's daily limit
 */
export async function fetchImage<E extends Entity>(
  app: Pick<AppContext, 'config' | 'db' | 'outbound' | 'files' | 'pictures' | 'scratch'>,
  records: Records,
  entity: E,
  { url, sender }: { url: string; sender: Sender },
): Promise<Row<E>> {
  return app.scratch.use(async (folder) => {
    const path = join(folder, 'file')
    try {
      const { size, name } = await app.outbound.download(url, path, { maxBytes: entity.upload?.maxSize ?? 0 })
      if (size === 0) throw refuse('По этому адресу пусто')
      if (!(await isPicture(path, name))) throw refuse('По этому адресу не картинка. Подойдёт: PNG, JPG, WEBP, GIF')
      const kept = () => keep(entity, app, records, { path, size, name })
      return (await withinQuota(app, [sender], size, kept)) as unknown as Row<E>
    } catch (error) {
      throw error instanceof ValidationError ? refuse(error.message) : error
    }
  })
}

/** Whether the file is a picture that may be shown to everyone, by its content. */
export const isPicture = async (path: string, name: string): Promise<boolean> =>
  pictures.has((await detect(path, name)).extension)

const refuse = (message: string) => new ValidationError([{ field: 'url', message }])
