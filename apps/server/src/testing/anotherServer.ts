/** Another server process of a test clinic, whose jobs run by themselves, and which can be killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Clinic } from './harness.ts'
import { freePort } from './redis.ts'

const children = new Set<ChildProcess>()

/** Kills what is left of the other servers; for `afterAll`. */
export const killOthers = (): void => {
  for (const child of children) child.kill('SIGKILL')
}

/** @param env more settings of the server */
export async function anotherServer(
  { config }: Clinic,
  env: Record<string, string> = {},
): Promise<{ url: string; kill: () => Promise<unknown> }> {
  const port = await freePort()
  const { databaseUrl, dataDir, secret } = config
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      SECRET: secret,
      PORT: `${port}`,
      HOST: '127.0.0.1',
      DEMO: '0',
      READY: '0',
      LOG_LEVEL: 'silent',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  // Its output stays open: a server whose output is closed fails at its next line.
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => String(chunk).includes('работает') && resolve())
    child.once('exit', (code) => reject(new Error(`the other server has ended: ${code}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    kill: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}
