import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { liar, picture } from '#testing/files.ts'
import { createDecoder, type Decoder, type DecoderOptions, PictureError, type Plan } from './decoding.ts'
import { createLog } from './log.ts'

const MB = 1024 * 1024
const log = createLog('silent')
const small: Plan = {
  failOn: 'truncated',
  resize: { width: 300, height: 300, fit: 'inside' },
  copies: [
    { format: 'jpeg', quality: 80 },
    { side: 60, format: 'webp', quality: 80 },
  ],
}

/** Many seconds of work. */
const long: Plan = {
  failOn: 'truncated',
  resize: { width: 4000, height: 4000, fit: 'inside' },
  copies: Array(60).fill({ format: 'webp', quality: 80 }),
}

let made: Decoder[]
/** Shared by all tests: the pictures are only read. */
let dir: string
/** Small and quick. */
let photo: string
/** Half a second of work and 240 MB of memory. */
let huge: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'decoding-'))
  photo = join(dir, 'photo.png')
  huge = join(dir, 'huge.png')
  await picture(600, 400).png().toFile(photo)
  await picture(10_000, 7_500).png({ progressive: true, compressionLevel: 1 }).toFile(huge)
})
afterAll(() => rm(dir, { recursive: true }))
beforeEach(() => {
  made = []
})
afterEach(() => Promise.all(made.map((decoder) => decoder.close())))

function decoder(options: Omit<DecoderOptions, 'log'> = {}): Decoder {
  const one = createDecoder({ log, ...options })
  made.push(one)
  return one
}

/** Process ids of a server's decoder, at most one. */
function processesOf(server = process.pid): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args=']).toString().split('\n')
  return lines
    .filter((line) => line.includes('decodingProcess.ts') && Number(line.trim().split(/\s+/)[1]) === server)
    .map((line) => Number.parseInt(line, 10))
}

async function until<T>(what: () => T, ms = 30_000): Promise<T> {
  for (const end = Date.now() + ms; ; await sleep(10)) {
    const value = what()
    if (value) return value
    if (Date.now() > end) throw new Error('waited in vain')
  }
}

/** Waits for the process to start. */
const started = () => until(() => processesOf()[0]) as Promise<number>

describe('a picture', () => {
  test('is looked at and drawn beside the server, from a file or from bytes', async () => {
    const one = decoder()
    const look = { width: 600, height: 400, isProgressive: false, pages: 1 }
    expect(await one.look(photo)).toEqual(look)
    expect(await one.look(await picture(600, 400).png().toBuffer())).toEqual(look)
    const drawn = await one.draw(photo, small)
    expect(drawn.map(({ width, height }) => [width, height])).toEqual([
      [300, 200],
      [60, 40],
    ])
    const heads = await Promise.all(drawn.map(({ bytes }) => sharp(bytes).metadata()))
    expect(heads.map(({ format, width }) => [format, width])).toEqual([
      ['jpeg', 300],
      ['webp', 60],
    ])
    expect(processesOf()).toHaveLength(1)
  })

  test('that is broken, or of too many points, is refused; the next is drawn by the same process', async () => {
    const one = decoder()
    await one.look(photo)
    const [pid] = processesOf()
    await expect(one.look(Buffer.from('no picture'))).rejects.toThrow(PictureError)
    await expect(one.draw(await liar(50_000), small)).rejects.toThrow(PictureError)
    await expect(one.draw(huge, { ...small, maxPixels: 1_000_000 })).rejects.toThrow(PictureError)
    expect(await one.draw(photo, small)).toHaveLength(2)
    expect(processesOf()).toEqual([pid])
  })

  test('that takes more memory than there may be is refused, and the next is drawn', async () => {
    const one = decoder({ maxRss: 200 * MB })
    await expect(one.draw(huge, small)).rejects.toThrow(PictureError)
    expect(await one.draw(photo, small)).toHaveLength(2)
  })

  test('that killed the process is refused, and the next is drawn', async () => {
    const one = decoder()
    const drawing = expect(one.draw(huge, small)).rejects.toThrow(PictureError)
    process.kill(await started(), 'SIGKILL')
    await drawing
    expect(await one.draw(photo, small)).toHaveLength(2)
  })

  test('that hangs is given up by the clock, and the next is drawn', async () => {
    const patient = decoder({ clockMs: 4_000 })
    const looks = [patient.look(photo)]
    const pid = await started()
    process.kill(pid, 'SIGSTOP')
    looks.push(patient.look(photo))
    // The first one that met a stopped process: the second, unless the machine is slow.
    const faults = (await Promise.allSettled(looks)).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(faults[0]).toMatchObject({ status: 503 })
    await until(() => !processesOf().includes(pid))
    expect(await decoder().look(photo)).toMatchObject({ width: 600 })
  })

  test('that takes more of the processor than it may is refused, however quick the machine', async () => {
    const strict = decoder({ jobMs: 500, clockMs: 120_000 })
    await expect(strict.draw(photo, long)).rejects.toThrow(PictureError)
  })
})

