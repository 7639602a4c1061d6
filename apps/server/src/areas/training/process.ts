/**
 * The training clinic as the clinic's server runs it: the same program in a process of its own, over the schema `training`
 * of the same database. It is started at an entrance, stopped when it has been idle for a while, and made anew
 * each day, after an update of the program, and on request.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TrainingState } from '@ordinator/model/areas/training/calls'
import { dayIn } from '@ordinator/model/zone'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Config } from '#platform/config.ts'
import type { Db } from '#platform/db.ts'
import type { Logger } from '#platform/log.ts'
import { migrationsHash } from '#platform/migrate.ts'
import { besides, inSchema, TRAINING } from '#platform/schema.ts'
import { trainingSecret } from './ticket.ts'

const MAIN = new URL('../../main.ts', import.meta.url)
/** Path of the training clinic below the clinic's address. */
export const ROOT = '/training'
const IDLE_MS = 30 * 60_000
/** How long an entrance waits before it answers that the clinic is being made. */
const QUICK_MS = 2_500
/** On a machine that is busy with everything else. */
const MAKING_MS = 30 * 60_000
const STOP_MS = 15_000
/** Tables dropped by one statement: each needs locks, of which the database has a limited number. */
const DROPPED_AT_ONCE = 40

const STARTING = 'Запускаем программу'

/** Stages of a start, with their part of its time in percent. */
export const stages = { migrations: 20, demo: 79 } as const

/** Messages of the process: the progress of its start, then its address. */
export type StartMessage =
  | { stage: keyof typeof stages; done: number; total: number; next?: string }
  | { address: string }

/** Percent of a start that has reached the stage. */
export const percentOf = (stage: keyof typeof stages, done: number, total: number): number =>
  Math.round((stage === 'demo' ? stages.migrations : 0) + (stages[stage] * done) / total)

/** The current step of a start, in words. */
export const doingOf = (message: Extract<StartMessage, { stage: string }>): string =>
  message.stage === 'migrations'
    ? `Готовим базу данных: ${message.done} из ${message.total}`
    : message.next
      ? `Заполняем: ${message.next.toLocaleLowerCase('ru')}`
      : 'Открываем'

export interface Training {
  /** `progress`: percent of the making, `doing`: its current step; null without a start. */
  state(): { state: TrainingState; reason: string | null; progress: number | null; doing: string | null }
  /** Address of the running process. */
  address(): string | undefined
  /** Starts it, made anew if it is of another day or program; waits for a quick one only. */
  open(): Promise<void>
  /** Drops it and starts it anew; answers once the old one is gone. */
  reset(): Promise<void>
  /** Puts off the stop of an idle process. */
  touch(): void
  close(): Promise<void>
}

interface Deps {
  config: Config
  db: Db
  log: Logger
  /** Runs before the schema is dropped: to keep data read from it. */
  beforeDrop(): Promise<void>
}

