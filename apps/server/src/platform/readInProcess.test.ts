import { getPriority } from 'node:os'
import { PassThrough, Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { sessionPriority } from '#testing/sessionPriority.ts'
import { readInProcess } from './readInProcess.ts'

const READER = new URL('../testing/ownPriority.ts', import.meta.url)

const read = (who: string, open: () => Readable) =>
  readInProcess<{ priority: number; session?: number; bytes: number }>({
    code: READER,
    open,
    options: {},
    who,
    memoryMb: 256,
    refuse: (message) => new Error(message),
    tooHard: 'too hard',
  })

test('reads beside the server have a lower priority than it and the database', async ({ onTestFinished }) => {
  vi.stubEnv('GIVE_WAY', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const file = Buffer.alloc(300_000)
  const { priority, session, bytes } = await read('a', () => Readable.from([file, file]))
  expect(bytes).toBe(600_000)
  expect(priority).toBeGreaterThan(getPriority())
  const own = sessionPriority(process.pid)
  expect(session).toBe(own === undefined ? undefined : priority)
})

test('files of one person are read one after another, and not opened before', async () => {
  const opened: [string, PassThrough][] = []
  const slowly = (name: string) =>
    read(name[0] as string, () => {
      const file = new PassThrough()
      opened.push([name, file])
      return file
    })
  const names = () => opened.map(([name]) => name)
  const all = ['a1', 'a2', 'b1'].map(slowly)
  expect(names()).toEqual(['a1', 'b1'])
  opened[0]?.[1].end()
  await all[0]
  await expect.poll(names).toEqual(['a1', 'b1', 'a2'])
  for (const [, file] of opened) file.end()
  await Promise.all(all)
})

test('a file that breaks while it is read is the reader’s failure, and holds no place', async () => {
  for (let n = 0; n < 3; n++) {
    const broken = new Readable({ read() {} })
    const reading = read('a', () => broken)
    setImmediate(() => broken.destroy(new Error('the disk is gone')))
    await expect(reading).rejects.toThrow('the disk is gone')
  }
})

test('a machine without time refuses to be asked again, and blames no file', async () => {
  const reading = readInProcess({
    code: READER,
    open: () => new Readable({ read() {} }),
    options: {},
    who: 'c',
    memoryMb: 256,
    refuse: (message) => new Error(message),
    tooHard: 'too hard',
    bounds: { workMs: 60_000, clockMs: 300 },
  })
  await expect(reading).rejects.toMatchObject({ status: 503, code: 'busy', message: expect.stringContaining('занят') })
})
