/** Starts the server and stops it in order. */
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { entities } from '@ordinator/model/entities'
import { type App, buildApp } from './app.ts'
import { ConfigError, readConfig } from './platform/config.ts'
import { checkDatabase } from './platform/databaseChecks.ts'
import { createDb } from './platform/db.ts'
import { createLog, type Logger } from './platform/log.ts'
import { MigrationError, migrate } from './platform/migrate.ts'
import { PostgresError } from './platform/postgres/error.ts'
import { type Postgres, startPostgres } from './platform/postgres/postgres.ts'
import { StartError, starting } from './platform/startErrors.ts'
import { checkStorage } from './platform/storage.ts'
import { checkColumns } from './records/drift.ts'

const PORT_WAIT_MS = 3_000
/** Each step of a stop has an end of its own; this is for what was not thought of. */
const STOP_MS = 30_000

/** What is released when the process stops, the last taken first. */
const held: (() => Promise<void>)[] = []
let stopping: Promise<never> | undefined

function stop(code: number): Promise<never> {
  stopping ??= (async () => {
    setTimeout(() => {
      console.error('Остановка затянулась: завершаем, не дождавшись остального.')
      process.exit(1)
    }, STOP_MS).unref()
    for (const release of held.reverse()) await release().catch((error) => console.error(error))
    process.exit(code)
  })()
  return stopping
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!stopping) console.log('Останавливаем…')
    void stop(0)
  })
}
// The script that started us is gone.
process.on('disconnect', () => void stop(0))

try {
  await main()
} catch (error) {
  const shown = [ConfigError, MigrationError, PostgresError, StartError].some((known) => error instanceof known)
  console.error(shown ? (error as Error).message : (listenError(error) ?? error))
  await stop(1)
}

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    void stop(1)
  })

  const base = config.databaseUrl ? undefined : await starting('DATA_DIR', () => embedded(config.dataDir, log))
  const url = config.databaseUrl ?? (base as Postgres).url
  const db = createDb({ url, log, isOurs: base !== undefined })
  held.push(() => db.end())
  const migrated = async () => {
    await checkDatabase(db)
    return migrate(db)
  }
  const applied = base
    ? await starting('DATA_DIR', migrated, {
        '28P01': `база данных не приняла пароль из файла ${join(config.dataDir, 'pg.json')}: верните его из резервной копии`,
      })
    : await starting('DATABASE_URL', migrated)
  if (applied.length > 0) console.log(`База данных обновлена: ${applied.join(', ')}`)
  await checkColumns(db, entities)

  const app = await buildApp({ config, db, log })
  // The app ends the database connection itself.
  held.pop()
  held.push(() => app.close())
  await starting('DATA_DIR', () => app.context.scratch.use(async () => {}))
  await starting('FILES', () => checkStorage(app.context.files))
  await listen(app)
  const lines = [`Ординатор работает: ${config.publicUrl}/app`, ...app.context.banner]
  // A copy of the data folder alone would hold no base.
  if (base && !base.data.startsWith(realpathSync(config.dataDir))) lines.push(`База данных лежит в ${base.data}`)
  console.log(lines.join('\n'))
}

/** The process before us may be on its way out: its port is waited for a little. */
async function listen(app: App): Promise<void> {
  const end = Date.now() + PORT_WAIT_MS
  for (;;) {
    try {
      await app.start()
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || Date.now() > end) throw error
      await sleep(100)
    }
  }
}

async function embedded(dataDir: string, log: Logger): Promise<Postgres> {
  const postgres = await startPostgres(dataDir, {
    onInit: () => console.log('Создаём базу данных…'),
    onLost(message, isBack) {
      log.error(message)
      if (!isBack) void stop(1)
    },
  })
  held.push(() => postgres.stop())
  return postgres
}

function listenError(error: unknown): string | undefined {
  const { code, port, address } = error as { code?: string; port?: number; address?: string }
  if (code === 'EADDRINUSE')
    return `PORT: порт ${port} уже занят другой программой. Задайте другой: PORT=8081 npm start`
  if (code === 'EACCES' && port) return `PORT: нет права слушать порт ${port}.`
  if (code === 'ENOTFOUND')
    return `HOST: имя ${(error as { hostname?: string }).hostname} не определяется в адрес этой машины.`
  if (code === 'EADDRNOTAVAIL') return `HOST: на этой машине нет адреса ${address}.`
  return undefined
}
