import type { Tx } from '#platform/db.ts'
import { announce, type Fanout } from '#platform/fanout.ts'

const CHANNEL = 'auth'
const CHUNK = 150

/** Cache entries that every process must drop. */
export interface Signal {
  /** Sessions that have ended. */
  sessions?: readonly string[]
  /** Users whose rights have changed. */
  users?: readonly number[]
  /** Everybody's rights may have changed. */
  all?: boolean
}

/**
 * Caches of the servers in this process. Hooks of records know their transaction but not their server; a server that gets
 * a signal of another's database only re-reads some rights.
 */
const memories = new Set<(signal: Signal) => void>()

/** @returns the function that unsubscribes */
export function openLine(
  fanout: Fanout,
  forget: (signal: Signal) => void,
  onSignal: (signal: Signal) => void,
): () => void {
  memories.add(forget)
  const unsubscribe = fanout.subscribe(CHANNEL, (payload) => {
    const signal = JSON.parse(payload) as Signal
    forget(signal)
    onSignal(signal)
  })
  const unwatch = fanout.onGap(() => {
    forget({ all: true })
    onSignal({ all: true })
  })
  return () => {
    memories.delete(forget)
    unsubscribe()
    unwatch()
  }
}

/**
 * Sent at the commit, always through PostgreSQL: this process drops its cache before the answer is sent, others within a
 * few milliseconds.
 */
export async function signal(tx: Tx, what: Signal): Promise<void> {
  await announce(
    tx,
    CHANNEL,
    [...chunks(what)].map((part) => JSON.stringify(part)),
  )
  tx.afterCommit(() => {
    for (const forget of memories) forget(what)
  })
}

function* chunks({ sessions = [], users = [], all }: Signal): Generator<Signal> {
  if (all) yield { all }
  for (let i = 0; i < sessions.length; i += CHUNK) yield { sessions: sessions.slice(i, i + CHUNK) }
  for (let i = 0; i < users.length; i += CHUNK) yield { users: users.slice(i, i + CHUNK) }
}
