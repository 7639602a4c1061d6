import type { Tx } from '../platform/db.ts'
import type { Fanout } from '../platform/fanout.ts'

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

interface Line {
  fanout: Fanout
  forget(signal: Signal): void
}

/**
 * The servers of this process. Hooks of records know their transaction and not the server they run in; a server that
 * hears of a change in another's database only reads some rights again.
 */
const lines = new Set<Line>()

/** @returns what ends it */
export function openLine(fanout: Fanout, forget: (signal: Signal) => void, tell: (signal: Signal) => void): () => void {
  const line = { fanout, forget }
  lines.add(line)
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
    lines.delete(line)
    unsubscribe()
    unwatch()
  }
}

/** After the commit: this process forgets before the answer leaves, the others within a few milliseconds. */
export function signal(tx: Tx, what: Signal): void {
  tx.afterCommit(() => {
    for (const line of lines) {
      line.forget(what)
      for (const part of chunks(what)) line.fanout.publish(CHANNEL, JSON.stringify(part))
    }
  })
}

function* chunks({ sessions = [], users = [], all }: Signal): Generator<Signal> {
  if (all) yield { all }
  for (let i = 0; i < sessions.length; i += CHUNK) yield { sessions: sessions.slice(i, i + CHUNK) }
  for (let i = 0; i < users.length; i += CHUNK) yield { users: users.slice(i, i + CHUNK) }
}
