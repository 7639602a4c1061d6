import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { Call, CallLeg, INTERNAL, OUTGOING, TRAINING_PBX } from '@ordinator/model/areas/calls/call'
import sql from 'sql-template-tag'
import { draftOf, takeBackAppeal } from '#areas/appeals/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import { factsOfNumber, ownerOf } from '../callers.ts'
import { endWrap } from '../wrap.ts'
import { type DialPlan, numberOf, PLAIN } from './dialPlan.ts'
import { REACHED_S, settleRecalls } from './recalls.ts'
import { OWN_SESSION } from './session.ts'
import type { TrackedCall } from './tracker.ts'

interface Keeping {
  unlessOver?: boolean
  source?: 'ami' | 'cdr' | 'cloud'
  plan?: DialPlan
}

const moment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/**
 * Writes the current state of a call: one row per session of an exchange, and one per leg. Idempotent.
 * @param unlessOver keep a call with a written end: others have continued from there
 * @param source the reporter
 * @param plan number format of the exchange
 */
export async function keepCall(
  records: Records,
  pbx: string,
  call: TrackedCall,
  { unlessOver = false, source = 'ami', plan = PLAIN }: Keeping = {},
): Promise<void> {
  await records.tx(async (inner, tx) => {
    const phone = call.contactPhone === null ? null : (numberOf(call.contactPhone, plan) ?? null)
    const users = await usersOf(tx, call)
    const callType = call.session.startsWith(OWN_SESSION) ? OUTGOING : call.type
    // Known values are not cleared: a call dialled from the screen is reported without a number.
    const numbers = {
      ...(phone !== null && { contactPhone: phone }),
      ...(call.destPhone !== null && { destPhone: call.destPhone }),
    }
    const body = {
      callType,
      state:
        call.end === null
          ? call.answer === null
            ? 'ringing'
            : 'talking'
          : callType === OUTGOING && call.answer === null
            ? 'failed'
            : 'ended',
      ...numbers,
      localPhone: call.localPhone,
      dateAnswer: moment(call.answer),
      dateEnd: moment(call.end),
      waitS: call.waitS,
      queue: call.queue,
      source,
      ...(call.localPhone !== null && { idUser: users.get(call.localPhone) ?? null }),
    } as const
    const there = await tx.one<{
      id: number
      rang: boolean
      ended: boolean
      hasOutcome: boolean
      nameless: boolean
    }>(sql`select "id"::int as id, "contactPhone" is null as nameless, "idFirstUser" is not null as rang, "dateEnd" is not null as ended,
        "idOutcome" is not null or "nextStep" is not null
          or exists (select from appeals a where a."entityType" = 'call' and a."idEntity" = calls."id" and not a."deleted") as "hasOutcome"
      from calls
      where lower("pbx") = lower(${pbx}) and lower("idCallSession") = lower(${call.session}) for update`)
    if (unlessOver && there?.ended) return
    const id = there?.id ?? (await begin())
    // The call is known before a phone rings.
    if (there) {
      // A number that arrives later sets its card.
      const card = there.nameless && phone !== null ? { idCustomer: await ownerOf(tx, phone) } : {}
      await inner.asSystem.update(Call, there.id, {
        ...body,
        ...card,
        ...(!there.rang && { idFirstUser: firstUser() }),
      })
    }
    for (const { uniqueid, ringAt, answerAt, endAt, ...leg } of call.legs) {
      const times = { answerAt: moment(answerAt), endAt: moment(endAt), dialStatus: leg.dialStatus }
      const known = await tx.one<{ id: number; same: boolean }>(sql`select "id"::int as id,
          "answerAt" is not distinct from ${times.answerAt}::timestamptz and "endAt" is not distinct from ${times.endAt}::timestamptz
          and "dialStatus" is not distinct from ${times.dialStatus} as same
        from calls_legs where "idCall" = ${id} and lower("uniqueid") = lower(${uniqueid}) and not "deleted"`)
      if (!known)
        await inner.asSystem.create(CallLeg, {
          idCall: id,
          uniqueid,
          party: leg.party,
          sipPhone: leg.sipPhone,
          idUser: leg.sipPhone === null ? null : (users.get(leg.sipPhone) ?? null),
          ringAt: moment(ringAt) as string,
          ...times,
        })
      else if (!known.same) await inner.asSystem.update(CallLeg, known.id, times)
    }
    // Taking or making a call ends the wrap-up of the previous one.
    for (const { sipPhone, ringAt, answerAt } of call.legs) {
      const idUser = sipPhone === null ? undefined : users.get(sipPhone)
      const at = moment(answerAt ?? (callType === OUTGOING ? ringAt : null))
      if (idUser && at !== null) await endWrap(inner, { idUser, idBut: id, at })
    }
    // Requested once, at the end of the conversation: later changes stay.
    if (isTalk(call, callType) && !there?.ended && !there?.hasOutcome && (await readCommonSettings(tx)).demandOutcome)
      await inner.asSystem.update(Call, id, { needsEnd: true })
    if (isTalk(call, callType) && !there?.ended)
      await draftOf(inner.asSystem, tx, 'call', id, users.get(call.localPhone ?? '') ?? null)
    // The exchange has reported since that nobody talked: neither an outcome nor an appeal is owed.
    if (there?.ended && !isTalk(call, callType)) {
      await inner.asSystem.updateWhere(
        Call,
        ({ row }) => sql`${row}."id" = ${id} and ${row}."needsEnd"`,
        { needsEnd: false },
        { pastHooks: 'no number is written' },
      )
      await takeBackAppeal(inner.asSystem, tx, { source: 'call', id }, 'draft')
    }
    if (call.end !== null && phone !== null) await settleRecalls(inner, tx, phone)

    function firstUser(): number | null {
      const first = call.legs.find(({ sipPhone }) => sipPhone !== null)?.sipPhone
      return first ? (users.get(first) ?? null) : null
    }

    async function begin(): Promise<number> {
      const idCustomer = await ownerOf(tx, phone)
      const known = await factsOfNumber(tx, phone, call.destPhone)
      const made = await inner.asSystem.create(Call, {
        ...body,
        pbx,
        training: pbx === TRAINING_PBX,
        idCallSession: call.session,
        idCustomer,
        isPrimaryCustomer: phone !== null && idCustomer === null && !known.before,
        idFilial: known.idFilial,
        idFirstUser: firstUser(),
        ...({ dateCreate: moment(call.begin) } as object),
      })
      return made.id
    }
  })
}

