/**
 * Backups of the clinic: daily and manual, tested in a spare folder, removed beyond the number to keep. The work is
 * done by a separate process, as in `npm run backup` and `npm run restore`.
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BACKUP_LATE_HOURS, Backup } from '@ordinator/model/areas/upkeep/backup'
import { upkeepCalls } from '@ordinator/model/areas/upkeep/calls'
import type { Row } from '@ordinator/model/entity'
import { counted, formatFileSize } from '@ordinator/model/format'
import { dayIn, momentIn, plusDays } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { administrators } from '#areas/exchange/index.ts'
import { notify } from '#areas/notifications/index.ts'
import { readCommonSettings, secretOf } from '#areas/settings/index.ts'
import type { Config } from '#platform/config.ts'
import { isDemoClinic } from '#platform/demoClinic.ts'
import { disposition } from '#platform/disposition.ts'
import { HttpError, notFound } from '#platform/errors.ts'
import { reasonOf } from '#platform/startErrors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { backgroundRun, RunStopped } from '#records/run.ts'
import { CopyFailed, copyPlace, folderOf, freeBytes, isBucket, isOnSameDisk, makeCopy, tryCopy } from './copies.ts'

type Copy = Row<typeof Backup>

/** Progress is stored in steps of this many percent. */
const STEP = 5
const TIMEOUT_S = 6 * 3_600
/** Required free space relative to the last backup. */
const ROOM = 1.25

export const backupRecords = records(Backup)

/** The reason in words why this server makes no backups; null if it does. */
export const refusalOf = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): string | null =>
  databaseUrl === undefined
    ? null
    : 'База данных внешняя (DATABASE_URL): копии делает её администратор средствами PostgreSQL. Файлы и secret копируют отдельно.'

const mustMake = (config: Config) => {
  const refusal = refusalOf(config)
  if (refusal) throw new HttpError(409, refusal, { code: 'outside' })
}

const passphraseOf = async (app: AppContext): Promise<string | undefined> =>
  app.config.backupPassphrase ?? ((await secretOf(app.db, 'backupPassphrase')) || undefined)

const write = (app: AppContext, id: number, value: Partial<Copy>): Promise<unknown> =>
  app.engine.for(systemActor).asSystem.update(Backup, id, value)

