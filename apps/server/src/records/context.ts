/** What a room of the server gets when it is registered. */
import type { FastifyInstance } from 'fastify'
import type { Adapter } from '../platform/adapter.ts'
import type { Config } from '../platform/config.ts'
import type { Db, Tx } from '../platform/db.ts'
import type { Decoder } from '../platform/decoding.ts'
import type { Exchanged } from '../platform/exchange.ts'
import type { Fanout } from '../platform/fanout.ts'
import type { Hosts } from '../platform/hosts.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Logger } from '../platform/log.ts'
import type { Outbound } from '../platform/outbound.ts'
import type { Outbox } from '../platform/outbox.ts'
import type { Scratch } from '../platform/scratch.ts'
import type { Storage } from '../platform/storage.ts'
import type { ServerActor } from './actor.ts'
import type { Definition, Registry } from './define.ts'
import type { Exporter } from './exporter.ts'
import type { Journal } from './journal.ts'
import type { Records } from './records.ts'
import type { ReportSource } from './reports/source.ts'

/** Makes what an empty clinic begins with. @param idUser the first administrator, who counts as the author */
export type Ready = (records: Records, tx: Tx, idUser: number) => Promise<unknown>

export interface SpeaksOutside {
  /** What it speaks with outside, as it is set now. */
  adapters?(app: AppContext): readonly Adapter[] | Promise<readonly Adapter[]>
}

/** One transaction, and the engine in it. */
export interface Work {
  records: Records
  tx: Tx
}

export interface AppContext {
  config: Config
  db: Db
  log: Logger
  server: FastifyInstance
  /** Names by which parts of the product are reached alone. */
  hosts: Hosts
  jobs: Jobs
  /** What goes out to other systems: kept with the reason for it, sent once. */
  outbox: Outbox<Work>
  files: Storage
  /** For files on their way. */
  scratch: Scratch
  /** Reads and draws pictures, in a process of their own. */
  pictures: Decoder
  /** For addresses that somebody has named, and nothing else. */
  outbound: Outbound
  /** Makes exports, in workers of their own. */
  exporter: Exporter
  fanout: Fanout
  /** What the house is made of. */
  areas: readonly ({
    title: string
    records: readonly Definition[]
    reports?: readonly ReportSource[]
    ready?: Ready
  } & SpeaksOutside)[]
  /** The entities, and the engine for an actor. Set by areas.ts before any room is put up. */
  registry: Registry
  engine: { for(actor: ServerActor): Records }
  /** Tells the readers of history, in every process, that something was committed. */
  wake(): void
  /** Adds lines to the journal of access to patients' data. */
  journal: Journal
  /** Adds a line to the journal of exchange, or the next try to the line that is there. Never fails. */
  exchanged(line: Exchanged): Promise<void>
  /** Lines shown in the terminal after the address, e.g. the demo sign-ins. */
  banner: string[]
  /** Runs when the routes are all in place, before the first request. */
  onReady(run: () => unknown): void
  /** Runs once the server listens, before the banner is shown: what must not be lost by a start that fails. */
  onListening(run: () => unknown): void
  /** Runs when the server begins to stop: no new requests come, the last ones may still be running. */
  onClose(run: () => unknown): void
}
