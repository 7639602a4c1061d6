/** A server of an unconfigured clinic, on temporary data. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../apps/server/src/platform/postgres/postgres.ts'
import { CACHE, postgresDir, templateName } from '../apps/server/src/testing/templates.ts'

export interface EmptyClinic {
  url: string
  /** The first password of `admin`, as printed in the terminal. */
  password: string
  close(): Promise<void>
}

const root = join(import.meta.dirname, '..')

/** Starts it on a clone of the tests' migrated database if there is one, else on a new one. */
export async function emptyClinic(): Promise<EmptyClinic> {
  mkdirSync(CACHE, { recursive: true })
  const data = mkdtempSync(join(CACHE, 'empty-'))
  const clone = await cloneEmpty()
  const port = await freePort()
  const server = spawn(process.execPath, ['apps/server/src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DEMO: '0',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: data,
      DATABASE_URL: clone?.url ?? '',
      ...{ REDIS_URL: '', FILES: '', PUBLIC_URL: '', SECRET: '', SMS_URL: '', AMI_URL: '', SMTP_URL: '' },
    },
  })
  return {
    url: `http://127.0.0.1:${port}`,
    password: await firstPassword(server),
    async close() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await ended
      await clone?.drop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** The password from the server's output, once it listens. */
function firstPassword(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    server.stdout?.on('data', (part) => {
      output += part
      const found = /логин admin, пароль (\S+)/.exec(output)
      if (found?.[1]) resolve(found[1])
    })
    server.once('exit', (code) => reject(new Error(`The server has ended with ${code}: ${output.slice(-500)}`)))
  })
}

async function cloneEmpty() {
  const dir = postgresDir()
  if (!existsSync(join(dir, 'pg'))) return undefined
  const postgres = await startPostgres(dir, { durable: false })
  const name = `test_${process.pid}_empty`
  const asAdmin = async (statement: string) => {
    const admin = new pg.Client({ connectionString: postgres.urlOf('postgres') })
    await admin.connect()
    await admin.query(statement).finally(() => admin.end())
  }
  try {
    await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${await templateName()} STRATEGY FILE_COPY`)
  } catch {
    await postgres.stop()
    return undefined
  }
  return {
    url: postgres.urlOf(name),
    async drop() {
      await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch(() => undefined)
      await postgres.stop()
    },
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