/** Adds a backup record and its job. @throws HttpError 409 while another is being made */
async function begin(app: AppContext, kind: 'daily' | 'manual', actor = systemActor): Promise<Copy> {
  mustMake(app.config)
  const isEncrypted = (await passphraseOf(app)) !== undefined
  return app.engine.for(actor).tx(async (engine, tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('backups', 0))`)
    if (await tx.one(sql`select 1 from backups where "state" = 'running'`))
      throw new HttpError(409, 'Копия уже делается: дождитесь её или остановите', { code: 'running' })
    const moment = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '')
    const name = `ordinator-${moment}Z.tar.gz`
    const copy = await engine.asSystem.create(Backup, { name, kind, isEncrypted })
    await makings.queue(app, tx, copy.id)
    return copy
  })
}

export const makeBackup = operation(upkeepCalls.makeBackup, ({ app, actor }) => begin(app, 'manual', actor))

export const cancelBackup = operation(upkeepCalls.cancelBackup, ({ app, actor, params }) =>
  app.engine.for(actor).tx(async (engine, tx) => {
    await engine.row(Backup, params.id)
    return makings.cancel(engine, tx, params.id, { state: 'cancelled', ...ended() }, 'Копия уже не делается')
  }),
)

export const tryBackup = operation(upkeepCalls.tryBackup, async ({ app, actor, params }) => {
  mustMake(app.config)
  return app.engine.for(actor).tx(async (engine, tx) => {
    await tx.query(sql`select 1 from backups where "id" = ${params.id} for update`)
    const copy = await engine.row(Backup, params.id)
    if (copy.state !== 'done') throw new HttpError(409, 'Этой копии нет: проверить нечего', { code: 'ended' })
    if (copy.trial === 'running') throw new HttpError(409, 'Копия уже проверяется', { code: 'running' })
    await trials.queue(app, tx, copy.id)
    return engine.asSystem.update(Backup, copy.id, { trial: 'running', trialMessage: null })
  })
})

export const backupFile = operation(upkeepCalls.backupFile, async ({ app, actor, records: engine, params, reply }) => {
  const copy = await engine.row(Backup, params.id)
  if (copy.state !== 'done') throw notFound('Этой копии нет')
  if (!copy.isEncrypted)
    throw new HttpError(
      409,
      'Незашифрованную копию скачать нельзя: в ней данные пациентов. Задайте пароль копий и сделайте новую',
      {
        code: 'plain',
      },
    )
  await app.journal({ ...journalActor(actor), action: 'export', entityType: Backup.path, idEntity: copy.id })
  try {
    const bytes = await copyPlace(app.config).open(copy.name as string)
    return reply
      .header('content-disposition', disposition('attachment', `${copy.name}`))
      .type('application/octet-stream')
      .send(bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notFound('Файла копии нет на месте')
    throw new HttpError(503, wordsOf(app, error, 'download of a backup'), { code: 'storage' })
  }
})

export interface BackupState {
  refusal: string | null
  place: string
  isSameDisk: boolean
  freeBytes: number | null
  passphrase: 'server' | 'setting' | null
  last: { id: number; date: string; size: number; trial: string; dateTrial: string | null } | null
  next: string | null
  isRunning: boolean
  alert: string | null
}

export async function stateOf(app: AppContext): Promise<BackupState> {
  const { config, db } = app
  const refusal = refusalOf(config)
  const { backupActive, backupHour, backupPassphrase, timeZone } = await readCommonSettings(db)
  const facts = await db.one<{
    id: number | null
    date: string | null
    size: number
    trial: string
    dateTrial: string | null
    hours: number
    age: number
    running: boolean
    today: boolean
  }>(sql`
    select l."id"::int as id, l."dateEnd" as date, coalesce(l."size", 0)::float8 as size, l."trial", l."dateTrial",
      extract(epoch from now() - l."dateEnd")::float8 / 3600 as hours,
      (select extract(epoch from now() - min("appliedAt"))::float8 / 3600 from migrations) as age,
      exists (select 1 from backups where "state" = 'running') as running
    from (select 1) one left join lateral (select * from backups where "state" = 'done' order by "dateEnd" desc limit 1) l on true`)
  const made = facts?.id ? facts : undefined
  const day = dayIn(timeZone, new Date())
  const at = (one: string) => momentIn(timeZone, one, `${String(backupHour).padStart(2, '0')}:00`)
  const next = Date.parse(at(day)) > Date.now() ? at(day) : at(plusDays(day, 1))
  const isLate = (made ? made.hours : (facts?.age ?? 0)) > BACKUP_LATE_HOURS
  const isDemo = config.demo && (await isDemoClinic(db))
  const watched = refusal === null && !isDemo && !facts?.running
  const bad = made?.trial === 'bad'
  return {
    refusal,
    place: isBucket(config) ? (config.backupTo.split('?')[0] as string) : config.backupTo,
    isSameDisk: await isOnSameDisk(config),
    freeBytes: refusal === null && !isBucket(config) ? ((await freeBytes(folderOf(config))) ?? null) : null,
    passphrase: config.backupPassphrase ? 'server' : backupPassphrase ? 'setting' : null,
    last: made
      ? {
          id: made.id as number,
          date: made.date as string,
          size: made.size,
          trial: made.trial,
          dateTrial: made.dateTrial,
        }
      : null,
    next: refusal === null && backupActive && !isDemo ? next : null,
    isRunning: facts?.running ?? false,
    alert: !watched
      ? null
      : isLate
        ? made
          ? `Последняя удачная резервная копия сделана ${counted(Math.floor(made.hours / 24), ['день', 'дня', 'дней'])} назад`
          : 'Резервных копий ещё нет'
        : bad
          ? 'Последняя резервная копия не восстановилась при проверке'
          : null,
  }
}

export const backupsState = operation(upkeepCalls.backupsState, ({ app }) => stateOf(app))

/** Registers the jobs; every fifteen minutes checks whether the daily backup is due. */
export function startBackups(app: AppContext): void {
  app.jobs.register('backups.adopt', { handler: () => registerFound(app), timeout: TIMEOUT_S })
  app.jobs.register('backups.plan', { cron: '*/15 * * * *', handler: () => plan(app) })
  // The embedded database belongs to this server, so no other makes backups of it.
  if (refusalOf(app.config) === null)
    app.onReady(async () => {
      // Sending one to a bucket may take long.
      if (isBucket(app.config)) await app.jobs.send('backups.adopt', {}, { key: 'adopt' })
      else await registerFound(app)
    })
}

/** Starts the daily backup when its hour has come. Skipped for the demo clinic. */
export async function plan(app: AppContext, now = new Date()): Promise<void> {
  const { backupActive, backupHour, timeZone } = await readCommonSettings(app.db)
  if (refusalOf(app.config) !== null || !backupActive || (app.config.demo && (await isDemoClinic(app.db)))) return
  const due = momentIn(timeZone, dayIn(timeZone, now), `${String(backupHour).padStart(2, '0')}:00`)
  if (Date.parse(due) > now.getTime()) return
  const tried = await app.db.one(
    sql`select 1 from backups where "kind" = 'daily' and "dateCreate" >= ${due}::timestamptz or "state" = 'running' limit 1`,
  )
  if (!tried) await begin(app, 'daily')
}

const ended = () => ({ dateEnd: new Date().toISOString() })

/** Backups that are made. One whose server was killed is not made again by itself: the daily job and people decide. */
export const makings = backgroundRun<typeof Backup>(Backup, {
  job: 'backups.make',
  going: ['running'],
  seconds: TIMEOUT_S,
  after: 'fail',
  failed: (message) => ({ state: 'failed', message, ...ended() }),
  broken: 'Копия не сделана',
  lost: 'Сервер остановился',
  words: (app, error) => wordsOf(app, error, 'backup'),
  tidy: (app, { name }) =>
    copyPlace(app.config)
      .remove(name as string)
      .catch(() => undefined),
  onFailed: (app, _, reason) => notifyAdmins(app, 'Резервная копия не сделана', reason),
  async work(app, run) {
    const { id, name, kind } = run.row
    const place = copyPlace(app.config)
    await mustHaveRoom(app)
    await place.check()
    const part = await place.part(name as string).catch(() => {
      throw new CopyFailed(`В папку копий не записать: ${folderOf(app.config)}`)
    })
    const passphrase = await passphraseOf(app)
    let reported = 0
    const made = await makeCopy({ ...app.config, backupPassphrase: passphrase }, part, {
      signal: run.signal,
      onShare(share) {
        const progress = Math.floor(share * 100)
        if (progress < reported + STEP) return
        reported = progress
        void run.step({ progress }).catch(() => undefined)
      },
    })
    if (run.signal.aborted) throw new RunStopped()
    await place.keep(name as string)
    await app.engine.for(systemActor).tx(async (records, tx) => {
      const isDaily = kind === 'daily'
      await run.finish(
        {
          ...{ state: 'done', progress: 100, size: made.bytes, files: made.files, ...ended() },
          isEncrypted: passphrase !== undefined,
          ...(isDaily && { trial: 'running' }),
        },
        { records, tx },
      )
      if (isDaily) await trials.queue(app, tx, id)
    })
    await prune(app)
  },
})

/** Trials of backups. One that was interrupted begins again. */
export const trials = backgroundRun<typeof Backup>(Backup, {
  job: 'backups.trial',
  state: 'trial',
  going: ['running'],
  seconds: TIMEOUT_S,
  after: 'again',
  failed: (trialMessage) => ({ trial: 'bad', trialMessage, dateTrial: new Date().toISOString() }),
  broken: 'Проверка не удалась',
  words: (app, error) => wordsOf(app, error, 'trial of a backup'),
  onFailed: (app, _, reason) => notifyAdmins(app, 'Резервная копия не восстановилась при проверке', reason),
  async work(app, run) {
    const config = { ...app.config, backupPassphrase: await passphraseOf(app) }
    const restored = await copyPlace(app.config).local(run.row.name as string, (path) =>
      tryCopy(config, path, { signal: run.signal }),
    )
    const { rows, files, missing } = restored
    const isGood = rows > 0 && missing === 0
    await run.finish({
      ...{ trial: isGood ? 'good' : 'bad', trialRows: rows, trialFiles: files, trialMissing: missing },
      ...{ dateTrial: new Date().toISOString(), trialMessage: isGood ? null : 'База есть, но файлов не хватает' },
    })
    if (!isGood)
      await notifyAdmins(app, 'Резервная копия проверена: не хватает файлов', `Не нашлось файлов: ${missing}`)
  },
})

async function mustHaveRoom(app: AppContext): Promise<void> {
  const last = await app.db.one<{ size: number }>(
    sql`select "size"::float8 as size from backups where "state" = 'done' order by "id" desc limit 1`,
  )
  const free = await freeBytes(folderOf(app.config))
  const needed = (last?.size ?? 0) * ROOM
  if (free !== undefined && free < needed)
    throw new CopyFailed(
      `На диске копий мало места: свободно ${formatFileSize(free)}, нужно около ${formatFileSize(needed)}. Освободите место или уменьшите число копий`,
    )
}

/** Removes the oldest good backups beyond the number to keep; one that cannot be removed now goes after the next backup. */
async function prune(app: AppContext): Promise<void> {
  const { backupKeep } = await readCommonSettings(app.db)
  const old = await app.db.query<{ id: number; name: string }>(
    sql`select "id"::int as id, "name" from backups where "state" = 'done' order by "id" desc offset ${backupKeep}`,
  )
  const place = copyPlace(app.config)
  try {
    for (const { id, name } of old) {
      await place.remove(name)
      await write(app, id, { state: 'gone' })
    }
  } catch (error) {
    await notifyAdmins(app, 'Старая резервная копия не удалена', wordsOf(app, error, 'removal of a backup'))
  }
}

/** File name of an archive made before an update. */
export const UPDATE_COPY = /^ordinator-[\dT]{15}Z-update\.tar\.gz$/

/** Registers archives made before an update, when the database was not available; those of a bucket are sent there. */
export async function registerFound(app: AppContext): Promise<void> {
  const folder = folderOf(app.config)
  const place = copyPlace(app.config)
  for (const name of await readdir(folder).catch(() => [])) {
    if (!UPDATE_COPY.test(name)) continue
    const { size, mtime } = await stat(join(folder, name))
    await place.take(name)
    if (await app.db.one(sql`select 1 from backups where "name" = ${name}`)) continue
    await app.engine.for(systemActor).asSystem.create(Backup, {
      ...{ name, kind: 'update', state: 'done', progress: 100, size, dateEnd: mtime.toISOString() },
      isEncrypted: app.config.backupPassphrase !== undefined,
    })
  }
}

function wordsOf(app: AppContext, error: unknown, what: string): string {
  if (error instanceof CopyFailed) return error.message.slice(0, 500)
  app.log.warn({ err: error }, what)
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'Файла копии нет на месте'
  if (code === 'EACCES' || code === 'EPERM') return 'Нет права писать в папку копий'
  if (code === 'ENOSPC') return 'На диске кончилось место'
  const reason = reasonOf(error as Error)
  return `Хранилище копий отказало${reason ? `: ${reason}` : ''}. Проверьте BACKUP_TO и ключи доступа`
}

const notifyAdmins = (app: AppContext, title: string, text: string): Promise<void> =>
  app.engine.for(systemActor).tx(async (own, tx) => {
    await notify({ actor: systemActor, tx, records: own }, await administrators(tx), {
      ...{ kind: 'backups.failed', title, text, link: '/settings/backups' },
    })
  })
