/** Fake, oversized and malicious pictures. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { NewsFile } from '@ordinator/model/areas/news/news'
import { everyCall } from '@ordinator/model/calls'
import { formatFileSize } from '@ordinator/model/format'
import { permissionNames } from '@ordinator/model/permissions'
import { MAX_FILE } from '@ordinator/model/storedFile'
import { runs } from '@ordinator/model/testing/runs'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { form, liar, liarJpeg, longGif, picture } from '#testing/files.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

const NEWS = '/news/images/files'
const TASKS = '/tasks-management/files'
/** A hundred megabytes only in the long run; else the limit of the entity is lowered while a test runs. */
const MAX = runs(3_145_728, MAX_FILE)

let clinic: Clinic
let editor: Caller
beforeAll(async () => {
  clinic = await testApp({
    async prepare(app) {
      for (const login of ['editor', 'second'])
        await addPerson(app, login, ['displayTableNews', 'editNews', 'viewTasksManagement'])
    },
  })
  editor = clinic.as('editor')
})
afterAll(() => clinic.close())

const stored = () =>
  readdirSync(clinic.config.files, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length

const png = (width: number, height: number) => picture(width, height).png().toBuffer()
const unsupported = 'Неподдерживаемый тип файла. Подойдёт: png, jpg, jpeg, webp, gif'

/** A PNG of any number of bytes: bytes after its end are ignored. */
async function grown(size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size)
  ;(await png(300, 200)).copy(bytes)
  return bytes
}

describe('a picture of a news item', () => {
  it.each<[string, (image: Sharp) => Sharp]>([
    ['a.png', (image) => image.png()],
    ['a.jpg', (image) => image.jpeg()],
    ['А.JPEG', (image) => image.jpeg()],
    ['a.webp', (image) => image.webp()],
    ['a.gif', (image) => image.gif()],
  ])('%s returns its key and its sizes, each of which is available', async (name, write) => {
    const answer = good(await editor.post(NEWS, form(await write(picture(900, 600)).toBuffer(), name)), 201)
    expect(Object.keys(answer)).toEqual(['key', 'small', 'medium', 'large'])
    expect(answer.key).toMatch(/^news\/[0-9a-f]{32}$/)
    const { id } = answer.small
    const widths = []
    for (const size of ['small', 'medium', 'large']) {
      expect(answer[size]).toEqual({ url: `/files/${id}/${size}`, id })
      widths.push((await sharp((await editor.get(answer[size].url)).bytes).metadata()).width)
    }
    expect(widths).toEqual([240, 720, 900])
  })

  it('of exactly the limit is accepted, one byte more or an empty one is not', async ({ onTestFinished }) => {
    const upload = NewsFile.upload as { maxSize: number }
    expect(upload.maxSize).toBe(104_857_600)
    upload.maxSize = MAX
    onTestFinished(() => {
      upload.maxSize = MAX_FILE
    })
    const empty = stored()
    good(await editor.post(NEWS, form(await grown(10_000), 'a.png')), 201)
    const before = stored()
    // Concurrently, and by several people, because of the rate limit.
    const [whole, more] = await Promise.all([
      editor.post(NEWS, form(await grown(MAX), 'a.png')),
      clinic.as('second').post(NEWS, form(await grown(MAX + 1), 'a.png')),
    ])
    expect(good(await editor.get(`${NEWS}/${good(whole, 201).large.id}`)).size).toBe(MAX)
    expect([more.status, more.body.message]).toEqual([413, `Файл больше ${formatFileSize(MAX)}`])
    const none = await editor.post(NEWS, form('', 'a.png'))
    expect([none.status, none.body]).toEqual([422, [{ field: 'file', message: 'Файл пуст' }]])
    // The accepted one, with its previews, and nothing of the others.
    expect(stored() - before).toBe(before - empty)
  })

  it('requires the right to write news', async () => {
    await addPerson(clinic.context, 'reader')
    expect((await clinic.as('reader').post(NEWS, form(await png(9, 9), 'a.png'))).status).toBe(403)
    expect((await clinic.anonymous.post(NEWS, form(await png(9, 9), 'a.png'))).status).toBe(401)
  })
})

