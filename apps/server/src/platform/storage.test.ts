import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type S3Simulator, simulateS3 } from '#testing/s3.ts'
import { starting } from './startErrors.ts'
import { checkStorage, createStorage, partSize, type Storage } from './storage.ts'

let dir: string
let files: Storage
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'storage-'))
  files = createStorage(dir)
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

describe('S3', () => {
  let s3: S3Simulator
  beforeEach(async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
    s3 = await simulateS3()
    files = createStorage(s3.files)
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await s3.close()
  })

  test('holds what a folder holds', async () => {
    await putAndGot()
    expect(s3.objects.size).toBe(0)
  })

  test('takes what is large in parts, whole or not at all', async () => {
    const large = Buffer.alloc(20 * 1024 * 1024, 'ж')
    expect(await files.put('large', Readable.from([large]))).toBe(large.length)
    expect(s3.objects.get('files/large')?.equals(large)).toBe(true)
    s3.failsFromPart = 2
    await expect(files.put('half', Readable.from([large]))).rejects.toThrow('AccessDenied')
    expect([s3.objects.has('files/half'), s3.open.size]).toEqual([false, 0])
  })

  test('takes a file of any size in fewer parts than a store allows', () => {
    const terabyte = 2 ** 40
    expect(partSize(0)).toBe(partSize(1_000_000))
    expect(Math.ceil(terabyte / partSize(terabyte))).toBeLessThan(10_000)
  })

  test('is asked at the start, and leaves nothing', async () => {
    await checkStorage(files)
    expect(s3.objects.size).toBe(0)
    s3.takesNothing = true
    await expect(checkStorage(files)).rejects.toThrow('AccessDenied')
  })

  test('that is silent is asked once, and reported', async () => {
    s3.refusal = 'silent'
    await expect(files.put('file', Readable.from(['text']))).rejects.toMatchObject({
      status: 503,
      code: 'storage',
      message: 'Хранилище файлов не отвечает. Повторите позже',
    })
    expect(s3.asked).toBe(1)
  })

  test('that is silent does not block the start', async () => {
    const silent = { ...files, put: () => new Promise<number>(() => {}) }
    await expect(starting('FILES', () => checkStorage(silent, 50))).rejects.toThrow('FILES: ответа нет слишком долго.')
  })

  test.each([
    ['InvalidAccessKeyId', 'FILES: хранилище не знает этого ключа доступа (AWS_ACCESS_KEY_ID).'],
    ['SignatureDoesNotMatch', 'FILES: секрет ключа доступа не подходит (AWS_SECRET_ACCESS_KEY).'],
    ['AccessDenied', 'FILES: ключу доступа не разрешено писать в это хранилище.'],
    ['NoSuchBucket', 'FILES: такого хранилища (bucket) нет.'],
  ] as const)('%s is reported in a sentence', async (refusal, sentence) => {
    s3.refusal = refusal
    await expect(starting('FILES', () => checkStorage(files))).rejects.toThrow(sentence)
  })
})

test('what was put is got, whole and in part', () => putAndGot())

async function putAndGot(): Promise<void> {
  expect(await files.put('a/b.txt', Readable.from(['Привет, ', 'мир']))).toBe(20)
  expect(await files.stat('a/b.txt')).toEqual({ size: 20 })
  expect(await text(await files.get('a/b.txt'))).toBe('Привет, мир')
  expect(await text(await files.get('a/b.txt', { start: 15, end: 19 }))).toBe('\uFFFDир')
  await files.remove('a/b.txt')
  await files.remove('a/b.txt')
  expect(await files.stat('a/b.txt')).toBeUndefined()
  await expect(files.get('a/b.txt')).rejects.toMatchObject({ code: 'ENOENT' })
}

test('a file of the disk is copied, readable by its owner only, and stays', async () => {
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

test('what a killed upload has left goes after an hour; what is on its way stays', async () => {
  const parts = join(dir, 'parts')
  await files.put('whole', Readable.from(['x']))
  const found: string[] = []
  const slow = Readable.from(
    (async function* () {
      yield 'half'
      // The stream is opened before its file exists.
      await expect.poll(() => readdirSync(parts)).toHaveLength(1)
      found.push(...readdirSync(parts))
      writeFileSync(join(parts, 'left'), 'x')
      utimesSync(join(parts, 'left'), new Date(), new Date(Date.now() - 3_700_000))
      await files.sweep()
      yield 'whole'
    })(),
  )
  await files.put('slow', slow)
  expect(found).toHaveLength(1)
  expect(readdirSync(parts)).toEqual([])
  expect(await text(await files.get('slow'))).toBe('halfwhole')
  expect(await text(await files.get('whole'))).toBe('x')
})

test.each(['../x', '/x', 'a/../x', '', 'a//b', 'a b', '.hidden', 'a/.'])('the key %j is refused', async (key) => {
  await expect(async () => files.put(key, Readable.from(['x']))).rejects.toThrow(TypeError)
})
