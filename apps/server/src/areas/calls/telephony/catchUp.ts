/** Writes the calls that are in the exchange's own journal and missing in ours, from the time without a connection. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { callsOfCdr, readCdr } from './cdr.ts'
import { keepCall } from './keep.ts'
import type { TrackedCall } from './tracker.ts'

export const CATCH_UP = 'calls.catchUp'
const BACK_H = 48
const HOUR_MS = 3_600_000
/** Recently ended calls are still being written by the process that tracked them. */
const SETTLED_MS = 60_000

/** @param follows whether a conversation is still in progress by its channels */
export async function catchUp(app: AppContext, pbx: string, follows: (session: string) => boolean): Promise<void> {
  const { cdrUrl } = app.config
  if (!cdrUrl) return
  const line = { adapter: 'ami', operation: 'Чтение журнала АТС', key: `cdr-${randomUUID()}` } as const
  const now = Date.now()
  try {
    const calls = callsOfCdr(await readCdr(cdrUrl, BACK_H), { from: now - BACK_H * HOUR_MS, to: now - SETTLED_MS })
    const over = calls.filter(({ session }) => !follows(session))
    const left = (await unknown(app, pbx, over)).map((call) => ({ id: call.session, call }))
    const records = app.engine.for(systemActor)
    const keep = { unlessOver: true, source: 'cdr' } as const
    await oneByOne(app, CATCH_UP, left, ({ call }) => keepCall(records, pbx, call, keep))
    await app.exchanged({ ...line, status: 'done' })
  } catch (error) {
    app.log.error({ error: String(error) }, 'telephony: the journal of the exchange was not read')
    await app.exchanged({ ...line, status: 'network_error', error: 'Журнал АТС не читается' })
  }
}

/** Calls that are unfinished or missing in our journal, and not part of another conversation there. */
async function unknown(app: AppContext, pbx: string, calls: readonly TrackedCall[]): Promise<TrackedCall[]> {
  const sessions = calls.map(({ session }) => session.toLowerCase())
  const known = await app.db.query<{ session: string }>(sql`
    select lower(c."idCallSession") as session from calls c
    where lower(c."pbx") = lower(${pbx}) and c."dateEnd" is not null and lower(c."idCallSession") = any(${sessions}::text[])
    union
    select lower(l."uniqueid") from calls c join calls_legs l on l."idCall" = c."id"
    where lower(c."pbx") = lower(${pbx}) and c."dateCreate" > now() - make_interval(hours => ${BACK_H * 2})
      and lower(l."uniqueid") = any(${sessions}::text[]) and lower(l."uniqueid") <> lower(c."idCallSession")`)
  const there = new Set(known.map(({ session }) => session))
  return calls.filter(({ session }) => !there.has(session.toLowerCase()))
}
