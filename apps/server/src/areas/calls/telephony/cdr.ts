/**
 * Reader of the exchange's own journal of calls (table `cdr` of Asterisk in PostgreSQL, docs.asterisk.org), for calls
 * made while we were not connected: AMI does not report them afterwards.
 */
import { INCOMING, INTERNAL, MISSED, OUTGOING } from '@ordinator/model/areas/calls/call'
import pg from 'pg'
import { kindOf, type TrackedCall, type TrackedLeg } from './tracker.ts'

/** One attempt to join two channels, as written by the exchange. */
export interface CdrRow {
  linkedid: string
  uniqueid: string
  src: string
  dst: string
  channel: string
  dstchannel: string
  disposition: string
  /** Seconds since the first row of its conversation. */
  after: number
  /** Seconds, with and without the ringing. */
  duration: number
  billsec: number
}

/** Maximum rows per read; a clinic has some thousands of calls in two days. */
const MOST_ROWS = 100_000
const CONNECT_MS = 10_000
const STATEMENT_MS = 60_000
/** Extra hours to read, because an exchange writes local time without a zone. */
const ZONES_H = 26

/**
 * Rows of the last hours, grouped by conversation.
 * @throws Error if the journal is unavailable, silent or another table
 */
export async function readCdr(url: string, hours: number): Promise<CdrRow[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows: named } = await client.query(
      `select column_name as name from information_schema.columns where table_name = 'cdr' and column_name in ('calldate', 'start')`,
    )
    const [when] = named.map(({ name }) => `"${name}"`)
    if (!when) throw new Error('there is no table cdr with calldate or start')
    const { rows } = await client.query<CdrRow>(
      `select coalesce(nullif(linkedid, ''), uniqueid) as linkedid, uniqueid, coalesce(src, '') as src, coalesce(dst, '') as dst,
         coalesce(channel, '') as channel, coalesce(dstchannel, '') as dstchannel, coalesce(disposition, '') as disposition,
         extract(epoch from ${when} - min(${when}) over (partition by coalesce(nullif(linkedid, ''), uniqueid)))::float8 as after,
         coalesce(duration, 0)::int as duration, coalesce(billsec, 0)::int as billsec
       from cdr where ${when} > now() - make_interval(hours => $1) and uniqueid <> ''
       order by 1, ${when}, uniqueid limit ${MOST_ROWS}`,
      [hours + ZONES_H],
    )
    return rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * `1763990000.12`, `pbx-1763990000.12`: creation time of the channel in seconds of UTC, independent of the exchange's
 * clock.
 */
const bornAt = (uniqueid: string): number | undefined => {
  const seconds = Number(/(?:^|-)(\d{9,11})\.\d+$/.exec(uniqueid)?.[1])
  return Number.isFinite(seconds) ? seconds * 1000 : undefined
}

/** Calls from the rows of the journal that ended before `to` and began after `from`; rows of no call are skipped. */
export function callsOfCdr(rows: readonly CdrRow[], { from, to }: { from: number; to: number }): TrackedCall[] {
  return [...Map.groupBy(rows, ({ linkedid }) => linkedid)].flatMap(([session, all]) => {
    const begin = bornAt(session)
    const call = begin === undefined ? undefined : callOf(session, begin, all)
    return call?.end != null && call.begin >= from && call.end < to ? [call] : []
  })
}

function callOf(session: string, begin: number, rows: readonly CdrRow[]): TrackedCall | undefined {
  const first = rows.find(({ uniqueid }) => uniqueid === session) ?? rows[0]
  if (!first || first.channel === '') return
  const caller = kindOf(first.channel)
  if (caller.kind === 'local') return
  const ends = rows.map((row) => {
    const at = begin + Math.round(row.after * 1000)
    const end = at + row.duration * 1000
    const isAnswered = row.disposition === 'ANSWERED'
    return { row, at, end, answer: isAnswered ? end - row.billsec * 1000 : null, ...kindOf(row.dstchannel || 'none') }
  })
  const isIncoming = caller.kind === 'external'
  const outside = ends.filter(({ row, kind }) => row.dstchannel !== '' && kind === 'external')
  const type = isIncoming ? INCOMING : outside.length > 0 ? OUTGOING : INTERNAL
  // A call answered only by the exchange itself (a menu, a queue) has no other end, and reached no one.
  const operators = ends.filter(({ kind }) => kind === 'operator')
  const talks = (type === OUTGOING ? outside : operators).filter(({ answer }) => answer !== null)
  const answer = talks.length > 0 ? Math.min(...talks.map((one) => one.answer as number)) : null
  const end = Math.max(...ends.map((one) => one.end))
  const last = isIncoming ? talks.at(-1)?.sip : caller.sip
  const leg = (uniqueid: string, sipPhone: string | null, of: Partial<TrackedLeg>): TrackedLeg => ({
    uniqueid,
    party: sipPhone === null ? 'external' : 'operator',
    sipPhone,
    ringAt: begin,
    answerAt: null,
    endAt: end,
    dialStatus: null,
    ...of,
  })
  return {
    session,
    type: isIncoming && answer === null ? MISSED : type,
    contactPhone: isIncoming ? first.src || null : type === OUTGOING ? first.dst || null : null,
    localPhone: last ?? null,
    destPhone: first.dst || null,
    begin,
    answer,
    end,
    waitS: isIncoming ? Math.round(((answer ?? end) - begin) / 1000) : null,
    queue: null,
    legs: [
      leg(first.uniqueid, caller.sip, { answerAt: answer }),
      ...[...operators, ...outside].map((one) =>
        leg(one.row.dstchannel, one.sip, {
          ringAt: one.at,
          answerAt: one.answer,
          endAt: one.end,
          dialStatus: one.row.disposition,
        }),
      ),
    ],
  }
}
