/**
 * Backups made, tested, kept and downloaded through the product, with a separate database and folder; and the health
 * page.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { runs } from '@ordinator/model/testing/runs'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readConfig } from '#platform/config.ts'
import { createDb } from '#platform/db.ts'
import { createLog } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { type Postgres, startPostgres } from '#platform/postgres/postgres.ts'
import { createStorage } from '#platform/storage.ts'
import { deathsIn } from '#testing/crashes.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { type S3Simulator, simulateS3 } from '#testing/s3.ts'
import { plan, registerFound, stateOf } from './backups.ts'

/** A database is created, backed up and restored. */
const LONG = 240_000
/** Steps between two kills: each is a whole copy. */
const STRIDE = runs(12, 1)

let root: string
let postgres: Postgres
let clinic: Clinic
let keeper: Caller
let colleague: Caller
let databaseUrl: string | undefined

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'copies-'))
  chmodSync(root, 0o711)
  mkdirSync(join(root, 'clinic'), { mode: 0o711 })
  const { dataDir, files } = readConfig({ DATA_DIR: join(root, 'clinic') })
  postgres = await startPostgres(dataDir)
  const db = createDb({ url: postgres.url, log: createLog('silent') })
  await migrate(db)
  await db.query(sql`insert into tags ("name", "color") values ('Срочно', '#ff0000')`).catch(() => undefined)
  await db.end()
  await createStorage(files).put('tasks/one', Readable.from(['some bytes']))
  clinic = await testApp({
    async prepare(app) {
      for (const login of ['keeper', 'colleague']) await addPerson(app, login, ['mainSettings'])
    },
  })
  ;[keeper, colleague] = [clinic.as('keeper'), clinic.as('colleague')]
  ;({ databaseUrl } = clinic.context.config)
  Object.assign(clinic.context.config, { databaseUrl: undefined, dataDir, files, backupTo: join(root, 'copies') })
}, LONG)
afterAll(async () => {
  await clinic.close()
  await postgres.stop()
  rmSync(root, { recursive: true, force: true })
})

const archives = () => (existsSync(join(root, 'copies')) ? readdirSync(join(root, 'copies')).toSorted() : [])
const copyOf = async (id: number) => good(await keeper.get(`/backups/${id}`))
const state = async () => good(await keeper.get('/backups/state'))
const notices = () =>
  clinic.db.query<{ title: string }>(
    sql`select "title" from notifications where "kind" = 'backups.failed' order by "id"`,
  )

/** @param who one person may begin ten in a minute */
async function made(who = keeper) {
  const { id } = good(await who.post('/backups/make'), 201)
  await clinic.context.jobs.drain()
  return copyOf(id)
}

