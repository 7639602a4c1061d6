/** Passed to every area when it registers with the server. */
import type { FastifyInstance } from 'fastify'
import type { Adapter } from '#platform/adapter.ts'
import type { Config } from '#platform/config.ts'
import type { Db, Tx } from '#platform/db.ts'
import type { Decoder } from '#platform/decoding.ts'
import type { Exchanged } from '#platform/exchange.ts'
import type { Fanout } from '#platform/fanout.ts'
import type { Hosts } from '#platform/hostRouting.ts'
import type { Jobs } from '#platform/jobs.ts'
import type { Life } from '#platform/life.ts'
import type { Logger } from '#platform/log.ts'
import type { Outbound } from '#platform/outbound.ts'
import type { Outbox } from '#platform/outbox.ts'
import type { Scratch } from '#platform/scratch.ts'
import type { Storage } from '#platform/storage.ts'
import type { ServerActor } from './actor.ts'
import type { Definition, Registry } from './define.ts'
import type { Exporter } from './exporter.ts'
import type { Journal } from './journal.ts'
import type { PageCount } from './pageCount.ts'
import type { Records } from './records.ts'
import type { ReportSource } from './reports/source.ts'

/** Creates the initial content of an empty clinic. @param idUser the first administrator, recorded as the author */
export type Ready = (records: Records, tx: Tx, idUser: number) => Promise<unknown>

export interface SpeaksOutside {
  /** The outside systems it uses, by the current settings. */
  adapters?(app: AppContext): readonly Adapter[] | Promise<readonly Adapter[]>
  /** Runs in the transaction that has changed settings of the clinic: what waits for them goes on. */
  settingsChanged?(app: AppContext, tx: Tx): Promise<void>
}

/** Records by the rights of an actor. */
export interface Engine {
  for(actor: ServerActor): Records
  /** The same on other connections to the same database. */
  on(db: Db): Engine
}

/** A transaction with the engine bound to it. */
export interface Work {
  records: Records
  tx: Tx
}

export interface AppContext {
  config: Config
  db: Db
  log: Logger
  server: FastifyInstance
  /** Host names of single parts of the product. */
  hosts: Hosts
  jobs: Jobs
  /** This process, in the name of which it claims what it works on. */
  life: Life
  /** Outgoing messages to other systems: stored with their cause, sent exactly once. */
  outbox: Outbox<Work>
  files: Storage
  /** Temporary files. */
  scratch: Scratch
  /** Decodes and resizes pictures in a child process. */
  pictures: Decoder
  /** HTTP client for addresses entered by users, and nothing else. */
  outbound: Outbound
  /** Creates exports in workers. */
  exporter: Exporter
  fanout: Fanout
  /** The registered areas. */
  areas: readonly ({
    title: string
    records: readonly Definition[]
    reports?: readonly ReportSource[]
    counts?: readonly PageCount[]
    ready?: Ready
  } & SpeaksOutside)[]
  /** All entities, and the engine for an actor. Set by areas.ts before any area is registered. */
  registry: Registry
  engine: Engine
  /** Wakes the consumers of history, in every process, after a commit. */
  wake(): void
  /** Adds lines to the journal of access to patients' data. */
  journal: Journal
  /** Adds a line to the exchange journal, or an attempt to an existing line. Never throws. */
  exchanged(line: Exchanged): Promise<void>
  /** Receives the progress of making the demo clinic: finished parts, their total, the title of the next one. */
  onDemo?: ((done: number, total: number, next?: string) => void) | undefined
  /** Lines printed in the terminal after the address, e.g. the demo logins. */
  banner: string[]
  /** Runs after all routes are registered, before the first request. */
  onReady(run: () => unknown): void
  /** Runs once the server listens, before the banner: for state that must not be lost by a failed start. */
  onListening(run: () => unknown): void
  /**
   * As `onListening`, in processes that do background work only (not with `ROLE=web`): for lines of devices and exchanges,
   * and for what wakes jobs.
   */
  onWorking(run: () => unknown): void
  /** Runs when the shutdown begins: no new requests arrive, the last ones may still be running. */
  onClose(run: () => unknown): void
}
