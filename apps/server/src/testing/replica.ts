/** A streaming replica of an embedded server, for tests: paused, killed, promoted. */
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createDb } from '#platform/db.ts'
import { createLog } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { DATABASE } from '#platform/postgres/initialise.ts'
import { accountFor, binaries, reown } from '#platform/postgres/place.ts'
import { type Postgres, startPostgres } from '#platform/postgres/postgres.ts'
import { processesIn, signal } from '#platform/postgres/processes.ts'
import { halt, launch, SOCKET_PORT } from '#platform/postgres/server.ts'

export interface TestReplica {
  /** Of the primary, with all migrations applied. */
  primaryUrl: string
  url: string
  /** Statement on the replica. */
  ask<R>(text: string): Promise<R[]>
  /** Replays nothing until `resume`. */
  pause(): Promise<unknown>
  resume(): Promise<unknown>
  promote(): Promise<unknown>
  /** With SIGKILL. */
  kill(): Promise<void>
  /** Answers nothing, and refuses nothing, until it is killed: a machine that hangs. */
  hang(): void
  /** After `kill`. */
  revive(): Promise<void>
  close(): Promise<void>
}

/** In memory if Linux has it: both servers write to the disk for each commit. */
const folder = (): string => {
  try {
    return mkdtempSync('/dev/shm/ordinator-replica-')
  } catch {
    return mkdtempSync(join(tmpdir(), 'ordinator-replica-'))
  }
}

/** Files of a data folder that belong to its own server alone. */
const OWN = /(^|\/)(postmaster\.(pid|opts)|\.s\.PGSQL[^/]*|pg_replslot\/.+|pg_stat_tmp\/.+|pg_wal\/archive_status\/.+)$/

export async function testReplica(): Promise<TestReplica> {
  const root = folder()
  chmodSync(root, 0o711)
  const primary = await startPostgres(join(root, 'primary'))
  const db = createDb({ url: primary.url, log: createLog('silent'), max: 2 })
  await migrate(db)
  await db.end()
  const data = join(root, 'replica')
  await copyOf(primary, data)
  const account = accountFor(primary.data)
  if (account) reown(data, account)
  const url = `${primary.url.split('?')[0]}?host=${encodeURIComponent(data)}&port=${SOCKET_PORT}`
  const start = () => launch(binaries(account), data, 0, account, join(root, 'replica.log'), { began() {} })
  await start()

  const ask = async <R>(text: string): Promise<R[]> => {
    const client = new pg.Client({ connectionString: url, application_name: 'test' })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }
  return {
    primaryUrl: primary.url,
    url,
    ask,
    pause: () => ask('select pg_wal_replay_pause()'),
    resume: () => ask('select pg_wal_replay_resume()'),
    promote: () => ask('select pg_promote(true)'),
    async kill() {
      for (const pid of processesIn(data)) signal(pid, 'SIGKILL')
      while (processesIn(data).length > 0) await sleep(10)
    },
    hang() {
      for (const pid of processesIn(data)) signal(pid, 'SIGSTOP')
    },
    revive: start,
    async close() {
      await halt(data)
      await primary.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** The copy of a running server that streams from it: what pg_basebackup makes, which is not in the package. */
async function copyOf(primary: Postgres, data: string): Promise<void> {
  const client = new pg.Client({ connectionString: primary.urlOf(DATABASE) })
  await client.connect()
  try {
    await client.query(`select pg_create_physical_replication_slot('replica', true)`)
    await client.query(`select pg_backup_start('replica', true)`)
    mkdirSync(data, { mode: 0o700 })
    cpSync(primary.data, data, { recursive: true, filter: (path) => !OWN.test(path) })
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    writeFileSync(join(data, 'backup_label'), (rows[0] as { labelfile: string }).labelfile)
    writeFileSync(join(data, 'standby.signal'), '')
    const { password } = new URL(primary.url.replace('@/', '@localhost/'))
    appendFileSync(
      join(data, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=${primary.data} port=${SOCKET_PORT} user=ordinator password=${password}'
primary_slot_name = 'replica'
hot_standby_feedback = on
wal_receiver_status_interval = 1s
`,
    )
  } finally {
    await client.end()
  }
}
