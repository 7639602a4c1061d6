/** Imports steps of a regulation from a Word document: previewed first, and saved by the editor. */

import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { regulationCalls } from '@ordinator/model/areas/regulations/calls'
import { MAX_NAME } from '@ordinator/model/areas/regulations/regulation'
import { RegulationFile } from '@ordinator/model/areas/regulations/step'
import { MAX_PARTS, type RegulationImport } from '@ordinator/model/areas/regulations/wire'
import type { FastifyRequest } from 'fastify'
import { asPerson, declaredBytes, isPicture, keep, receive, withinQuota } from '#areas/files/index.ts'
import { ValidationError } from '#platform/errors.ts'
import { readInProcess } from '#platform/readInProcess.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import type { ReadDocx } from './importDocxProcess.ts'

const MAX_FILE = 20 * 1024 * 1024
const READING_MEMORY_MB = 512

/** Picture types that browsers display; Word drawings (EMF, WMF) are not supported. */
const pictures: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

export const importDocx = operation(regulationCalls.importDocx, ({ app, actor, records, request }) =>
  app.scratch.use(async (folder): Promise<RegulationImport> => {
    const path = join(folder, 'file')
    const name = await withinQuota(app, [asPerson(app, actor)], declaredBytes(request, MAX_FILE), () =>
      received(request, path),
    )
    const read = await readInProcess<ReadDocx>({
      code: new URL('./importDocxProcess.ts', import.meta.url),
      open: () => createReadStream(path),
      options: {},
      who: String(actor.id),
      memoryMb: READING_MEMORY_MB,
      refuse: (message) => new ValidationError([{ field: 'file', message }]),
      tooHard: 'Документ слишком сложен: разделите его на части',
    })
    const warnings = [...read.warnings]
    const stages: RegulationImport['stages'] = []
    for (const [at, { title, description, images }] of read.stages.entries()) {
      if (images.length > MAX_PARTS)
        warnings.push(`Шаг ${at + 1}: картинок больше ${MAX_PARTS}, остальные не перенесены`)
      const kept: RegulationImport['stages'][number]['images'] = []
      for (const n of images.slice(0, MAX_PARTS)) {
        const image = read.images[n]
        const stored = image && (await store(app, records, join(folder, 'picture'), image))
        if (typeof stored === 'object') kept.push(stored)
        else warnings.push(`Шаг ${at + 1}: картинка не перенесена${stored ? `. ${stored}` : ''}`)
      }
      stages.push({ title, description, images: kept })
    }
    return { name: read.name || titleOf(name), description: read.description, stages, warnings }
  }),
)

/** Stores the uploaded file at the path. @returns its name */
async function received(request: FastifyRequest, path: string): Promise<string> {
  const upload = { category: 'regulations', maxSize: MAX_FILE, extensions: ['docx'] }
  const { name } = await receive(request, path, { upload })
  return name ?? ''
}

const titleOf = (fileName: string): string =>
  fileName
    .replace(/\.docx$/i, '')
    .trim()
    .slice(0, MAX_NAME)

/** Stores the picture as a file of regulations. @returns it, or the reason of a refusal */
async function store(
  app: AppContext,
  records: Records,
  path: string,
  { bytes, type }: ReadDocx['images'][number],
): Promise<{ idFile: number; url: string } | string> {
  const extension = pictures[type]
  const name = `Картинка.${extension}`
  await writeFile(path, bytes, { mode: 0o600 })
  if (!extension || !(await isPicture(path, name))) return 'Подойдёт: PNG, JPG, WEBP, GIF'
  try {
    const file = await keep(RegulationFile, app, records, { path, size: bytes.byteLength, name })
    return { idFile: file.id as number, url: file.url as string }
  } catch (error) {
    if (error instanceof ValidationError) return error.message
    throw error
  }
}
