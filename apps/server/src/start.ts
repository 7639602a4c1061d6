/** Steps of a start that depend on settings; each fails with a sentence that names the setting. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { entities } from '@ordinator/model/entities'
import { type BaseWatch, STARTING_UP, watchBase } from '#platform/baseWatch.ts'
import { type Config, ConfigError } from '#platform/config.ts'
import { checkDatabase } from '#platform/databaseChecks.ts'
import { createDb, type Db } from '#platform/db.ts'
import type { Logger } from '#platform/log.ts'
import { MIGRATIONS, MigrationError, migrate } from '#platform/migrate.ts'
import { PostgresError } from '#platform/postgres/error.ts'
import { type Postgres, startPostgres } from '#platform/postgres/postgres.ts'
import { countForeign, encryptStored } from '#platform/secretColumns.ts'
import { StartError, starting } from '#platform/startErrors.ts'
import { checkStorage } from '#platform/storage.ts'
import { checkColumns } from '#records/drift.ts'
import type { App } from './app.ts'
import { copyBeforeUpdate, wayBack } from './updateCopy.ts'

/** Interval of attempts while the database is starting. */
const STARTING_MS = 1_000
/** Time for statements to end at a stop. */
const DB_END_MS = 5_000
/** Interval of lines about the progress of migrations. */
const PROGRESS_MS = 2_000

export interface Starter {
  /** Registers a cleanup for the shutdown, run in reverse order. */
  hold(release: () => Promise<void>): void
  /** Prints a line for the operator. */
  say(line: string): void
  /** Receives the progress of migrations. */
  migrating?(done: number, total: number): void
  /** Called when the embedded database has died and cannot be restarted. */
  lost(): void
}

export interface OpenBase {
  /** The embedded server; undefined with `DATABASE_URL`. */
  base: Postgres | undefined
  db: Db
  /** Active during the start; the caller ends it. */
  watch: BaseWatch
  /** Names of the migrations just applied. */
  applied: string[]
}

/**
 * Opens the configured database and applies all migrations. Waits for a slow one.
 * @throws StartError, PostgresError, MigrationError
 */
export async function openBase(config: Config, log: Logger, starter: Starter): Promise<OpenBase> {
  const { hold, say } = starter
  const base = config.databaseUrl ? undefined : await starting('DATA_DIR', () => embedded(config.dataDir, log, starter))
  const url = config.databaseUrl ?? (base as Postgres).url
  const setting = base ? 'DATA_DIR' : 'DATABASE_URL'
  const db = createDb({
    url,
    replicaUrl: config.replicaUrl,
    log,
    secret: config.secret,
    isOurs: base !== undefined,
    patient: true,
    connections: config.connections,
  })
  // What still runs, as the making of the demo clinic in one transaction, must not hold a stop up: its session is ended.
  hold(() => Promise.race([db.end(), sleep(DB_END_MS, undefined, { ref: false })]))
  const watch = watchBase(url, setting, say)
  let copy: string | undefined
  try {
    const migrated = async (): Promise<string[]> => {
      try {
        await checkDatabase(db)
        if (base) copy ??= await copyBeforeUpdate(config, log, { db, say })
        return await migrate(db, MIGRATIONS, starter.migrating ?? progressOf(say))
      } catch (error) {
        if ((error as { code?: string }).code !== STARTING_UP) throw error
        await sleep(STARTING_MS)
        return migrated()
      }
    }
    const known = base && {
      '28P01': `база данных не приняла пароль из файла ${join(config.dataDir, 'pg.json')}: верните его из резервной копии`,
    }
    const applied = await watch.during(starting(setting, migrated, known))
    await watch.during(checkColumns(db, entities))
    await watch.during(encryptStored(db))
    return { base, db, watch, applied }
  } catch (error) {
    watch.end()
    if (copy && error instanceof MigrationError)
      throw new MigrationError(`${error.message}\n${wayBack(copy)}`, { cause: error })
    throw error
  }
}

/** Prints nothing for a quick update, and the progress of a slow one. */
function progressOf(say: Starter['say']): (done: number, total: number) => void {
  let last = Date.now()
  return (done, total) => {
    if (Date.now() - last < PROGRESS_MS) return
    last = Date.now()
    say(`Обновляем базу данных: ${done} из ${total}…`)
  }
}

/** Prints a line when stored secrets were encrypted with another SECRET. */
export async function warnOfForeignSecrets({ context: { db, banner, log } }: App): Promise<void> {
  const foreign = await countForeign(db)
  if (foreign === 0) return
  log.warn({ foreign }, 'stored secrets need another SECRET')
  banner.push(
    `SECRET не тот, с которым вписаны ключи внешних систем (${foreign}): верните прежний или впишите ключи заново.`,
  )
}

/** Checks the locations of files. @throws StartError */
export async function checkPlaces({ context }: App): Promise<void> {
  await starting('DATA_DIR', () => context.scratch.use(async () => {}))
  await starting('FILES', () => checkStorage(context.files))
}

/** The message of a failure the operator can fix; undefined: a fault of the program. */
export const sentenceOf = (error: unknown): string | undefined =>
  [ConfigError, MigrationError, PostgresError, StartError].some((known) => error instanceof known)
    ? (error as Error).message
    : undefined

function embedded(dataDir: string, log: Logger, { hold, say, lost }: Starter): Promise<Postgres> {
  const end = new AbortController()
  const started = startPostgres(dataDir, {
    signal: end.signal,
    onInit: () => say('Создаём базу данных…'),
    onSlow: () => say('База данных отвечает медленно, ждём…'),
    onLost(message, isBack) {
      log.error(message)
      if (!isBack) lost()
    },
  })
  // Also a start that is still under way: its server must not outlive this process.
  hold(async () => {
    end.abort()
    await (await started.catch(() => undefined))?.stop()
  })
  return started
}
