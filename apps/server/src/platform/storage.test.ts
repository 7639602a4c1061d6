import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStorage, type Storage } from './storage.ts'

let dir: string
let files: Storage
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'storage-'))
  files = createStorage(dir)
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('what was put is got, whole and in part', async () => {
  expect(await files.put('a/b.txt', Readable.from(['Привет, ', 'мир']))).toBe(20)
  expect(await files.stat('a/b.txt')).toEqual({ size: 20 })
  expect(await text(await files.get('a/b.txt'))).toBe('Привет, мир')
  expect(await text(await files.get('a/b.txt', { start: 15, end: 19 }))).toBe('\uFFFDир')
  await files.remove('a/b.txt')
  await files.remove('a/b.txt')
  expect(await files.stat('a/b.txt')).toBeUndefined()
  await expect(files.get('a/b.txt')).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a file of the disk is copied, for nobody else to read, and stays', async () => {
  const path = join(dir, 'own.txt')
  writeFileSync(path, 'Привет', { mode: 0o644 })
  expect(await files.put('a', path)).toBe(12)
  expect(await text(await files.get('a'))).toBe('Привет')
  const modes = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'own.txt')
    .map((entry) => statSync(join(entry.parentPath, entry.name)).mode & 0o777)
  expect(modes).toEqual([0o600])
  expect(statSync(path).size).toBe(12)
  await expect(files.put('b', join(dir, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await files.stat('b')).toBeUndefined()
})

test('an upload that breaks leaves nothing', async () => {
  const broken = Readable.from(
    (async function* () {
      yield 'half'
      throw new Error('the client is gone')
    })(),
  )
  await expect(files.put('half', broken)).rejects.toThrow('the client is gone')
  expect(await files.stat('half')).toBeUndefined()
  expect(readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())).toEqual([])
})

test.each(['../x', '/x', 'a/../x', '', 'a//b', 'a b', '.hidden', 'a/.'])('the key %j is refused', async (key) => {
  await expect(async () => files.put(key, Readable.from(['x']))).rejects.toThrow(TypeError)
})