it('a person has a daily limit with a message at the next file, without affecting others', async () => {
  const small = await testApp({
    env: { UPLOAD_MB_PER_DAY: '1' },
    async prepare(app) {
      for (const login of ['sender', 'other']) await addPerson(app, login, ['viewTasksManagement', 'editNews'])
    },
  })
  try {
    const [sender, other] = [small.as('sender'), small.as('other')]
    const file = () => form(Buffer.alloc(600_000, 'a'), 'a.txt')
    // Failed uploads are not counted.
    for (let i = 0; i < 3; i++) expect((await sender.post(NEWS, file())).status).toBe(422)
    const answers = await Promise.all([sender.post(TASKS, file()), sender.post(TASKS, file())])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 429])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({
      code: 'uploadQuota',
      message: expect.stringMatching(/^За день можно отправить 1/),
    })
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    good(await other.post(TASKS, file()), 201)
    await small.db.query({ text: 'update sent_bytes set day = day - 1' })
    good(await sender.post(TASKS, file()), 201)
  } finally {
    await small.close()
  }
})

it('every upload counts into the day of its sender', async () => {
  const { id } = await addPerson(clinic.context, 'spent', permissionNames)
  await clinic.db.query({
    text: `insert into sent_bytes (who, day, bytes)
      select 'user:' || $1::bigint, current_date + n, $2::bigint from generate_series(-1, 1) n`,
    values: [id, clinic.config.uploadMbPerDay * 1024 * 1024],
  })
  const spent = clinic.as('spent')
  const taking = everyCall.filter(({ bodyType, access }) => bodyType === 'multipart' && access !== 'public')
  expect(taking.length).toBeGreaterThan(10)
  for (const url of taking.map(({ path }) => path.replace(':id', `${id}`))) {
    const { status, body } = await spent.post(url, form(await png(30, 20), 'a.png'))
    expect([url, status, body.code]).toEqual([url, 429, 'uploadQuota'])
  }
})

describe.each([
  ['a news item', NEWS],
  ['a task', TASKS],
])('a picture for %s', (_of, path) => {
  it.each<[string, string, () => Promise<Uint8Array> | Uint8Array, string]>([
    ['cut short', 'a.png', async () => (await noise(600)).subarray(0, 40_000), 'повреждена: её не удалось прочитать'],
    ['a JPEG cut short', 'a.jpg', async () => (await noise(600, 'jpeg')).subarray(0, 9_000), 'повреждена'],
    ['a WebP cut short', 'a.webp', async () => (await noise(600, 'webp')).subarray(0, 9_000), 'повреждена'],
    ['a GIF cut short', 'a.gif', async () => (await noise(90, 'gif')).subarray(0, 5_000), 'повреждена'],
    ['only the first bytes of one', 'a.png', async () => (await png(9, 9)).subarray(0, 24), 'повреждена'],
    ['a head that lies', 'a.png', () => liar(50_000), '50000 × 50000 точек, а можно не больше 130 млн точек'],
    [
      '100 million interlaced points',
      'a.png',
      () => liar(10_000, { progressive: true }),
      'можно не больше 75 млн точек',
    ],
    ['100 million progressive points', 'a.jpg', () => liarJpeg(10_000), 'можно не больше 75 млн точек'],
    ['5000 frames', 'a.gif', () => longGif(5000), 'Слишком много кадров: 5000, а можно не больше 1000'],
    ['2000 pages', 'a.webp', () => pages(2000), 'Слишком много кадров: 2000, а можно не больше 1000'],
  ])('%s is refused with a message, and nothing is left', async (_what, name, make, message) => {
    const before = stored()
    const answer = await editor.post(path, form(await make(), name))
    expect([answer.status, answer.body?.[0]?.field]).toEqual([422, 'file'])
    expect(answer.body[0].message).toContain(message)
    expect(stored()).toBe(before)
  })
})

describe('addresses that a news item does not download:', () => {
  it.each<[string, string, () => Promise<Uint8Array> | Uint8Array | string]>([
    ['HTML under the name of a picture', 'a.png', () => '<html><script>alert(1)</script>'],
    ['a drawing under the name of a picture', 'a.png', () => '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a PDF under the name of a picture', 'a.jpg', () => '%PDF-1.7\n'],
    ['AVIF under the name of WebP', 'a.webp', () => picture(9, 9).avif({ effort: 0 }).toBuffer()],
    ['a program under the name of a picture', 'a.gif', () => Uint8Array.from([0x4d, 0x5a, ...Array(200).fill(0)])],
    ['text under the name of a picture', 'a.webp', () => 'просто текст'],
    ['a drawing', 'a.svg', () => '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a picture under the name of a page', 'a.html', () => png(9, 9)],
    ['a picture without an extension', 'a', () => png(9, 9)],
    ['a picture of two extensions', 'a.png.exe', () => png(9, 9)],
  ])('%s', async (_what, name, make) => {
    const before = stored()
    const answer = await editor.post(NEWS, form(await make(), name))
    expect([answer.status, answer.body]).toEqual([422, [{ field: 'file', message: unsupported }]])
    expect(stored()).toBe(before)
  })
})

