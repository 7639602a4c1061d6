/** Leases of processes that share one data folder: which of them use the server, and the lock for starting and stopping. */
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresError } from './error.ts'
import { markLives, selfMark } from './processes.ts'

/** Milliseconds that a start and a stop in sequence may take. */
const LOCK_TIMEOUT = 90_000

let leaseCount = 0
/** Registers this process as a user of the server; returns the path of its lease file. */
export function takeLease(leases: string): string {
  mkdirSync(leases, { recursive: true })
  const path = join(leases, `${process.pid}-${++leaseCount}`)
  writeFileSync(path, selfMark())
  return path
}

export function liveLeases(leases: string): number {
  let live = 0
  for (const name of readdirSync(leases)) {
    const path = join(leases, name)
    let mark = ''
    try {
      mark = readFileSync(path, 'utf8')
    } catch {
      continue
    }
    if (markLives(mark)) live++
    else rmSync(path, { force: true })
  }
  return live
}

/**
 * A file lock that is released by its owner's death. Held while starting and stopping the server.
 * @param signal ends the wait with an error
 */
export async function lock(path: string, signal?: AbortSignal): Promise<() => void> {
  // Created under another name and linked in, so that the lock never exists without its owner's mark.
  const mine = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`
  writeFileSync(mine, selfMark())
  const end = Date.now() + LOCK_TIMEOUT
  try {
    for (;;) {
      try {
        linkSync(mine, path)
        return () => rmSync(path, { force: true })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      breakIfDead(path)
      if (Date.now() > end || signal?.aborted)
        throw new PostgresError(`Папка данных занята другим процессом (${path}).`)
      await sleep(20)
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

function breakIfDead(path: string): void {
  try {
    if (markLives(readFileSync(path, 'utf8'))) return
    // Two processes may come here at once: rename first, then check again before deleting.
    const aside = `${path}.broken-${randomBytes(4).toString('hex')}`
    renameSync(path, aside)
    if (markLives(readFileSync(aside, 'utf8'))) linkSync(aside, path)
    unlinkSync(aside)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
