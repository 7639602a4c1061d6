/** The backup archive, with and without a passphrase. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MANIFEST, readArchive, writeArchive } from './archive.ts'

const PASSPHRASE = 'слова, которые знает только главный врач'
/** Long enough for several chunks. */
const LONG = 'Пациентка Ссылкина, диагноз. '.repeat(20_000)

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'archive-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

let made = 0
async function write(passphrase?: string): Promise<string> {
  const path = join(dir, `${++made}.tar.gz`)
  const archive = writeArchive(path, passphrase)
  await archive.text(MANIFEST, JSON.stringify({ format: 1, date: '', postgres: '18', migrations: [], files: true }))
  await archive.text('files/long', LONG)
  await archive.end()
  return path
}

async function read(path: string, passphrase?: string): Promise<string> {
  const root = mkdtempSync(join(dir, 'read-'))
  await readArchive(
    path,
    () => {},
    (name) => ({ root, name }),
    passphrase,
  )
  return readFileSync(join(root, 'files/long'), 'utf8')
}

test('is read back, with a passphrase where it has one', async () => {
  expect(await read(await write())).toBe(LONG)
  const path = await write(PASSPHRASE)
  expect(await read(path, PASSPHRASE)).toBe(LONG)
  expect(readFileSync(path).subarray(0, 8).toString()).toBe('ORDENC1\n')
})

test('reports that it is encrypted, that the passphrase is another, and that something was changed or cut off', async () => {
  const path = await write(PASSPHRASE)
  await expect(read(path)).rejects.toThrow('он зашифрован: задайте BACKUP_PASSPHRASE')
  await expect(read(path, 'другие слова, тоже длинные')).rejects.toThrow('BACKUP_PASSPHRASE не подходит')
  const bytes = readFileSync(path)
  const changed = Buffer.from(bytes)
  changed[changed.length - 30] = (changed[changed.length - 30] as number) ^ 1
  writeFileSync(path, changed)
  await expect(read(path, PASSPHRASE)).rejects.toThrow()
  writeFileSync(path, bytes.subarray(0, bytes.length - 40))
  await expect(read(path, PASSPHRASE)).rejects.toThrow()
})