export function createTraining({ config, db, log, beforeDrop }: Deps): Training {
  const folder = join(config.dataDir, 'training')
  let child: ChildProcess | undefined
  let address: string | undefined
  let reason: string | null = null
  let progress = 0
  let doing = STARTING
  let opening: Promise<void> | undefined
  let used = Date.now()
  let closed = false
  const idle = setInterval(() => {
    if (address && Date.now() - used > IDLE_MS) void stop()
  }, 60_000).unref()

  async function stop(): Promise<void> {
    const old = child
    child = undefined
    address = undefined
    if (!old || old.exitCode !== null || old.signalCode !== null) return
    const gone = new Promise<void>((resolve) => old.once('exit', () => resolve()))
    old.kill('SIGTERM')
    const late = setTimeout(() => old.kill('SIGKILL'), STOP_MS)
    await gone
    clearTimeout(late)
  }

  async function make(anew: boolean): Promise<void> {
    const { timeZone } = await readCommonSettings(db)
    const mark = `${await migrationsHash()} ${dayIn(timeZone, Date.now())}`
    if (anew || (await markOf(db)) !== mark) {
      doing = 'Убираем прежнюю учебную клинику'
      await stop()
      await beforeDrop()
      await dropTraining(db)
      await rm(folder, { recursive: true, force: true })
      await db.query({ text: `create schema ${TRAINING}` })
    }
    if (address) return
    doing = STARTING
    address = await run()
    await db.query({ text: `comment on schema ${TRAINING} is '${mark}'` })
  }

  /** Starts the process. @returns its address. @throws Error when it ends before it listens */
  function run(): Promise<string> {
    if (closed) throw new Error('closed')
    const started = fork(MAIN, [], { env: envOf(config, db, folder), stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    child = started
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => started.kill('SIGKILL'), MAKING_MS)
      started.on('message', (message: StartMessage) => {
        if ('stage' in message) {
          progress = percentOf(message.stage, message.done, message.total)
          doing = doingOf(message)
          return
        }
        clearTimeout(late)
        resolve(message.address)
      })
      started.once('error', reject)
      started.once('exit', (code) => {
        clearTimeout(late)
        if (child === started) {
          child = undefined
          address = undefined
        }
        reject(new Error(`the training clinic has ended with code ${code}`))
      })
    })
  }

  function begin(anew: boolean): Promise<void> {
    if (opening) return opening
    used = Date.now()
    reason = null
    progress = 0
    doing = STARTING
    opening = make(anew)
      .catch((error) => {
        log.error({ err: error }, 'training clinic')
        reason = 'Учебная клиника не собралась: причина — в журнале сервера. Попробуйте ещё раз.'
      })
      .finally(() => {
        opening = undefined
      })
    return opening
  }

  return {
    state: () => ({
      state: opening ? 'making' : reason ? 'failed' : address ? 'ready' : 'none',
      reason,
      progress: opening ? progress : null,
      doing: opening ? doing : null,
    }),
    address: () => address,
    open: () => Promise.race([begin(false), sleep(QUICK_MS, undefined, { ref: false })]),
    async reset() {
      await opening
      void begin(true)
    },
    touch() {
      used = Date.now()
    },
    async close() {
      closed = true
      clearInterval(idle)
      await stop()
    },
  }
}

/** Fingerprint of the schema's source, set once the schema is complete. */
async function markOf(db: Db): Promise<string | undefined> {
  const row = await db.one<{ mark: string | null }>({
    text: `select obj_description(oid, 'pg_namespace') as mark from pg_namespace where nspname = $1`,
    values: [TRAINING],
  })
  return row?.mark ?? undefined
}

/** Drops the schemas of the training clinic, and nothing else. */
export async function dropTraining(db: Db): Promise<void> {
  for (const schema of [TRAINING, besides(TRAINING, 'jobs')]) {
    for (;;) {
      const tables = await db.query<{ name: string }>({
        text: `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = $1 limit ${DROPPED_AT_ONCE}`,
        values: [schema],
      })
      if (tables.length === 0) break
      await unhurried(db, `drop table if exists ${tables.map(({ name }) => name).join(', ')} cascade`)
    }
    await unhurried(db, `drop schema if exists ${schema} cascade`)
  }
}

/** A statement that may wait for others. */
const unhurried = (db: Db, text: string) =>
  db.tx(async (tx) => {
    await tx.query({ text: 'set local statement_timeout = 0' })
    await tx.query({ text })
  })

/** Settings of the process: no address of anything outside is among them. */
function envOf(config: Config, db: Db, folder: string): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE, LANG } = process.env
  return {
    PATH,
    LANG,
    NODE_COMPILE_CACHE,
    TRAINING: '1',
    DEMO: config.trainingDemo ? '1' : '0',
    DEMO_YEARS: '0',
    DATABASE_URL: inSchema(db.url, TRAINING),
    DATA_DIR: folder,
    PUBLIC_URL: `${config.publicUrl}${ROOT}`,
    SECRET: trainingSecret(config.secret),
    HOST: '127.0.0.1',
    PORT: '0',
    TRUST_PROXY: 'loopback',
    LOG_LEVEL: config.logLevel,
    API_DOCS: '0',
    // The registers of the demo clinic are played in the process itself.
    ...Object.fromEntries(OUTSIDE.map((name) => [name, NOWHERE])),
  }
}

/** Settings with a default outside; the network of the process is closed besides (closedNetwork.ts). */
const OUTSIDE = [
  'SMSC_URL',
  'SMSRU_URL',
  'SMSAERO_URL',
  'YOOKASSA_URL',
  'ATOL_ONLINE_URL',
  'MANGO_URL',
  'ZADARMA_URL',
  'METRIKA_URL',
  'TELEGRAM_URL',
  'VK_URL',
  'MAX_URL',
  'WHATSAPP_URL',
  'EGISZ_URL',
]
/** The discard port (RFC 863), without a listener. */
const NOWHERE = 'http://127.0.0.1:9'
