/** Outcome of a call, set by its participant or by users who listen to others. */
import { holds } from '@ordinator/model/access'
import type { End } from '@ordinator/model/areas/appeals/endBody'
import { Call, INTERNAL, MISSED, RECALLED } from '@ordinator/model/areas/calls/call'
import { callCalls } from '@ordinator/model/areas/calls/calls'
import { phoneText } from '@ordinator/model/phone'
import sql from 'sql-template-tag'
import { appealOfComplaint, endOf } from '#areas/appeals/index.ts'
import type { Tx } from '#platform/db.ts'
import { forbidden, HttpError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { settleRecalls } from './telephony/recalls.ts'
import { endWrap } from './wrap.ts'

/** Sets the outcome of a call inside a transaction, with the actor's rights. */
export async function endCall(inner: Records, tx: Tx, actor: ServerActor, id: number, end: End): Promise<void> {
  await tx.query(sql`select 1 from calls where "id" = ${id} for update`)
  const call = await inner.row(Call, id)
  if (call.dateEnd === null)
    throw new HttpError(409, 'Звонок ещё идёт: итог указывают, когда он закончен', { code: 'open' })
  if (call.callType === INTERNAL) throw new HttpError(409, 'У внутреннего звонка итога нет', { code: 'internal' })
  const isMissed = call.callType === MISSED || call.callType === RECALLED
  const keeper = call.idOwner ?? call.idUser
  // A missed call can be answered by anyone.
  const isAnothers = !isMissed && keeper !== null && keeper !== actor.id && call.idUser !== actor.id
  if (isAnothers && !holds(actor, 'listenCalls'))
    throw forbidden(`Итог звонка ${phoneText(call.contactPhone)} указывает тот, кто говорил`.replace('  ', ' '))
  const kept = await endOf(tx, end, isMissed || undefined)
  const idOwner = kept.nextStep === null ? null : isAnothers ? keeper : actor.id
  await inner.asSystem.update(Call, id, { ...kept, idOwner, needsEnd: false, ...(isMissed && { recall: false }) })
  await endWrap(inner, { idUser: actor.id, idCall: id })
  await appealOfComplaint(inner.asSystem, tx, {
    ...{ source: 'call', id, idOutcome: kept.idOutcome, idBefore: call.idOutcome },
  })
  if (isMissed && call.contactPhone)
    await inner.asSystem.updateWhere(
      Call,
      ({ row }) => sql`${row}."contactPhone" = ${call.contactPhone} and ${row}."recall" and ${row}."id" <> ${id}`,
      { recall: false, idOutcome: kept.idOutcome, nextStep: kept.nextStep },
      { pastHooks: 'no number is written' },
    )
  // The call-back task is completed with the waiting call.
  if (isMissed && call.contactPhone) await settleRecalls(inner, tx, call.contactPhone)
}

export const end = operation(callCalls.end, async ({ records, actor, params, body }) =>
  records.tx((inner, tx) => endCall(inner, tx, actor, params.id, body)),
)

export const endMany = operation(callCalls.endMany, ({ records, actor, body: { ids, ...end } }) =>
  records.tx(async (inner, tx) => {
    const all = [...new Set(ids)].sort((a, b) => a - b)
    for (const id of all) await endCall(inner, tx, actor, id, end)
    return { ended: all.length }
  }),
)
