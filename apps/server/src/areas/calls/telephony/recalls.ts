import { Call, INCOMING, MISSED, OUTGOING, RECALL_SETTLES_DAYS, RECALLED } from '@ordinator/model/areas/calls/call'
import { addWorkingMinutes } from '@ordinator/model/workingTime'
import sql from 'sql-template-tag'
import type { Tx } from '../../../platform/db.ts'
import type { Records } from '../../../records/records.ts'
import { branchTime } from '../../filials/index.ts'
import { OWN_SESSION } from './session.ts'

/** A conversation of fewer seconds has reached nobody. */
export const REACHED_S = 5
/** Working minutes within which a missed call is answered by one. */
const CALL_BACK_MIN = 15

/**
 * Says anew of each missed call of a number whether it was tried to be answered, how soon, and whether it still waits: of
 * what stands in the journal alone, so that it is the same in whatever order the calls were written. The first outgoing
 * try makes it «recalled»; only a conversation, either way, or what somebody has said of its end, ends the waiting.
 * @param phone E.164
 */
export async function settleRecalls(records: Records, tx: Tx, phone: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`recall ${phone}`}, 0))`)
  const missed = await tx.query<{
    id: number
    callType: number
    recall: boolean
    recallS: number | null
    recallDueAt: string | null
    dateCreate: string
    idFilial: number | null
    tried: number | null
    reached: boolean
  }>(sql`
    select m."id"::int as id, m."callType", m."recall", m."recallS", m."recallDueAt", m."dateCreate",
      m."idFilial"::int as "idFilial", t.s as tried,
      m."idOutcome" is not null or m."nextStep" is not null or exists (select from calls o where o."contactPhone" = ${phone} and o."callType" in (${INCOMING}, ${OUTGOING})
        and o."dateCreate" > m."dateCreate" and o."dateEnd" - o."dateAnswer" >= make_interval(secs => ${REACHED_S})) as reached
    from calls m cross join lateral (select round(extract(epoch from min(o."dateCreate") - m."dateCreate"))::int as s
      from calls o where o."contactPhone" = ${phone} and o."callType" = ${OUTGOING} and o."dateCreate" > m."dateCreate"
        -- One that the exchange has not put through reached nobody's telephone.
        and not (o."state" = 'failed' and o."idCallSession" like ${`${OWN_SESSION}%`}
          and not exists (select from calls_legs l where l."idCall" = o."id"))) t
    where m."contactPhone" = ${phone} and m."callType" in (${MISSED}, ${RECALLED})
      and (m."recall" or m."dateCreate" > now() - make_interval(days => ${RECALL_SETTLES_DAYS})) order by m."id"`)
  for (const { id, tried, reached, ...was } of missed) {
    const due =
      reached || was.recallDueAt !== null
        ? undefined
        : addWorkingMinutes(Date.parse(was.dateCreate), CALL_BACK_MIN, await branchTime(tx, was.idFilial))
    const now = {
      callType: tried === null ? (was.callType as typeof MISSED) : RECALLED,
      recallS: tried ?? was.recallS,
      recall: !reached,
      ...(due !== undefined && { recallDueAt: new Date(due).toISOString() }),
    } as const
    if (now.callType !== was.callType || now.recallS !== was.recallS || now.recall !== was.recall || due !== undefined)
      await records.asSystem.update(Call, id, now)
  }
}
