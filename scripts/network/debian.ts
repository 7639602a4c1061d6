/** Debian's packages of the engines, and the user they run as. */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import type { Account } from './network.ts'
import { PACKAGES } from './parts.ts'

/** invoke-rc.d asks it before it starts a service; 101 forbids it. */
const POLICY = '/usr/sbin/policy-rc.d'

export const missing = (): string[] => PACKAGES.filter(({ file }) => !existsSync(file)).map(({ name }) => name)

/**
 * Installs the missing packages as root on Debian. None starts a service of its own: only what is started here runs.
 * @returns packages that are still missing
 */
export function installMissing(say: (line: string) => void): string[] {
  const wanted = missing()
  const apt = spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0
  if (wanted.length === 0 || process.getuid?.() !== 0 || !apt) return wanted
  say(`Устанавливаем пакеты: ${wanted.join(', ')}…`)
  const isOurs = !existsSync(POLICY)
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
    const get = (...args: string[]) => spawnSync('apt-get', ['-qq', ...args], { env, stdio: 'inherit' })
    get('update')
    get('install', '-y', '--no-install-recommends', ...wanted)
  } finally {
    if (isOurs) rmSync(POLICY, { force: true })
  }
  return missing()
}

/** The user of Debian's PostgreSQL, as whom the engines run; undefined without root or the user. */
export function postgresAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout || Number.NaN)
  const account = { uid: id('-u'), gid: id('-g') }
  return Number.isInteger(account.uid) && account.uid > 0 ? account : undefined
}
