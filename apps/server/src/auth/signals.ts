import type { Tx } from '../platform/db.ts'
import { announce, type Fanout } from '../platform/fanout.ts'

const CHANNEL = 'auth'
const CHUNK = 150

/** What every process has to forget. */
export interface Signal {
  /** Sessions that have ended. */
  sessions?: readonly string[]
  /** Users whose rights have changed. */
  users?: readonly number[]
  /** Everybody's rights may have changed. */
  all?: boolean
}

/**
 * What the servers of this process know. Hooks of records know their transaction and not the server they run in; a
 * server that hears of a change in another's database only reads some rights again.
 */
const memories = new Set<(signal: Signal) => void>()

/** @returns what ends it */
export function openLine(fanout: Fanout, forget: (signal: Signal) => void, tell: (signal: Signal) => void): () => void {
  memories.add(forget)
  const unsubscribe = fanout.subscribe(CHANNEL, (payload) => {
    const signal = JSON.parse(payload) as Signal
    forget(signal)
    tell(signal)
  })
  const unwatch = fanout.onGap(() => {
    forget({ all: true })
    tell({ all: true })
  })
  return () => {
    memories.delete(forget)
    unsubscribe()
    unwatch()
  }
}

/**
 * With the commit, through PostgreSQL whatever else carries signals: this process forgets before the answer leaves, the
 * others within a few milliseconds.
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
