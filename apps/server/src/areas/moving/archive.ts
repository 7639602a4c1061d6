/** The archive with patients' files: its table, and each of its files when it is taken in. */
import { ValidationError } from '#platform/errors.ts'
import { openZip, type ZipEntry } from '#platform/zip.ts'
import type { AppContext } from '#records/context.ts'
import type { MovingContext } from './table.ts'

/** Entries of an archive without ZIP64. */
const MAX_ENTRIES = 65_535
const MAX_TABLE = 50 * 1024 * 1024

export interface Archive {
  find(path: string): ZipEntry | undefined
  /** @throws ReadRefusal when it is more than `maxBytes` */
  read(path: string, maxBytes: number): Buffer
}

/** The last archive that was opened stays for the next portion of the same file. */
let last: { key: string; archive: Archive } | undefined

export async function archiveOf(app: AppContext, { key }: Pick<MovingContext['file'], 'key'>): Promise<Archive> {
  if (key === null) return { find: () => undefined, read: () => Buffer.alloc(0) }
  if (last?.key === key) return last.archive
  const entries = entriesOf(Buffer.concat(await (await app.files.get(key)).toArray()))
  const byName = new Map(entries.map((entry) => [entry.name.replaceAll('\\', '/'), entry]))
  const archive: Archive = {
    find: (path) => byName.get(path),
    read: (path, maxBytes) => byName.get(path)?.read(maxBytes) ?? Buffer.alloc(0),
  }
  last = { key, archive }
  return archive
}

export const forgetArchive = (): void => {
  last = undefined
}

/** The table of an archive: the CSV or XLSX file nearest to its root. @throws ValidationError on the field `file` */
export function tableOfArchive(bytes: Buffer): { name: string; bytes: Buffer } {
  const tables = entriesOf(bytes)
    .filter(({ name }) => /\.(csv|xlsx)$/i.test(name) && !name.startsWith('__MACOSX/'))
    .toSorted((a, b) => a.name.split('/').length - b.name.split('/').length)
  const [table] = tables
  if (!table) throw refuse('В архиве нет таблицы CSV или XLSX, которая говорит, чей какой файл')
  return { name: table.name, bytes: table.read(MAX_TABLE) }
}

function entriesOf(bytes: Buffer): ZipEntry[] {
  try {
    return openZip(bytes, { maxEntries: MAX_ENTRIES }).filter(({ name }) => !name.endsWith('/'))
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : 'Архив не читается')
  }
}

const refuse = (message: string) => new ValidationError([{ field: 'file', message }])
