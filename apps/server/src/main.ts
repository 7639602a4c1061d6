/** Starts the server, and shuts it down in order. */
import { realpathSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StartMessage, stages } from '#areas/training/process.ts'
import { closeNetwork } from '#platform/closedNetwork.ts'
import { readConfig } from '#platform/config.ts'
import { createLog } from '#platform/log.ts'
import { startTracing } from '#platform/tracing.ts'
import { type App, buildApp } from './app.ts'
import { checkPlaces, openBase, sentenceOf, warnOfForeignSecrets } from './start.ts'

const PORT_WAIT_MS = 3_000
/** Each step of the shutdown has a timeout of its own; this one covers the unforeseen. */
const STOP_MS = 30_000

/** Cleanups for the shutdown, run in reverse order. */
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
// The parent script has ended.
process.on('disconnect', () => void stop(0))

try {
  await main()
} catch (error) {
  // What fails during a stop fails because of it.
  if (!stopping) console.error(sentenceOf(error) ?? listenError(error) ?? error)
  await stop(1)
}

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  if (config.training && config.databaseUrl) closeNetwork(config.databaseUrl)
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    void stop(1)
  })

  if (config.traces && !config.training) held.push(await startTracing({ ...config.traces, role: config.role }))
  const { base, db, watch, applied } = await openBase(config, log, {
    hold: (release) => held.push(release),
    // A training clinic is made on the side: its log is read, its progress is not.
    say: config.training ? () => {} : console.log,
    ...(config.training ? { migrating: toParent('migrations') } : {}),
    lost: () => void stop(1),
  })
  if (applied.length > 0 && !config.training) console.log(`База данных обновлена, изменений: ${applied.length}`)
  const app = await watch.during(buildApp({ config, db, log, onDemo: config.training ? toParent('demo') : undefined }))
  held.push(() => app.close())
  await watch.during(checkPlaces(app))
  await watch.during(warnOfForeignSecrets(app))
  const address = await watch.during(listen(app))
  watch.end()
  db.started()
  const lines = [`Ординатор работает: ${config.publicUrl}/app`, ...app.context.banner]
  // A copy of the data folder alone would not contain the database.
  if (base && !base.data.startsWith(realpathSync(config.dataDir))) lines.push(`База данных лежит в ${base.data}`)
  // The clinic's server, which has started this process, passes requests on to the address.
  if (config.training) process.send?.({ address })
  else console.log(lines.join('\n'))
}

/** Sends the progress of a stage of the start to the clinic's server. */
function toParent(stage: keyof typeof stages): (done: number, total: number, next?: string) => void {
  return (done, total, next) =>
    void process.send?.({ stage, done, total, ...(next && { next }) } satisfies StartMessage)
}

/** Waits a little for the port, since the previous process may be shutting down. */
async function listen(app: App): Promise<string> {
  const end = Date.now() + PORT_WAIT_MS
  for (;;) {
    try {
      return await app.start()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || Date.now() > end) throw error
      await sleep(100)
    }
  }
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