describe('in turn', () => {
  test('pictures that come at once are drawn one after another by one process', async () => {
    const one = decoder()
    const order: string[] = []
    const noted =
      (name: string) =>
      <T>(answer: T): T => {
        order.push(name)
        return answer
      }
    const answers = await Promise.all([
      one.draw(huge, small).then(noted('huge')),
      one.look(photo).then(noted('second')),
      one.draw(photo, small).then(noted('third')),
      started().then(() => processesOf().length),
    ])
    expect(order).toEqual(['huge', 'second', 'third'])
    expect(answers).toMatchObject([[{ height: 225 }, {}], { width: 600 }, [{ height: 200 }, {}], 1])
  })

  test('calls beyond the queue are answered «try later», and none is lost', async () => {
    const one = decoder({ maxWaiting: 3 })
    const asked = Array.from({ length: 5 }, () => one.look(photo))
    const answers = await Promise.allSettled(asked)
    expect(answers.map(({ status }) => status)).toEqual([...Array(3).fill('fulfilled'), ...Array(2).fill('rejected')])
    const { reason } = answers[4] as PromiseRejectedResult
    expect([reason.status, reason.message]).toEqual([
      503,
      'Сейчас обрабатывается слишком много картинок, повторите позже',
    ])
    expect(await one.look(photo)).toMatchObject({ width: 600 })
  })
})

describe('the process', () => {
  test('ends when there is nothing to do, and comes back with the next picture', async () => {
    const one = decoder({ idleMs: 50 })
    await one.look(photo)
    await until(() => processesOf().length === 0)
    expect(await one.look(photo)).toMatchObject({ width: 600 })
  })

  test('is not kept with more memory than it may keep', async () => {
    const one = decoder({ maxKept: MB })
    expect(await one.draw(photo, small)).toHaveLength(2)
    expect(processesOf()).toEqual([])
    expect(await one.draw(photo, small)).toHaveLength(2)
  })

  test('ends with the server; the picture it was at and those behind are refused', async () => {
    const one = decoder()
    const drawing = Promise.allSettled([one.draw(huge, small), one.look(photo)])
    await started()
    await one.close()
    expect(processesOf()).toEqual([])
    const answers = (await drawing) as PromiseRejectedResult[]
    expect(answers.map(({ reason }) => reason.status)).toEqual([503, 503])
  })

  test.each(['busy', 'idle'])('that is %s ends with a server that is killed', async (state) => {
    const script = `
      const { createDecoder } = await import(${JSON.stringify(new URL('./decoding.ts', import.meta.url).href)})
      const decoder = createDecoder({ log: console })
      await decoder.look(${JSON.stringify(photo)})
      ${state === 'busy' ? `decoder.draw(${JSON.stringify(photo)}, ${JSON.stringify(long)})` : ''}
      console.log('begun')
      setInterval(() => {}, 1000)`
    const server = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(server.stdout, 'data')
    const [pid] = processesOf(server.pid)
    expect(pid).toBeGreaterThan(0)
    server.kill('SIGKILL')
    await until(() => !isThere(pid as number))
  })
})

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
