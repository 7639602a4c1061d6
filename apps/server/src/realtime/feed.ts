/**
 * Reads the history as a stream of events. Ids and commits are ordered differently, so the position in the stream is a
 * snapshot, not an id: new rows are those whose transaction the last snapshot did not see, i.e. at or above its xmax or
 * running in it. Nothing is read twice or missed, and a long transaction costs nothing.
 */
import type { Queryable } from '#platform/db.ts'

export interface HistoryRow {
  /** history.id */
  seq: number
  path: string
  /** Id of the record. */
  id: number
  action: 'create' | 'update' | 'delete' | 'restore'
  idUser: number | null
  version: number | null
  idParent: number | null
  /** Names of the changed fields. */
  fields: string[]
  /** Id of the transaction, decimal. */
  xid: string
}

export interface Snapshot {
  text: string
  /** All transactions below were finished: the cursor given to clients. */
  xmin: string
  xmax: string
  /** Transactions in between that were still running. */
  running: string[]
}

export interface Feed {
  /** The current position. */
  here(): Promise<Snapshot>
  /** Rows committed between the snapshot and now; `more`: above the limit, the rest is left out. */
  after(place: Snapshot): Promise<{ rows: HistoryRow[]; place: Snapshot; more: boolean }>
  /**
   * Rows committed at or after the cursor and before `place`, oldest first.
   * `from`: the lowest cursor for which the answer is complete; undefined: none.
   */
  replay(since: bigint, paths: string[], place: Snapshot): Promise<{ rows: HistoryRow[]; from: bigint | undefined }>
}

/** Maximum rows of one read and of one replay. */
export const MAX_ROWS = 5_000
const REPLAY_HOURS = 24

const COLUMNS = `h.id AS seq, h.path, h."idEntity" AS id, h.action, h."idUser", h.version, h."idParent", h.xid::text AS xid,
  ARRAY(SELECT jsonb_object_keys(CASE jsonb_typeof(h.changes) WHEN 'object' THEN h.changes ELSE '{}' END)) AS fields`

const HERE = 'SELECT pg_current_snapshot()::text AS snapshot'

// The upper bound and the date exclude rows from a dump of another cluster, whose transaction counter was higher.
const AFTER = `
WITH now AS MATERIALIZED (SELECT pg_current_snapshot() AS snapshot)
SELECT now.snapshot::text AS snapshot, e.*
FROM now LEFT JOIN LATERAL (
  SELECT ${COLUMNS}
  FROM (
    SELECT * FROM history WHERE xid >= $1::xid8 AND xid < pg_snapshot_xmax(now.snapshot)
    UNION ALL
    SELECT * FROM history WHERE xid = ANY ($2::xid8[])
  ) h
  WHERE h."dateCreate" > now() - interval '1 day'
  ORDER BY h.id
  LIMIT ${MAX_ROWS + 1}
) e ON true`

const REACH = `
SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xmax,
  (SELECT xid::text FROM history ORDER BY xid LIMIT 1) AS oldest,
  (SELECT id FROM history ORDER BY id LIMIT 1) AS first`

const REPLAY = `
SELECT ${COLUMNS}, h."dateCreate" <= now() - interval '${REPLAY_HOURS} hours' AS old
FROM history h
WHERE h.xid >= $1::xid8 AND h.path = ANY ($2::text[]) AND pg_visible_in_snapshot(h.xid, $3::pg_snapshot)
ORDER BY h.xid DESC, h.id DESC
LIMIT ${MAX_ROWS + 1}`

/** The current cursor: reading after it and then subscribing from it misses nothing. */
export const cursorNow = async (db: Queryable): Promise<string> => (await placeOf(db)).xmin

async function placeOf(db: Queryable): Promise<Snapshot> {
  const row = await db.one<{ snapshot: string }>({ name: 'feed-here', text: HERE })
  return parseSnapshot((row as { snapshot: string }).snapshot)
}

export function createFeed(db: Queryable): Feed {
  return {
    here: () => placeOf(db),

    async after(place) {
      const values = [place.xmax, `{${place.running.join(',')}}`]
      const read = await db.query<HistoryRow & { snapshot: string }>({ name: 'feed-after', text: AFTER, values })
      const snapshot = parseSnapshot((read[0] as { snapshot: string }).snapshot)
      const rows = read[0]?.seq == null ? [] : read
      return { rows: rows.slice(0, MAX_ROWS), place: snapshot, more: rows.length > MAX_ROWS }
    },

    async replay(since, paths, place) {
      const reach = (await db.one<Reach>({ name: 'feed-reach', text: REACH })) as Reach
      const reachable = reaches(since, reach)
      if (!reachable) return { rows: [], from: undefined }
      const values = [String(since), paths, place.text]
      const read = await db.query<HistoryRow & { old: boolean }>({ name: 'feed-replay', text: REPLAY, values })
      const young = read.findIndex((row) => row.old)
      const end = young >= 0 ? young : read.length > MAX_ROWS ? MAX_ROWS : undefined
      // The transaction of the first row left out may have rows on both sides of the cut.
      const cut = end === undefined ? undefined : BigInt((read[end] as HistoryRow).xid)
      const rows = read
        .slice(0, end)
        .reverse()
        .sort((a, b) => a.seq - b.seq)
      return { rows, from: cut === undefined ? since : cut + 1n }
    },
  }
}

interface Reach {
  xmax: string
  oldest: string | null
  first: number | null
}

/** True when everything since the cursor is available: it is of this database, and no later rows were purged. */
function reaches(since: bigint, { xmax, oldest, first }: Reach): boolean {
  if (since > BigInt(xmax)) return false
  return first === null || first === 1 || oldest === null || BigInt(oldest) < since
}

export function parseSnapshot(text: string): Snapshot {
  const [xmin = '0', xmax = '0', running = ''] = text.split(':')
  return { text, xmin, xmax, running: running === '' ? [] : running.split(',') }
}
