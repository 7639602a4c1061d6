/**
 * The processes of a part. On Linux as root each part has a group of its own that exists as a number alone: it finds the
 * processes that the part has started, and nftables cuts them off by it. Elsewhere a part is its one process.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Groups from here on, one for each part; no system gives them to anybody. */
export const FIRST_GROUP = 47_100
const TABLE = ['inet', 'ordinator_network']

/** Process ids of a group. */
export function processesOf(group: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => groupOf(pid) === group)
}

function groupOf(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    // A zombie is dead already.
    return /^State:\tZ/m.test(status) ? undefined : Number(/^Gid:\t(\d+)/m.exec(status)?.[1])
  } catch {
    return undefined
  }
}

/** Sends a signal to all of them; those that have ended meanwhile are skipped. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
}

/** Drops whatever these groups send. @returns false without nftables or the right to use it */
export function cutOff(groups: readonly number[]): boolean {
  nft(`table ${TABLE.join(' ')} {\n}\ndelete table ${TABLE.join(' ')}`)
  if (groups.length === 0) return true
  return nft(`table ${TABLE.join(' ')} {
    chain out {
      type filter hook output priority 0
      meta skgid { ${groups.join(', ')} } drop
    }
  }`)
}

const NFT = '/usr/sbin/nft'
export const hasNftables = (): boolean => existsSync(NFT)

const nft = (commands: string): boolean =>
  spawnSync(NFT, ['-f', '-'], { input: commands, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0