/** A picture that does not compress. */
const noise = (side: number, format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png') =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .toFormat(format)
    .toBuffer()

/** An animation with different frames: equal ones would be merged. */
const pages = (count: number) =>
  sharp(randomBytes(count * 64 * 3), { raw: { width: 8, height: 8 * count, channels: 3, pageHeight: 8 } })
    .webp()
    .toBuffer()

describe('the content of a file that is forgotten', () => {
  const query = <R>(text: string, ...values: unknown[]) => clinic.db.query<R>({ text, values })
  const has = async (key: string) =>
    clinic.context.files.get(key).then(
      (stream) => {
        stream.destroy()
        return true
      },
      () => false,
    )
  const idOf = async (login: string) =>
    (await query<{ id: number }>('select "id" from users where "login" = $1', login))[0]?.id

  /** Makes a row that its job forgets now, and its content. */
  const places: Record<string, { job: string; table: string; made: (key: string) => Promise<unknown>; left: string }> =
    {
      'a file in the trash': {
        job: 'records.trash',
        table: 'news_images_files',
        async made(key) {
          const { id } = good(await editor.post(NEWS, form(await png(40, 40), 'old.png')), 201).small
          await query(
            `update news_images_files set "key" = $1, "meta" = "meta" - 'previews', "deleted" = true, "_deletedAt" = now() - interval '400 days' where "id" = $2`,
            key,
            id,
          )
        },
        left: 'select 1 from news_images_files where "key" = $1',
      },
      'an upload that no import has begun': {
        job: 'imports.sweep',
        table: 'import_uploads',
        async made(key) {
          await query(
            `insert into import_uploads ("id", "key", "fileName", "kind", "params", "idUser", "dateCreate")
            values ($1, $2, 'a.csv', 'customers', '{}', $3, now() - interval '2 days')`,
            key.slice(-8),
            key,
            await idOf('editor'),
          )
        },
        left: 'select 1 from import_uploads where "key" = $1',
      },
      'the result of a count': {
        job: 'reports.sweep',
        table: 'reports_runs',
        async made(key) {
          await query(
            `insert into reports_runs ("id", "report", "what", "format", "state", "idUser", "dateCreate")
            values ($1, 'visits', 'figures', 'json', 'done', $2, now() - interval '30 days')`,
            Number(key.split('/')[1]),
            await idOf('editor'),
          )
        },
        left: `select 1 from reports_runs where 'reports/' || "id" = $1 and not "deleted"`,
      },
    }

  it.each(Object.keys(places))('follows the commit: %s', async (name) => {
    const { job, table, made, left } = places[name] as (typeof places)[string]
    const key = name === 'the result of a count' ? 'reports/900001' : `tests/${randomBytes(8).toString('hex')}`
    await clinic.context.files.put(key, Readable.from(['content']))
    await made(key)
    const row = async () => (await query(left, key)).length === 1
    expect([await row(), await has(key)]).toEqual([true, true])
    // Rolled back at the commit: both stay.
    await query(`create function kept() returns trigger language plpgsql as $$ begin raise 'rolled back'; end $$`)
    await query(`create constraint trigger kept after delete or update on ${table} deferrable initially deferred
      for each row execute function kept()`)
    await clinic.context.jobs.run(job).catch(() => undefined)
    await clinic.context.jobs.drain()
    expect([await row(), await has(key)]).toEqual([true, true])
    await query(`drop trigger kept on ${table}`)
    await query('drop function kept')
    // A server that is killed after the commit leaves the content: the next one removes it.
    await clinic.context.jobs.run(job)
    expect([await row(), await has(key)]).toEqual([false, true])
    await clinic.context.jobs.drain()
    expect([await row(), await has(key)]).toEqual([false, false])
  })
})

it('partial uploads are in the data folder only; leftovers of a killed server are deleted at the start', async () => {
  vi.stubEnv('TMPDIR', join(clinic.config.dataDir, 'no-such-folder'))
  try {
    good(await editor.post(TASKS, form(await png(30, 30), 'a.png')), 201)
  } finally {
    vi.unstubAllEnvs()
  }
  const rooms = [join(clinic.config.dataDir, 'tmp'), join(clinic.config.files, 'parts')]
  for (const room of rooms) {
    expect(readdirSync(room), room).toEqual([])
    for (const [name, hours] of Object.entries({ old: 2, young: 0 })) {
      mkdirSync(join(room, name))
      writeFileSync(join(room, name, 'file'), 'x')
      utimesSync(join(room, name), new Date(), new Date(Date.now() - hours * 3_600_000))
    }
  }
  const next = await clinic.secondProcess()
  for (const room of rooms) expect(readdirSync(room), room).toEqual(['young'])
  await next.close()
})
