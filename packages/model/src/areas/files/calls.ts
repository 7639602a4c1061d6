import { z } from 'zod'
import { call, idText, inParts, rowOf } from '../../call.ts'
import type { Entity } from '../../entity.ts'
import { formatFileSize } from '../../format.ts'
import { type PreviewSize, previewSizes } from '../../storedFile.ts'

/** Uploads a minute from one address. */
const LIMIT = 120

const sizes = Object.keys(previewSizes) as PreviewSize[]
const size = z.enum(sizes)
const query = z.strictObject({ download: z.enum(['1']).optional() })
const sizesAnswer = z
  .object({ key: z.string() })
  .extend(
    Object.fromEntries(sizes.map((size) => [size, z.object({ url: z.string(), id: z.number() })])) as Record<
      PreviewSize,
      z.ZodObject<{ url: z.ZodString; id: z.ZodNumber }>
    >,
  )

/**
 * POST to a file entity's path: a form with the field `file`. The record is created once the file is stored completely.
 */
export const uploadCall = <const E extends Entity>(entity: E) =>
  call({
    method: 'POST',
    path: `/${entity.path}` as `/${E['path']}`,
    summary: `Загрузка файла, поле формы file, не больше ${formatFileSize(entity.upload?.maxSize)}`,
    access: entity.upload?.access ?? entity.access.view ?? [],
    bodyType: 'multipart',
    status: 201,
    limit: LIMIT,
    answer: rowOf(entity),
  })

/** As `uploadCall`, for an entity that returns the sizes of a picture (spec §7). */
export const picturesCall = <const E extends Entity>(entity: E) => ({ ...uploadCall(entity), answer: sizesAnswer })

/** GET of a file's contents, for users who may see its record. */
export const fileCalls = {
  file: call({
    method: 'GET',
    path: '/files/:id',
    summary: 'Содержимое файла; download=1 — сохранить, а не показать',
    access: 'public',
    params: z.object({ id: idText }),
    query,
    ...inParts,
    file: 'application/octet-stream',
  }),
  preview: call({
    method: 'GET',
    path: '/files/:id/:size',
    summary: 'Уменьшенная картинка: small, medium или large',
    access: 'public',
    params: z.object({ id: idText, size }),
    query,
    ...inParts,
    file: 'image/webp',
  }),
}