describe('a backup', () => {
  test(
    'is made in the background, restored into a spare folder and verified; unencrypted, it cannot be downloaded',
    async () => {
      expect(await state()).toMatchObject({ refusal: null, last: null, passphrase: null, isRunning: false })
      const { id } = good(await keeper.post('/backups/make'), 201)
      const again = await keeper.post('/backups/make')
      expect([again.status, again.body.code]).toEqual([409, 'running'])
      expect((await state()).isRunning).toBe(true)
      await clinic.context.jobs.drain()
      const copy = await copyOf(id)
      expect(copy).toMatchObject({ state: 'done', progress: 100, files: 1, isEncrypted: false, kind: 'manual' })
      expect(copy.size).toBeGreaterThan(1_000_000)
      expect(archives()).toEqual([copy.name])

      good(await keeper.post(`/backups/${id}/trial`))
      await clinic.context.jobs.drain()
      const tried = await copyOf(id)
      expect(tried).toMatchObject({ trial: 'good', trialFiles: 1, trialMissing: 0, trialMessage: null })
      expect(tried.trialRows).toBeGreaterThan(0)
      expect(existsSync(join(root, 'clinic', 'trial'))).toBe(false)
      expect((await state()).last).toMatchObject({ id, trial: 'good' })

      const plain = await keeper.get(`/backups/${id}/file`)
      expect([plain.status, plain.body.code]).toEqual([409, 'plain'])
    },
    LONG,
  )

  test(
    'with a passphrase can be downloaded, is recorded in the journal, and opens with no other; old ones are removed',
    async () => {
      good(await keeper.put('/settings/common', { backupKeep: 1, backupPassphrase: 'пароль копий 1' }))
      const first = archives()
      const copy = await made()
      expect(copy).toMatchObject({ state: 'done', isEncrypted: true })
      expect(archives()).toEqual([copy.name])
      expect(first).not.toContain(copy.name)
      const { items } = good(await keeper.get('/backups?filter[state]=gone'))
      expect(items.map(({ name }: { name: string }) => name)).toEqual(first)

      const file = await keeper.get(`/backups/${copy.id}/file`)
      expect([file.status, file.bytes.subarray(0, 8).toString()]).toEqual([200, 'ORDENC1\n'])
      await clinic.context.journal.settle()
      const lines = await clinic.db.query(
        sql`select 1 from access_log where "entityType" = 'backups' and "action" = 'export' and "idEntity" = ${copy.id}`,
      )
      expect(lines).toHaveLength(1)

      good(await keeper.put('/settings/common', { backupPassphrase: 'другой пароль 2' }))
      good(await keeper.post(`/backups/${copy.id}/trial`))
      await clinic.context.jobs.drain()
      expect(await copyOf(copy.id)).toMatchObject({
        trial: 'bad',
        trialMessage: expect.stringContaining('BACKUP_PASSPHRASE не подходит'),
      })
      expect((await state()).alert).toBe('Последняя резервная копия не восстановилась при проверке')
      expect((await notices()).map(({ title }) => title)).toContain('Резервная копия не восстановилась при проверке')
    },
    LONG,
  )

  test('leaves nothing behind when stopped, and when failed shows the reason and is reported', async () => {
    const before = archives()
    const { id } = good(await keeper.post('/backups/make'), 201)
    good(await keeper.post(`/backups/${id}/cancel`))
    await clinic.context.jobs.drain()
    expect(await copyOf(id)).toMatchObject({ state: 'cancelled' })
    expect((await keeper.post(`/backups/${id}/cancel`)).status).toBe(409)
    expect(archives()).toEqual(before)

    const { backupTo } = clinic.context.config
    Object.assign(clinic.context.config, { backupTo: join(process.execPath, 'copies') })
    expect(await made()).toMatchObject({ state: 'failed', message: expect.stringMatching(/./) })
    Object.assign(clinic.context.config, { backupTo })
    expect((await notices()).map(({ title }) => title)).toContain('Резервная копия не сделана')
  })

  test('of a killed server is failed, not made again, and leaves no file', async () => {
    const before = archives()
    const { id } = good(await keeper.post('/backups/make'), 201)
    await clinic.db.query(sql`insert into background_runs ("job", "idEntity", "life", "claimedUntil", "tries")
      values ('backups.make', ${id}, gen_random_uuid(), now() - interval '1 second', 1)`)
    await clinic.context.jobs.run('runs.resume')
    await clinic.context.jobs.drain()
    expect(await copyOf(id)).toMatchObject({ state: 'failed', message: 'Сервер остановился' })
    expect(archives()).toEqual(before)
  })
})

describe('a server that is killed at any step', () => {
  test(
    'of a backup, or of its trial, leaves a whole archive that is done, or none that is failed; the trial ends',
    async () => {
      const { jobs } = clinic.context
      const deaths = await deathsIn(clinic, '^(backups|background_runs)$')
      const resumed = async () => {
        await jobs.run('runs.resume')
        await jobs.drain()
      }
      const ends = new Set<string>()
      let begun = 0
      const steps = await deaths.each(async (dying) => {
        // One person may begin ten in a minute.
        const who = ++begun % 2 ? keeper : colleague
        const { id } = good(await who.post('/backups/make'), 201)
        await dying(() => jobs.drain())
        await resumed()
        const copy = await copyOf(id)
        ends.add(copy.state)
        expect([copy.state, archives().includes(copy.name)]).toEqual(
          copy.state === 'done' ? ['done', true] : ['failed', false],
        )
      }, STRIDE)
      expect(steps).toBeGreaterThan(3)
      expect([...ends]).toContain('done')
      const [last] = good(await keeper.get('/backups?filter[state]=done&sort=-id&limit=1')).items
      // A trial restores a whole database: only under `long`.
      const tried = async (dying: (work: () => Promise<unknown>) => Promise<void>) => {
        good(await keeper.post(`/backups/${last.id}/trial`))
        await dying(() => jobs.drain())
        await resumed()
        expect((await copyOf(last.id)).trial).toBe('good')
        expect(existsSync(join(root, 'clinic', 'trial'))).toBe(false)
      }
      if (STRIDE === 1) await deaths.each(tried, STRIDE)
      expect(await clinic.db.query(sql`select "job" from background_runs`)).toEqual([])
    },
    LONG * 4,
  )
})

