import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entity, Row } from '@ordinator/model/entity'
import type { AppContext } from '../../platform/context.ts'
import { ValidationError } from '../../platform/errors.ts'
import type { Records } from '../../records/records.ts'
import { detect } from './detect.ts'
import { keep } from './upload.ts'

/** What a picture may be that is shown to everyone (spec §5, news images). */
const pictures: ReadonlySet<string> = new Set(['png', 'jpg', 'jpeg', 'webp', 'gif'])

/**
 * Fetches a picture from an outside address and stores it as a record of a file entity, so that it is never
 * hot-linked: the address is checked (platform/outbound.ts), the type told by content, the size that of an upload.
 * @throws ValidationError that names `url`
 */
export async function fetchImage<E extends Entity>(
  app: Pick<AppContext, 'outbound' | 'files' | 'pictures'>,
  records: Records,
  entity: E,
  url: string,
): Promise<Row<E>> {
  const dir = await mkdtemp(join(tmpdir(), 'ordinator-fetch-'))
  const path = join(dir, 'file')
  try {
    const { size, name } = await app.outbound.download(url, path, { maxBytes: entity.upload?.maxSize ?? 0 })
    if (size === 0) throw refuse('По этому адресу пусто')
    const { extension } = await detect(path, name)
    if (!pictures.has(extension)) throw refuse('По этому адресу не картинка. Подойдёт: PNG, JPG, WEBP, GIF')
    return (await keep(entity, app, records, { path, size, name })) as unknown as Row<E>
  } catch (error) {
    throw error instanceof ValidationError ? refuse(error.message) : error
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const refuse = (message: string) => new ValidationError([{ field: 'url', message }])
