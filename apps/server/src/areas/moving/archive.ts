/** The archive with patients' files: its table, and its files when they are taken in. It stays in the storage. */
import { MAX_MOVE_FILES } from '@ordinator/model/areas/moving/tables'
import { ReadRefusal } from '#platform/answerReading.ts'
import { ValidationError } from '#platform/errors.ts'
import type { Storage } from '#platform/storage.ts'
import { openStoredZip, type StoredZip } from '#platform/zip.ts'

const MAX_TABLE = 50 * 1024 * 1024

export interface ArchiveFile {
  /** Place in the archive. */
  at: number
  /** Unpacked bytes by the archive's directory: they may be wrong. */
  size: number
}

export interface Archive {
  find(path: string): ArchiveFile | undefined
  /** Paths of all files. */
  names: readonly string[]
  /** @returns each file, or why it cannot be read */
  read(files: readonly ArchiveFile[], maxBytes: number): Promise<(Buffer | ReadRefusal)[]>
}

/** The directory of the last archive stays for the next portion of the same file. */
let last: { key: string; archive: Archive } | undefined

export async function archiveOf(files: Storage, key: string | null): Promise<Archive> {
  if (key === null) return { find: () => undefined, names: [], read: async () => [] }
  if (last?.key === key) return last.archive
  const zip = await openArchive(files, key)
  const byPath = new Map(zip.files.map(({ name, size }, at) => [name.replaceAll('\\', '/'), { at, size }]))
  const archive: Archive = {
    find: (path) => byPath.get(path),
    names: [...byPath.keys()],
    read: (wanted, maxBytes) =>
      zip.read(
        wanted.map(({ at }) => at),
        maxBytes,
      ),
  }
  last = { key, archive }
  return archive
}

export const forgetArchive = (): void => {
  last = undefined
}

/** The table of an archive: the CSV or XLSX file nearest to its root. @throws ValidationError on the field `file` */
export async function tableOfArchive(files: Storage, key: string): Promise<{ name: string; bytes: Buffer }> {
  const zip = await openArchive(files, key)
  const [table] = zip.files
    .map(({ name }, at) => ({ name, at }))
    .filter(({ name }) => /\.(csv|xlsx)$/i.test(name) && !name.startsWith('__MACOSX/'))
    .toSorted((a, b) => a.name.split('/').length - b.name.split('/').length)
  if (!table) throw refuse('В архиве нет таблицы CSV или XLSX, которая говорит, чей какой файл')
  const [bytes] = await zip.read([table.at], MAX_TABLE)
  if (bytes === undefined || bytes instanceof ReadRefusal) throw refuse(bytes?.message ?? 'Архив не читается')
  return { name: table.name, bytes }
}

async function openArchive(files: Storage, key: string): Promise<StoredZip> {
  const { size = 0 } = (await files.stat(key)) ?? {}
  const readPart = async (start: number, length: number) => {
    if (length <= 0 || start >= size) return Buffer.alloc(0)
    const part = await files.get(key, { start, end: Math.min(size, start + length) - 1 })
    return Buffer.concat(await part.toArray())
  }
  try {
    return await openStoredZip(readPart, size, { maxEntries: MAX_MOVE_FILES })
  } catch (error) {
    if (error instanceof ReadRefusal) throw refuse(error.message)
    throw error
  }
}

const refuse = (message: string) => new ValidationError([{ field: 'file', message }])
