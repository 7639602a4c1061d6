/** What a room of the server gets when it is registered. */
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import type { Db } from './db.ts'
import type { Fanout } from './fanout.ts'
import type { Jobs } from './jobs.ts'
import type { Logger } from './log.ts'
import type { Storage } from './storage.ts'

export interface AppContext {
  config: Config
  db: Db
  log: Logger
  server: FastifyInstance
  jobs: Jobs
  files: Storage
  fanout: Fanout
  /** Lines shown in the terminal after the address, e.g. the demo sign-ins. */
  banner: string[]
  /** Runs when the routes are all in place, before the first request. */
  onReady(run: () => unknown): void
  /** Runs when the server begins to stop: no new requests come, the last ones may still be running. */
  onClose(run: () => unknown): void
}
