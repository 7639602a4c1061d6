/** Files of patients: an archive with a table of their patients. */
import { join } from 'node:path'
import { CustomerAttachment, CustomerFile } from '@ordinator/model/areas/customers/files'
import { counted } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { type StoredFile, storeFile } from '#areas/files/index.ts'
import { type ImporterColumn, rowReader } from '#areas/imports/index.ts'
import { ReadRefusal } from '#platform/answerReading.ts'
import { HttpError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { type ArchiveFile, archiveOf } from '../archive.ts'
import { signNames } from '../persons.ts'
import { openRefs, PATIENT } from '../refs.ts'
import { defineTable, type MovingContext, type UnknownName, type Work, type Written } from '../table.ts'
import { patientColumns } from './simple.ts'

const MAX_FILE = 50 * 1024 * 1024
/** Files written to the store side by side, and their bytes, which are in memory meanwhile. */
const AT_ONCE = 40
const BYTES_AT_ONCE = 64 * 1024 * 1024
const PAST = { pastHooks: 'The files are looked into one by one' }

const columns: readonly ImporterColumn[] = [
  {
    name: 'Файл',
    required: true,
    also: ['имя файла', 'путь', 'file', 'filename'],
    examples: ['snimki/10045-1.jpg', 'docs/dogovor.pdf'],
  },
  ...patientColumns,
  { name: 'Название', also: ['описание', 'наименование', 'подпись'], examples: ['Снимок 12.05.2024', ''] },
]

interface Values {
  idCustomer: number
  name: string
  file: ArchiveFile
}

export const files = defineTable<Values>({
  key: 'files',
  columns,
  path: CustomerAttachment.path,
  natural: [PATIENT, ...signNames, 'Файл'],
  compare: 'whole',
  portion: 500,
  ended: unnamedFiles,
  async open(context, groups) {
    const { app, records } = context
    const refs = await openRefs(context, groups, PATIENT)
    const archive = await archiveOf(app.files, context.file.key)
    return {
      check({ rows: [row] }) {
        const cells = row?.cells ?? {}
        const { errors, text, refuse } = rowReader(columns, cells)
        const unknown: UnknownName[] = []
        const idCustomer = refs.customer(cells, PATIENT, errors, unknown)
        const path = pathOf(text('Файл'))
        const entry = archive.find(path)
        if (!entry) refuse('Файл', `Файла «${path.slice(-100)}» в архиве нет`)
        else if (entry.size > MAX_FILE) refuse('Файл', 'Файл больше 50 МБ')
        if (errors.length || idCustomer === undefined || !entry) return { errors, notes: [], unknown }
        const extension = /\.[^./]+$/.exec(path)?.[0] ?? ''
        const title = text('Название') || (path.split('/').at(-1) as string).replace(/\.[^.]+$/, '')
        const name = title.endsWith(extension) ? title : `${title}${extension}`
        return {
          values: { idCustomer, name, file: entry },
          errors,
          notes: [],
          body: { path, name, who: refs.who(cells) },
        }
      },
      async create(works) {
        const results: (StoredFile | string)[] = []
        await app.scratch.use(async (folder) => {
          for (const part of partsOf(works)) {
            const contents = await archive.read(
              part.map(({ values }) => values.file),
              MAX_FILE,
            )
            const stored = part.map(({ values }, i) =>
              storeOne(app, contents[i], join(folder, `file-${i}`), values.name),
            )
            results.push(...(await Promise.all(stored)))
          }
        })
        const good = works.flatMap((work, at) => {
          const result = results[at]
          return typeof result === 'object' ? [{ at, work, ...result }] : []
        })
        const system = records.asSystem
        const kept = await system.createMany(
          CustomerFile,
          good.map(({ body }) => ({ ...body, idUser: records.actor.id })),
          PAST,
        )
        const hung = await system.createMany(
          CustomerAttachment,
          good.map(({ work }, n) => ({
            idCustomer: work.values.idCustomer,
            idFile: (kept[n] as { id: number }).id,
          })),
          PAST,
        )
        const ids = new Map(good.map(({ at }, n) => [at, { file: kept[n]?.id as number, hung: hung[n]?.id as number }]))
        return works.map((_, at): Written => {
          const made = ids.get(at)
          if (!made) return { made: [], errors: [{ field: 'Файл', message: String(results[at]) }] }
          return {
            id: made.hung,
            made: [
              { path: CustomerFile.path, id: made.file },
              { path: CustomerAttachment.path, id: made.hung },
            ],
          }
        })
      },
      // Another name of the same file changes nothing here.
      change: async (works) => works.map(({ group }) => ({ ...(group.known && { id: group.known.id }), made: [] })),
    }
  },
})

/** Shown names of files without a row. */
const SHOWN_NAMES = 10

/** Names the files of the archive that no row names. */
async function unnamedFiles({ app, tx, file }: MovingContext): Promise<string | null> {
  const at = file.mapping.Файл
  if (at === undefined) return null
  const { names } = await archiveOf(app.files, file.key)
  const rows = await tx.query<{ path: string }>(
    sql`select "cells"->>${raw(String(at))} as path from moving_rows where "idFile" = ${file.id}`,
  )
  const named = new Set(rows.map(({ path }) => pathOf(path ?? '')))
  const left = names.filter(
    (name) => !named.has(name) && !/(^|\/)(__MACOSX\/|\.|Thumbs\.db$)|\/$|^[^/]*\.(csv|xlsx)$/i.test(name),
  )
  if (left.length === 0) return null
  const more = left.length > SHOWN_NAMES ? ` и ещё ${left.length - SHOWN_NAMES}` : ''
  return `В таблице нет ${counted(left.length, ['файла', 'файлов', 'файлов'])} архива: ${left.slice(0, SHOWN_NAMES).join(', ')}${more}`.slice(
    0,
    1000,
  )
}

const pathOf = (written: string): string =>
  written
    .trim()
    .replaceAll('\\', '/')
    .replace(/^\.?\//, '')

/** Works in their order, so many together as are written side by side. */
function partsOf(works: readonly Work<Values>[]): Work<Values>[][] {
  const parts: Work<Values>[][] = []
  let bytes = 0
  for (const work of works) {
    const { size } = work.values.file
    const part = parts.at(-1)
    bytes += size
    if (part && part.length < AT_ONCE && bytes <= BYTES_AT_ONCE) part.push(work)
    else {
      parts.push([work])
      bytes = size
    }
  }
  return parts
}

/** @returns the stored file, or why it is left */
async function storeOne(
  app: AppContext,
  content: Buffer | ReadRefusal | undefined,
  path: string,
  name: string,
): Promise<StoredFile | string> {
  if (content === undefined || content instanceof ReadRefusal) return content?.message ?? 'Файл не читается'
  try {
    return await storeFile(CustomerFile, app, { path, bytes: content, name })
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error
    return (error as { items?: { message: string }[] }).items?.[0]?.message ?? error.message
  }
}
