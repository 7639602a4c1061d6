/** Files of patients: an archive with a table that says whose each of them is. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CustomerAttachment, CustomerFile } from '@ordinator/model/areas/customers/files'
import { type StoredFile, storeFile } from '#areas/files/index.ts'
import { type ImporterColumn, rowReader } from '#areas/imports/index.ts'
import { ReadRefusal } from '#platform/answerReading.ts'
import { HttpError } from '#platform/errors.ts'
import { archiveOf } from '../archive.ts'
import { codesOf, openRefs } from '../refs.ts'
import { defineTable, type Written } from '../table.ts'
import { patientColumn } from './simple.ts'

const MAX_FILE = 50 * 1024 * 1024
/** Files that are written to the store side by side. */
const AT_ONCE = 8
const PAST = { pastHooks: 'The files are looked into one by one' }

const columns: readonly ImporterColumn[] = [
  {
    name: 'Файл',
    required: true,
    also: ['имя файла', 'путь', 'file', 'filename'],
    examples: ['snimki/10045-1.jpg', 'docs/dogovor.pdf'],
  },
  patientColumn(),
  { name: 'Название', also: ['описание', 'наименование', 'подпись'], examples: ['Снимок 12.05.2024', ''] },
]

interface Values {
  idCustomer: number
  path: string
  name: string
}

export const files = defineTable<Values>({
  key: 'files',
  columns,
  path: CustomerAttachment.path,
  natural: ['Код пациента', 'Файл'],
  compare: 'whole',
  portion: 500,
  async open(context, groups) {
    const { app, records } = context
    const refs = await openRefs(context, codesOf(groups, 'Код пациента'))
    const archive = await archiveOf(app, context.file)
    return {
      check({ rows: [row] }) {
        const cells = row?.cells ?? {}
        const { errors, text, refuse } = rowReader(columns, cells)
        const idCustomer = refs.customer(cells, 'Код пациента', errors)
        const path = text('Файл')
          .replaceAll('\\', '/')
          .replace(/^\.?\//, '')
        const entry = archive.find(path)
        if (!entry) refuse('Файл', `Файла «${path.slice(-100)}» в архиве нет`)
        else if (entry.size > MAX_FILE) refuse('Файл', 'Файл больше 50 МБ')
        if (errors.length || idCustomer === undefined || !entry) return { errors, notes: [] }
        const extension = /\.[^./]+$/.exec(path)?.[0] ?? ''
        const title = text('Название') || (path.split('/').at(-1) as string).replace(/\.[^.]+$/, '')
        const values = { idCustomer, path, name: title.endsWith(extension) ? title : `${title}${extension}` }
        return { values, errors, notes: [], body: { path, name: values.name, who: text('Код пациента') } }
      },
      async create(works) {
        const results: (StoredFile | string)[] = []
        await app.scratch.use(async (folder) => {
          for (let at = 0; at < works.length; at += AT_ONCE)
            results.push(
              ...(await Promise.all(
                works.slice(at, at + AT_ONCE).map(async ({ said }, i) => {
                  try {
                    const path = join(folder, `file-${at + i}`)
                    const bytes = archive.read(said.path, MAX_FILE)
                    await writeFile(path, bytes, { mode: 0o600 })
                    return await storeFile(CustomerFile, app, { path, size: bytes.length, name: said.name })
                  } catch (error) {
                    if (error instanceof ReadRefusal) return error.message
                    if (!(error instanceof HttpError) || error.status >= 500) throw error
                    return (error as { items?: { message: string }[] }).items?.[0]?.message ?? error.message
                  }
                }),
              )),
            )
        })
        const good = works.flatMap((work, at) => {
          const result = results[at]
          return typeof result === 'object' ? [{ at, work, ...result }] : []
        })
        const system = records.asSystem
        const kept = await system.createMany(
          CustomerFile,
          good.map(({ body }) => ({ ...body, idUser: records.actor.id })) as never,
          PAST,
        )
        const hung = await system.createMany(
          CustomerAttachment,
          good.map(({ work }, n) => ({
            idCustomer: work.said.idCustomer,
            idFile: (kept[n] as { id: number }).id,
          })) as never,
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
