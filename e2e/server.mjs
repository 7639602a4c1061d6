/**
 * The server of the browser tests, on temporary data: a clone of the demo clinic that the HTTP tests have created from the
 * same sources, else a new clinic in an empty folder.
 */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../apps/server/src/platform/postgres/postgres.ts'
import { startAmiSimulator } from '../apps/server/src/testing/amiSimulator.ts'
import { startElnSimulator } from '../apps/server/src/testing/elnSimulator.ts'
import { startSmsSimulator } from '../apps/server/src/testing/smsSimulator.ts'
import {
  CACHE,
  demoFiles,
  demoTemplateName,
  postgresDir,
  SECRET,
  templateName,
} from '../apps/server/src/testing/templates.ts'
import { startYookassaSimulator } from '../apps/server/src/testing/yookassaSimulator.ts'
import { AMI_PORT, SMS_PORT } from './ports.ts'

/** Interval for noticing that the test runner was killed. */
const RUNNER_CHECK_MS = 1_000

const root = join(import.meta.dirname, '..')
mkdirSync(CACHE, { recursive: true })
const data = mkdtempSync(join(CACHE, 'e2e-'))
const clone = await cloneDemo()
// The scenario of consents reads its codes there.
const { url: SMS_URL } = await startSmsSimulator(SMS_PORT)
// The scenarios of calls ring there.
const { url: AMI_URL } = await startAmiSimulator(AMI_PORT)
// The scenario of sick leaves sends there.
const { url: eln } = await startElnSimulator()
// The scenario of a bill pays there.
const { url: YOOKASSA_URL } = await startYookassaSimulator()
const server = spawn(process.execPath, ['apps/server/src/main.ts'], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  env: {
    ...process.env,
    DATA_DIR: data,
    DATABASE_URL: clone?.url ?? '',
    REDIS_URL: '',
    FILES: '',
    PUBLIC_URL: '',
    SECRET: clone ? SECRET : '',
    SMS_URL,
    AMI_URL,
    ELN_URL: `${eln}/eln`,
    YOOKASSA_URL,
  },
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
const runner = Number(process.env.E2E_RUNNER)
if (runner) setInterval(() => isThere(runner) || server.kill('SIGTERM'), RUNNER_CHECK_MS).unref()
server.once('exit', async (code) => {
  await clone?.drop()
  rmSync(data, { recursive: true, force: true })
  process.exit(code ?? 1)
})

/** A clone of the current sources' demo clinic on the test server; undefined: no test has created it yet. */
async function cloneDemo() {
  const dir = postgresDir()
  if (!existsSync(join(dir, 'pg'))) return undefined
  const postgres = await startPostgres(dir, { durable: false })
  const template = demoTemplateName(await templateName())
  const name = `test_${process.pid}_e2e`
  const asAdmin = async (statement) => {
    const admin = new pg.Client({ connectionString: postgres.urlOf('postgres') })
    await admin.connect()
    await admin.query(statement).finally(() => admin.end())
  }
  try {
    await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  } catch {
    await postgres.stop()
    return undefined
  }
  cpSync(demoFiles(template), data, { recursive: true })
  return {
    url: postgres.urlOf(name),
    async drop() {
      await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch(() => {})
      await postgres.stop()
    },
  }
}

function isThere(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