/** Whether a conversation with an outside party has ended. */
const isTalk = ({ answer, end }: TrackedCall, callType: number): boolean =>
  callType !== INTERNAL && answer !== null && end !== null && end - answer >= REACHED_S * 1000

/** Employees of a call's short numbers; of several with one number, the latest. */
async function usersOf(tx: Tx, call: TrackedCall): Promise<Map<string, number>> {
  const sips = call.legs.flatMap(({ sipPhone }) => sipPhone ?? [])
  const rows = await tx.query<{ id: number; sip: string }>(sql`select "id"::int as id, "sipPhone" as sip from users
    where "sipPhone" = any(${sips}::text[]) and not "deleted" order by "lastActive" nulls first, "id"`)
  return new Map(rows.map(({ id, sip }) => [sip, id]))
}

/** Deletes the row of a session that became part of another call, unless it was edited. */
export async function dropMerged(records: Records, pbx: string, session: string): Promise<void> {
  await records.tx(async (inner, tx) => {
    const row = await tx.one<{ id: number }>(sql`select "id"::int as id from calls
      where lower("pbx") = lower(${pbx}) and lower("idCallSession") = lower(${session}) and "idOutcome" is null
        and not exists (select from appeals a where a."entityType" = 'call' and a."idEntity" = calls."id"
          and a."status" <> 'draft') for update`)
    if (!row) return
    const drafts = await tx.query<{ id: number }>(sql`select "id"::int as id from appeals
      where "entityType" = 'call' and "idEntity" = ${row.id} and not "deleted"`)
    for (const { id } of drafts) await inner.remove(Appeal, id)
    await inner.remove(Call, row.id)
  })
}
