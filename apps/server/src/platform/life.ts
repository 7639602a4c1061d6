/**
 * Runs of the server processes. A process claims its work by the id of its run. When it is killed,
 * the others see that its beat has stopped and release its claims within seconds; a claim's own end is only a backstop.
 *
 * A process that was merely stalled may be considered gone. Its claims are then held by another, so that work under a
 * claim must check it right before an action that cannot be undone.
 */
import { randomUUID } from 'node:crypto'
import type { Queryable } from './db.ts'
import type { Logger } from './log.ts'

export interface Life {
  /** Names this process in its claims; a new one for each start. */
  readonly id: string
  /**
   * Registers what releases the claims of a killed process. Every remaining process runs it, so it must be idempotent.
   */
  onDeath(release: (life: string) => unknown): void
  /** Starts to beat, and to watch the others. Done when the first beat is written: from then on its death is seen. */
  start(): Promise<void>
  /** Stops both. The next process, or another, releases the rest. */
  stop(): void
}

const BEAT_MS = 1_500
/** A run with the same heartbeat in so many consecutive checks has ended: about 5 s after its kill. */
const STILL_LOOKS = 3

interface LifeOptions {
  /** The database lane of heartbeats: its statements never wait long. */
  db: Queryable
  log: Pick<Logger, 'warn' | 'error'>
  /** The role of the process, and how many connections to the database it may open: other processes show it. */
  role?: string
  connections?: number
}

export function createLife({ db, log, role = 'all', connections = 0 }: LifeOptions): Life {
  const id = randomUUID()
  const releases: ((life: string) => unknown)[] = []
  const seen = new Map<string, { beat: number; looks: number }>()
  const releasing = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function look(): Promise<void> {
    // A beat lost with the database's last moments is of no use after them: its commit waits for no disk.
    const others = await db.query<{ life: string; beat: number }>({
      name: 'life-beat',
      text: `with soon as (select set_config('synchronous_commit', 'off', true)),
        own as (insert into server_lives as l ("id", "beat", "role", "connections")
          select $1::uuid, 1, $2::text, $3::int from soon
          on conflict ("id") do update set "beat" = l."beat" + 1)
        select "id" as life, "beat"::float8 as beat from server_lives where "id" <> $1::uuid`,
      values: [id, role, connections],
    })
    for (const life of seen.keys()) if (!others.some((other) => other.life === life)) seen.delete(life)
    for (const { life, beat } of others) {
      const before = seen.get(life)
      const looks = before?.beat === beat ? before.looks + 1 : 0
      seen.set(life, { beat, looks })
      // The takeover may be long: the heartbeat goes on meanwhile.
      if (looks >= STILL_LOOKS && !releasing.has(life)) void releaseDead(life, beat)
    }
  }

  async function releaseDead(life: string, beat: number): Promise<void> {
    releasing.add(life)
    const released = await Promise.allSettled(releases.map(async (release) => release(life)))
    for (const one of released)
      if (one.status === 'rejected') log.error({ err: one.reason, life }, 'claims of a dead process were not released')
    // One that was merely stalled goes on to beat.
    await db
      .query({ text: `delete from server_lives where "id" = $1 and "beat" = $2`, values: [life, beat] })
      .catch((error) => log.warn({ err: error, life }, 'a dead process was not forgotten'))
    releasing.delete(life)
  }

  async function beat(): Promise<void> {
    await look().catch((error) => log.warn({ err: error }, 'the beat of this process was not written'))
    if (!stopped) timer = setTimeout(beat, BEAT_MS).unref()
  }

  return {
    id,
    onDeath: (release) => void releases.push(release),
    start: beat,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
