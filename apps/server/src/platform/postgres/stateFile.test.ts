import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keptOf } from './stateFile.ts'

let dir: string
let path: string
let data: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'kept-'))
  path = join(dir, 'pg.json')
  data = join(dir, 'pg')
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('what was kept is found again', async () => {
  const first = await keptOf(path, data)
  expect(first.password).toHaveLength(32)
  expect(await keptOf(path, data)).toEqual(first)
})

test.each(['', '{"password":"a', 'null', '[]', '{}', '{"password":7}', '{"password":"a","port":"b"}'])(
  'a file of %j is reported as broken, by its name, and stays as it is',
  async (text) => {
    writeFileSync(path, text)
    await expect(keptOf(path, data)).rejects.toThrow(`Файл ${path} с паролем базы данных повреждён`)
    expect(readFileSync(path, 'utf8')).toBe(text)
  },
)

test('a database without its file is reported by the file’s name', async () => {
  rmSync(path)
  mkdirSync(data)
  writeFileSync(join(data, 'PG_VERSION'), '17')
  await expect(keptOf(path, data)).rejects.toThrow(`Нет файла ${path} с паролем базы данных`)
})