describe('the daily run', () => {
  test('makes one backup from its hour on, and none while disabled', async () => {
    const daily = async () =>
      (await clinic.db.query(sql`select 1 from backups where "kind" = 'daily' and not "deleted"`)).length
    good(await keeper.put('/settings/common', { backupHour: 3, backupActive: false }))
    const at = (hour: number) => new Date(new Date().setUTCHours(hour, 0, 0, 0))
    const noon = at(9)
    await plan(clinic.context, noon)
    expect(await daily()).toBe(0)
    good(await keeper.put('/settings/common', { backupActive: true }))
    // One in the morning in the clinic's time zone, before the hour of backups.
    await plan(clinic.context, new Date(at(22).getTime() - 86_400_000))
    expect(await daily()).toBe(0)
    await plan(clinic.context, noon)
    await plan(clinic.context, noon)
    expect(await daily()).toBe(1)
    await clinic.db.query(sql`update backups set "state" = 'cancelled' where "state" = 'running'`)
  })

  test('without a good backup is reported after a day', async () => {
    await clinic.db.query(
      sql`update backups set "trial" = 'good', "dateEnd" = now() - interval '23 hours' where "state" = 'done'`,
    )
    expect((await state()).alert).toBeNull()
    await clinic.db.query(sql`update backups set "dateEnd" = now() - interval '50 hours' where "state" = 'done'`)
    expect((await state()).alert).toBe('Последняя удачная резервная копия сделана 2\u00a0дня назад')
    const { items } = good(await keeper.get('/health-report'))
    expect(items.find(({ key }: { key: string }) => key === 'backups')).toMatchObject({
      ...{ state: 'bad', page: 'backups', words: 'Последняя удачная резервная копия сделана 2\u00a0дня назад' },
      todo: expect.stringContaining('Сделайте копию'),
    })
  })

  test('of an external database is left to its administrator', async () => {
    Object.assign(clinic.context.config, { databaseUrl })
    try {
      expect(await stateOf(clinic.context)).toMatchObject({
        alert: null,
        next: null,
        refusal: expect.stringContaining('DATABASE_URL'),
      })
      const refused = await keeper.post('/backups/make')
      expect([refused.status, refused.body.code]).toEqual([409, 'outside'])
    } finally {
      Object.assign(clinic.context.config, { databaseUrl: undefined })
    }
  })
})

