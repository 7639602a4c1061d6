import {
  Call,
  countedTries,
  INCOMING,
  MISSED,
  OUTGOING,
  RECALL_SETTLES_DAYS,
  RECALL_TRIES,
  RECALLED,
} from '@ordinator/model/areas/calls/call'
import { Task } from '@ordinator/model/areas/tasks/task'
import { phoneText } from '@ordinator/model/phone'
import { addWorkingMinutes } from '@ordinator/model/workingTime'
import sql from 'sql-template-tag'
import { branchTime } from '#areas/filials/index.ts'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import { OWN_SESSION } from './session.ts'

/** Minimum seconds of a conversation that counts as reached. */
export const REACHED_S = 5
/** Working minutes within which a missed call must be called back. */
const CALL_BACK_MIN = 15

/**
 * Recomputes for each missed call of a number whether it was called back, how soon, and whether it still waits: from
 * the journal only, so that the order of writes does not matter. The first outgoing attempt makes it «recalled»; the
 * waiting ends with a conversation in either direction, three attempts half an hour apart, or a set outcome. While it
 * waits, the employee it rang has a task, completed with it.
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
    recallTries: number
    gaveUp: boolean
    tries: number[] | null
    idTask: number | null
    idOwner: number | null
    training: boolean
  }>(sql`
    select m."recallTries", m."gaveUp", m."idTask"::int as "idTask", m."training",
      coalesce(m."idOwner", m."idFirstUser")::int as "idOwner", t.tries, m."id"::int as id, m."callType", m."recall", m."recallS", m."recallDueAt", m."dateCreate",
      m."idFilial"::int as "idFilial", t.s as tried,
      m."idOutcome" is not null or m."nextStep" is not null or exists (select from calls o where o."contactPhone" = ${phone} and o."callType" in (${INCOMING}, ${OUTGOING})
        and o."dateCreate" > m."dateCreate" and o."dateEnd" - o."dateAnswer" >= make_interval(secs => ${REACHED_S})) as reached
    from calls m cross join lateral (select round(extract(epoch from min(o."dateCreate") - m."dateCreate"))::int as s,
        array_agg((extract(epoch from o."dateCreate") * 1000)::float8 order by o."dateCreate")
          filter (where o."dateEnd" is not null) as tries
      from calls o where o."contactPhone" = ${phone} and o."callType" = ${OUTGOING} and o."dateCreate" > m."dateCreate"
        -- One that the exchange has not put through reached nobody's telephone.
        and not (o."state" = 'failed' and o."idCallSession" like ${`${OWN_SESSION}%`}
          and not exists (select from calls_legs l where l."idCall" = o."id"))) t
    where m."contactPhone" = ${phone} and (m."callType" in (${MISSED}, ${RECALLED}) or m."recall")
      and (m."recall" or m."dateCreate" > now() - make_interval(days => ${RECALL_SETTLES_DAYS})) order by m."id"`)
  let idTask: number | null = null
  for (const { id, tried, reached, tries, ...was } of missed) {
    // The exchange has reported since that it was answered: nobody was promised a call.
    if (was.callType !== MISSED && was.callType !== RECALLED) {
      const none = { recall: false, gaveUp: false, recallTries: 0, recallDueAt: null, recallS: null, idTask: null }
      await records.asSystem.update(Call, id, none)
      if (was.idTask !== null) await endTask(records, tx, was.idTask, phone)
      continue
    }
    const recallTries = reached ? was.recallTries : countedTries(tries ?? [])
    const gaveUp = !reached && recallTries >= RECALL_TRIES
    const due =
      reached || was.recallDueAt !== null
        ? undefined
        : addWorkingMinutes(Date.parse(was.dateCreate), CALL_BACK_MIN, await branchTime(tx, was.idFilial))
    const now = {
      callType: tried === null ? (was.callType as typeof MISSED) : RECALLED,
      recallS: tried ?? was.recallS,
      recall: !reached && !gaveUp,
      recallTries,
      gaveUp,
      ...(due !== undefined && { recallDueAt: new Date(due).toISOString() }),
    } as const
    // One task per number: the first waiting call has it.
    if (now.recall) idTask ??= was.idTask ?? (was.training ? null : await taskOf(records, phone, { ...was, ...now }))
    const task = now.recall ? idTask : was.idTask
    const isSame = (Object.keys(now) as (keyof typeof now)[]).every(
      (field) => field === 'recallDueAt' || now[field] === was[field],
    )
    if (!isSame || due !== undefined || task !== was.idTask)
      await records.asSystem.update(Call, id, { ...now, idTask: task })
    if (!now.recall && was.idTask !== null) await endTask(records, tx, was.idTask, phone)
  }
}

interface Waiting {
  idOwner: number | null
  dateCreate: string
  recallDueAt?: string | null
}

/** Importance of a task, of 10: a patient waits. */
const IMPORTANT = 8

async function taskOf(
  records: Records,
  phone: string,
  { idOwner, dateCreate, recallDueAt }: Waiting,
): Promise<number | null> {
  // A call that rang no employee is only on the board «Никто не забыт».
  if (idOwner === null) return null
  const { id } = await records.asSystem.create(Task, {
    name: `Перезвонить ${phoneText(phone)}`,
    importance: IMPORTANT,
    dateEnd: recallDueAt ?? dateCreate,
    idUser: idOwner,
  })
  return id
}

/** Completes the task once no call of the number waits. */
export async function endTask(records: Records, tx: Tx, idTask: number, phone: string): Promise<void> {
  const open = await tx.one(sql`select 1 from tasks_management_tasks t where t."id" = ${idTask} and not t."isCompleted"
    and not t."deleted" and not exists (select from calls c where c."contactPhone" = ${phone} and c."recall")`)
  if (open) await records.asSystem.update(Task, idTask, { isCompleted: true })
}
