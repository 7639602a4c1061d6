/** Processes of this machine, for the embedded server: which are alive, which work in a folder. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readlinkSync } from 'node:fs'
import { statOf } from '../processStat.ts'

/** True when the process works in the folder: the server and all its children do. */
export function isServerOf(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return commandOf(pid).includes('postgres')
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === data
  } catch {
    return false
  }
}

/** Live processes that work in the folder. */
export function processesIn(data: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && isServerOf(pid, data))
}

/** A zombie is not alive, whatever kill(pid, 0) returns. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const state = process.platform === 'linux' ? (statOf(pid)?.state ?? 'X') : stateByPs(pid)
  return !['Z', 'X', ''].includes(state.charAt(0))
}

const stateByPs = (pid: number): string => (process.platform === 'win32' ? 'R' : ps(pid, 'stat='))
const commandOf = (pid: number): string => (process.platform === 'win32' ? 'postgres' : ps(pid, 'command='))

function ps(pid: number, what: string): string {
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', what], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // Already ended.
  }
}

/** Identifies this process, as distinct from a later one with the same pid. */
export const selfMark = (): string => `${process.pid} ${statOf(process.pid)?.started ?? ''}`

/** True when the process that wrote this mark is still running, and not another with its pid. */
export function markLives(mark: string): boolean {
  const [pid, started] = mark.trim().split(' ')
  if (!pid || !isAlive(Number(pid))) return false
  return !started || statOf(Number(pid))?.started === started
}
