/** Once per test run: one PostgreSQL for all test files, with a migrated database to clone. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { createDb } from '#platform/db.ts'
import { migrate } from '#platform/migrate.ts'
import { type Postgres, startPostgres } from '#platform/postgres/postgres.ts'
import { CACHE, postgresDir, templateName } from './templates.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string with `{database}` instead of the name. */
    testDatabaseUrl: string
    /** The migrated template. */
    testTemplate: string
    /** An empty folder of this run. */
    testDir: string
  }
}

/** Arbitrary number: concurrent runs create the template one after another. */
const LOCK = 7_236_004_812

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = join(CACHE, 'test-files', String(process.pid))
  mkdirSync(dir, { recursive: true })
  const postgres = await testServer()
  const leave = () => {
    rmSync(dir, { recursive: true, force: true })
    postgres.leave()
  }
  // A run ended by a signal does not reach its teardown.
  process.once('exit', leave)
  const admin = new pg.Client({ connectionString: postgres.urlOf('postgres') })
  // A stopping database breaks its connections: report the earlier error.
  admin.on('error', () => {})
  await admin.connect()
  const template = await templateName()
  try {
    await admin.query('SELECT pg_advisory_lock($1)', [LOCK])
    await dropLeft(admin)
    await makeTemplate(admin, template, postgres.urlOf)
  } catch (error) {
    await postgres.stop()
    throw error
  } finally {
    await admin.end()
  }
  project.provide('testDatabaseUrl', postgres.urlOf('{database}'))
  project.provide('testTemplate', template)
  project.provide('testDir', dir)
  return async () => {
    process.off('exit', leave)
    rmSync(dir, { recursive: true, force: true })
    await postgres.stop()
  }
}

/**
 * The embedded PostgreSQL; with `TEST_POSTGRES=postgres://user@host:port`, a running one of any version that is promised,
 * whose databases of tests are left there.
 */
async function testServer(): Promise<Pick<Postgres, 'urlOf' | 'leave' | 'stop'>> {
  const other = process.env.TEST_POSTGRES
  if (!other) return startPostgres(postgresDir(), { durable: false })
  return { urlOf: (database) => `${other}/${database}`, leave: () => {}, stop: async () => {} }
}

async function makeTemplate(admin: pg.Client, name: string, urlOf: (database: string) => string): Promise<void> {
  const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
  if (rowCount) return
  // Created under another name: an interrupted one must not count as complete.
  const draft = `draft_${process.pid}`
  await admin.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`)
  await admin.query(`CREATE DATABASE ${draft}`)
  const db = createDb({ url: urlOf(draft), log: console as never, max: 2 })
  try {
    await migrate(db)
  } finally {
    await db.end()
  }
  await admin.query(`ALTER DATABASE ${draft} RENAME TO ${name}`)
}

const TEMPLATES_KEPT = 4

/** Drops clones of killed runs, and templates of outdated migrations. */
async function dropLeft(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>('SELECT datname FROM pg_database ORDER BY oid DESC')
  let templates = 0
  for (const { datname } of rows) {
    const pid = Number(datname.match(/^(?:test|draft)_(\d+)/)?.[1])
    const old = datname.startsWith('template_') && ++templates > TEMPLATES_KEPT
    if (!old && !(pid > 0 && !lives(pid))) continue
    await admin.query(`DROP DATABASE IF EXISTS "${datname}"${old ? '' : ' WITH (FORCE)'}`).catch(() => {})
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
