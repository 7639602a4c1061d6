/** Several processes, one data folder: who uses the server, and who may start or stop it now. */
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresError } from './error.ts'
import { markLives, selfMark } from './processes.ts'

/** Milliseconds that a start and a stop may take one after the other. */
const LOCK_TIMEOUT = 90_000

let leaseCount = 0
/** Says that this process uses the server; the file it answers is the lease. */
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

/** A file lock that a dead owner does not hold. Starting and stopping the server happen under it. */
export async function lock(path: string): Promise<() => void> {
  // Made aside and linked in, so that the lock never exists without its owner's mark in it.
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
      if (Date.now() > end) throw new PostgresError(`Папка данных занята другим процессом (${path}).`)
      await sleep(20)
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

function breakIfDead(path: string): void {
  try {
    if (markLives(readFileSync(path, 'utf8'))) return
    // Two may come here at once: the rename picks what to look at again before it is thrown away.
    const aside = `${path}.broken-${randomBytes(4).toString('hex')}`
    renameSync(path, aside)
    if (markLives(readFileSync(aside, 'utf8'))) linkSync(aside, path)
    unlinkSync(aside)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
