/** Files of patients: an archive with a table that says whose each of them is. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CustomerAttachment, CustomerFile } from '@ordinator/model/areas/customers/files'
import { keep } from '#areas/files/index.ts'
import { type ImporterColumn, inSavepoint, rowReader } from '#areas/imports/index.ts'
import { archiveOf } from '../archive.ts'
import { codesOf, openRefs } from '../refs.ts'
import { defineTable, type Written } from '../table.ts'
import { patientColumn } from './simple.ts'

const MAX_FILE = 50 * 1024 * 1024

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
  portion: 100,
  async open(context, groups) {
    const { app, records, tx } = context
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
        const written: Written[] = []
        await app.scratch.use(async (folder) => {
          for (const [at, { said }] of works.entries()) {
            const path = join(folder, `file-${at}`)
            const { done, refused } = await inSavepoint(tx, async () => {
              const bytes = archive.read(said.path, MAX_FILE)
              await writeFile(path, bytes, { mode: 0o600 })
              const file = await keep(CustomerFile, app, records, { path, size: bytes.length, name: said.name })
              const hung = await records.asSystem.create(CustomerAttachment, {
                idCustomer: said.idCustomer,
                idFile: file.id,
              })
              return { idFile: file.id, id: hung.id }
            })
            if (done)
              written.push({
                id: done.id,
                made: [
                  { path: CustomerFile.path, id: done.idFile },
                  { path: CustomerAttachment.path, id: done.id },
                ],
              })
            else written.push({ made: [], errors: [{ field: 'Файл', message: refused?.message ?? 'Не сохранён' }] })
          }
        })
        return written
      },
      // Another name of the same file changes nothing here.
      change: async (works) => works.map(({ group }) => ({ ...(group.known && { id: group.known.id }), made: [] })),
    }
  },
})
