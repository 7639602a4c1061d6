/** The server of the browser tests, on an empty data folder that goes away with it. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startAmiSimulator } from '../apps/server/src/testing/amiSimulator.ts'
import { startSmsSimulator } from '../apps/server/src/testing/smsSimulator.ts'
import { AMI_PORT, SMS_PORT } from './ports.ts'

/** How often the end of a killed test runner is noticed. */
const RUNNER_CHECK_MS = 1_000

const root = join(import.meta.dirname, '..')
mkdirSync(join(root, '.cache'), { recursive: true })
const data = mkdtempSync(join(root, '.cache/e2e-'))
// The scenario of consents reads its codes there.
const { url: SMS_URL } = await startSmsSimulator(SMS_PORT)
// The scenarios of calls ring there.
const { url: AMI_URL } = await startAmiSimulator(AMI_PORT)
const server = spawn(process.execPath, ['apps/server/src/main.ts'], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  env: {
    ...process.env,
    DATA_DIR: data,
    DATABASE_URL: '',
    REDIS_URL: '',
    FILES: '',
    PUBLIC_URL: '',
    SECRET: '',
    SMS_URL,
    AMI_URL,
  },
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
const runner = Number(process.env.E2E_RUNNER)
if (runner) setInterval(() => isThere(runner) || server.kill('SIGTERM'), RUNNER_CHECK_MS).unref()
server.once('exit', (code) => {
  rmSync(data, { recursive: true, force: true })
  process.exit(code ?? 1)
})

function isThere(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