describe('backups in a bucket', () => {
  let s3: S3Simulator
  const place = () => join(root, 'clinic', 'backups')
  const inBucket = () =>
    [...s3.objects.keys()].flatMap((key) => /^files\/(.+\.tar\.gz)$/.exec(key)?.[1] ?? []).toSorted()
  /** Files beside the data: parts of archives. */
  const left = () => (existsSync(place()) ? readdirSync(place()) : [])
  beforeAll(async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
    s3 = await simulateS3('copies')
    Object.assign(clinic.context.config, { backupTo: s3.files })
    await clinic.db.query(sql`delete from backups`)
    good(
      await keeper.put('/settings/common', { backupKeep: 1, backupPassphrase: 'пароль копий 1', backupActive: true }),
    )
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await s3.close()
    Object.assign(clinic.context.config, { backupTo: join(root, 'copies') })
  })

  test(
    'are made by schedule, restored on trial, downloaded, and as many are kept as are to be',
    async () => {
      const first = await made(colleague)
      expect(first).toMatchObject({ state: 'done', isEncrypted: true })
      expect(inBucket()).toEqual([first.name])
      await plan(clinic.context, new Date(new Date().setUTCHours(9, 0, 0, 0)))
      await clinic.context.jobs.drain()
      const [daily] = good(await keeper.get('/backups?filter[kind]=daily')).items
      expect(daily).toMatchObject({ state: 'done', trial: 'good', trialFiles: 1, trialMissing: 0 })
      expect(inBucket()).toEqual([daily.name])
      expect(await copyOf(first.id)).toMatchObject({ state: 'gone' })
      expect(left()).toEqual([])

      const file = await keeper.get(`/backups/${daily.id}/file`)
      expect(file.status).toBe(200)
      expect(s3.objects.get(`files/${daily.name}`)?.equals(file.bytes)).toBe(true)
      expect(await state()).toMatchObject({
        place: 's3://copies/files',
        isSameDisk: false,
        freeBytes: null,
        alert: null,
      })
    },
    LONG,
  )

  test.each([
    ['InvalidAccessKeyId', 'хранилище не знает этого ключа доступа (AWS_ACCESS_KEY_ID)'],
    ['SignatureDoesNotMatch', 'секрет ключа доступа не подходит (AWS_SECRET_ACCESS_KEY)'],
    ['NoSuchBucket', 'такого хранилища (bucket) нет'],
    ['silent', 'хранилище не отвечает'],
  ] as const)(
    'report errors before one is made: %s',
    async (refusal, words) => {
      const before = inBucket()
      s3.refusal = refusal
      const copy = await made(colleague)
      const [last] = good(await keeper.get('/backups?filter[state]=done&sort=-id')).items
      const file = await keeper.get(`/backups/${last.id}/file`)
      s3.refusal = undefined
      const message = `Хранилище копий отказало: ${words}. Проверьте BACKUP_TO и ключи доступа`
      expect(copy).toMatchObject({ state: 'failed', message })
      expect([file.status, file.body.message]).toEqual([503, message])
      expect([inBucket(), left()]).toEqual([before, []])
      expect((await notices()).at(-1)).toMatchObject({ title: 'Резервная копия не сделана' })
    },
    LONG,
  )

  test(
    'that were made stay when an older one cannot be removed',
    async () => {
      const [before] = inBucket()
      s3.keepsAll = true
      const copy = await made(colleague)
      s3.keepsAll = false
      expect(copy).toMatchObject({ state: 'done' })
      expect(inBucket()).toEqual([before, copy.name].toSorted())
      expect((await notices()).at(-1)).toMatchObject({ title: 'Старая резервная копия не удалена' })
    },
    LONG,
  )

  test('made before an update are sent there; one that has gone is reported', { timeout: LONG }, async () => {
    mkdirSync(place(), { recursive: true })
    writeFileSync(join(place(), 'ordinator-20261127T120000Z-update.tar.gz'), 'an archive')
    await registerFound(clinic.context)
    expect([left(), inBucket()]).toEqual([[], expect.arrayContaining(['ordinator-20261127T120000Z-update.tar.gz'])])
    const [copy] = good(await keeper.get('/backups?filter[kind]=update')).items
    expect(copy).toMatchObject({ state: 'done', size: 10 })
    s3.objects.clear()
    good(await keeper.post(`/backups/${copy.id}/trial`))
    await clinic.context.jobs.drain()
    expect(await copyOf(copy.id)).toMatchObject({ trial: 'bad', trialMessage: 'Файла копии нет на месте' })
  })
})

test('health shows the disk, the database, jobs and every outside system, with instructions', async () => {
  const { items } = good(await keeper.get('/health-report'))
  const keys = items.map(({ key }: { key: string }) => key)
  expect(keys).toEqual(
    expect.arrayContaining(['version', 'disk', 'base', 'backups', 'jobs', 'sms', 'mail', 'webhooks']),
  )
  for (const { title, state: how, words, todo } of items) {
    expect(words, title).toMatch(/[а-я]/i)
    if (how === 'bad' || how === 'warn') expect(todo, title).toMatch(/[а-я]/i)
  }
  expect((await clinic.anonymous.get('/health-report')).status).toBe(401)
})
