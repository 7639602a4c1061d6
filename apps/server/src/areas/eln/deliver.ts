/**
 * Delivery of sick leaves to the Social Fund, on the outbox. Before each change the sheet is read there: a concurrent
 * change by another party becomes a dispute for a person, and a sheet that equals ours counts as delivered, so that a
 * lost reply never leads to a second delivery.
 */

import { type SfrState, stateToSend } from '@ordinator/model/areas/eln/rules'
import { NumberRequest, SickLeave, SickPeriod } from '@ordinator/model/areas/eln/sickLeave'
import { elnAdapterWords } from '@ordinator/model/areas/eln/words'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { Message, OutboxAdapter, Outcome } from '#platform/outbox.ts'
import { switchedOff } from '#platform/outboxMessage.ts'
import { outcomeOf, RemoteFault } from '#platform/remote.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { type Facts, factsOf } from './facts.ts'
import { lpuOf } from './limits.ts'
import { keepNumbers } from './numbers.ts'
import type { ElnPayload } from './payload.ts'
import { NO_SHEET, type Refused, type Sfr, sfrOf, WRONG_HASH } from './sfr.ts'
import type { LeaveRow } from './sickLeaves.ts'
import { leftOf, partStates, signedOf } from './signing.ts'
import { isSame, type SfrLeave } from './wire.ts'

/** Result of a delivery: the fields to store. */
interface Result {
  hash?: string | null
  state?: SfrState | null
  theirs?: SfrLeave
}

/** Queues a sheet. @param leave as just written */
export const queueLeave = (
  app: AppContext,
  tx: Tx,
  { id, _version }: { id: number; _version: number },
  kind: 'put' | 'disable',
) =>
  app.outbox.add(tx, {
    adapter: 'eln',
    operation: kind,
    title: elnAdapterWords[kind],
    key: `eln-${id}-${kind}-v${_version}`,
    subject: `eln-${id}`,
    about: { path: SickLeave.path, id },
    payload: { kind, idSickLeave: id } satisfies ElnPayload,
  })

export const elnAdapter = (app: AppContext): OutboxAdapter<{ records: Records; tx: Tx }, ElnPayload> => ({
  code: 'eln',
  // A sheet is read before it is written; a request for numbers has no key to query by.
  isRepeatable: ({ payload }) => payload.kind !== 'numbers',
  send: ({ payload }) =>
    guarded(() => (payload.kind === 'numbers' ? askNumbers(app, payload.count) : carry(app, payload))),
  settled: (work, message, fate) =>
    message.payload.kind === 'numbers'
      ? settleNumbers(work, message.payload, fate)
      : settleLeave(app, work, message as Message<ElnPayload & { idSickLeave: number }>, fate),
})

async function guarded(run: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof RemoteFault) return outcomeOf(error)
    if (error instanceof Error && 'status' in error && error.status === 409) return switchedOff(error.message)
    throw error
  }
}

const refusedBy = ({ code, words, sent, received }: Refused, result?: Result): Outcome => ({
  kind: 'refused',
  reasons: [{ ...(code && { code }), message: words }],
  ...{ sent, received, result },
})

async function askNumbers(app: AppContext, count: number): Promise<Outcome> {
  const sfr = await sfrOf(app)
  const lpu = await lpuOf(app.db)
  if (!lpu?.ogrn) return { kind: 'refused', reasons: [{ message: 'У своей организации нет ОГРН' }] }
  const answer = await sfr.newNumbers(lpu.ogrn, count)
  if (!answer.isGood) return refusedBy(answer)
  return { kind: 'done', sent: answer.sent, received: answer.received, result: answer.data }
}

/** Delivers one sheet, or its cancellation, to the Social Fund. */
async function carry(
  app: AppContext,
  { kind, idSickLeave }: { kind: 'put' | 'disable'; idSickLeave: number },
): Promise<Outcome> {
  const records = app.engine.for(systemActor)
  const leave = await records.row(SickLeave, idSickLeave)
  const facts = await factsOf(app.db, records, leave)
  const { patient, lpu } = facts
  if (!lpu?.ogrn || !patient.snils || !leave.lnCode)
    return { kind: 'refused', reasons: [{ message: 'Нет ОГРН клиники, СНИЛС пациента или номера листа' }] }
  const sfr = await sfrOf(app)
  const there = await sfr.get(lpu.ogrn, leave.lnCode, patient.snils)
  if (!there.isGood && there.code !== NO_SHEET) return refusedBy(there)
  const theirs = there.isGood ? there.data : undefined
  if (kind === 'disable') return end(sfr, facts, lpu.ogrn, theirs)
  const wanted = stateToSend(leave, facts.periods.length)
  if (theirs) {
    if (theirs.hash !== leave.lnHash && isSame(facts, theirs) && leave.lnHash === null)
      return { kind: 'done', result: { hash: theirs.hash, state: theirs.state } satisfies Result }
    if (theirs.hash !== leave.lnHash)
      return isSame(facts, theirs)
        ? { kind: 'done', result: { hash: theirs.hash, state: theirs.state } satisfies Result }
        : {
            kind: 'refused',
            reasons: [{ code: WRONG_HASH, message: 'Лист изменён в СФР после вашей последней отправки' }],
            result: { theirs } satisfies Result,
          }
  } else if (leave.lnHash !== null) {
    return { kind: 'refused', reasons: [{ code: NO_SHEET, message: 'СФР больше не знает этот лист' }] }
  }
  const parts = await partStates(app.db, facts)
  if (leftOf(parts) > 0)
    return {
      kind: 'refused',
      reasons: [{ message: 'Карта пациента или сотрудник изменились после подписи: подпишите лист заново' }],
    }
  const row = parts.find(({ key }) => key === 'row')
  const answer = await sfr.put(lpu.ogrn, row?.xml ?? '', await signedOf(app, parts))
  if (answer.isGood)
    return {
      kind: 'done',
      ...{ sent: answer.sent, received: answer.received },
      result: { hash: answer.data.hash, state: answer.data.state ?? wanted } satisfies Result,
    }
  if (answer.code !== WRONG_HASH) return refusedBy(answer)
  // Another party, or our own request with a lost reply, was faster.
  const now = await sfr.get(lpu.ogrn, leave.lnCode, patient.snils)
  if (now.isGood && isSame(facts, now.data))
    return { kind: 'done', result: { hash: now.data.hash, state: now.data.state } satisfies Result }
  return refusedBy(answer, now.isGood ? { theirs: now.data } : {})
}

async function end(sfr: Sfr, { leave, patient }: Facts, ogrn: string, theirs: SfrLeave | undefined): Promise<Outcome> {
  if (theirs?.state === '090') return { kind: 'done', result: { state: '090', hash: theirs.hash } satisfies Result }
  const answer = await sfr.disable(ogrn, leave.lnCode as string, patient.snils as string, leave.cancelReason ?? '')
  return answer.isGood
    ? { kind: 'done', sent: answer.sent, received: answer.received, result: { state: '090' } satisfies Result }
    : refusedBy(answer)
}

async function settleLeave(
  app: AppContext,
  { records, tx }: { records: Records; tx: Tx },
  { payload }: Message<ElnPayload & { idSickLeave: number }>,
  { state, error, reasons, result }: Parameters<NonNullable<OutboxAdapter<unknown>['settled']>>[2],
): Promise<void> {
  const { idSickLeave: id, kind } = payload
  const system = records.asSystem
  const [leave] = await system.rows(SickLeave, { 'filter[id]': id })
  if (leave?.localStatus !== 'sent') return
  const now = new Date().toISOString()
  if (state === 'done') {
    const { hash, state: sfr } = (result ?? {}) as Result
    await system.update(SickLeave, id, {
      localStatus: 'accepted',
      dateAnswered: now,
      sfrWords: kind === 'disable' ? 'Действие листа прекращено' : null,
      ...(hash !== undefined && { lnHash: hash }),
      ...(sfr && { stateSfr: sfr }),
      sfrData: null,
    })
    if (kind === 'put' && leave.isDuplicate) await annulFormer(app, system, tx, leave)
    if (kind === 'put')
      await system.updateWhere(
        SickPeriod,
        ({ row }) => sql`${row}."idSickLeave" = ${id} and not ${row}."isAccepted"`,
        { isAccepted: true },
        { pastHooks: 'The Social Fund has them as they are' },
      )
    return
  }
  if (state === 'refused') {
    const { theirs } = (result ?? {}) as Result
    const isDispute = theirs !== undefined
    await system.update(SickLeave, id, {
      localStatus: isDispute ? 'dispute' : 'rejected',
      dateAnswered: now,
      sfrWords: reasons
        .map(({ message }) => message)
        .join('; ')
        .slice(0, 2000),
      ...(isDispute && { sfrData: { ...theirs } }),
      ...(kind === 'disable' && { cancelReason: null }),
    })
    return
  }
  if (state === 'dead')
    await system.update(SickLeave, id, {
      localStatus: 'rejected',
      sfrWords: `Не отправлен: ${error ?? 'СФР не отвечает'}`,
      ...(kind === 'disable' && { cancelReason: null }),
    })
}

/**
 * Annuls the sheet that an accepted duplicate replaces, as a step of its own: two valid sheets of the same days are an
 * error. A duplicate shows that its original cannot be annulled now.
 */
async function annulFormer(
  app: AppContext,
  system: Records,
  tx: Tx,
  { id, lnCode, formerLnCode }: Pick<LeaveRow, 'id' | 'lnCode' | 'formerLnCode'>,
): Promise<void> {
  const [former] = await system.rows(SickLeave, { 'filter[lnCode]': formerLnCode ?? '', limit: 1 })
  if (!former || former.stateSfr === '090') return
  if (former.localStatus !== 'accepted') {
    const sfrWords = `Прежний лист ${formerLnCode} ещё действует: прекратите его, когда он вернётся из СФР`
    await system.asSystem.update(SickLeave, id, { sfrWords })
    return
  }
  const sent = await system.asSystem.update(SickLeave, former.id, {
    localStatus: 'sent',
    cancelReason: `Выдан дубликат ${lnCode}`,
    dateSent: new Date().toISOString(),
    sfrWords: null,
  })
  await queueLeave(app, tx, sent, 'disable')
}

async function settleNumbers(
  { records, tx }: { records: Records; tx: Tx },
  { idRequest }: { idRequest: number },
  { state, error, reasons, result }: Parameters<NonNullable<OutboxAdapter<unknown>['settled']>>[2],
): Promise<void> {
  const system = records.asSystem
  const [request] = await system.rows(NumberRequest, { 'filter[id]': idRequest })
  if (!request || request.status === 'done' || request.status === 'refused') return
  const set = (of: Partial<typeof request>) => system.update(NumberRequest, idRequest, of)
  if (state === 'done' && Array.isArray(result)) {
    const kept = await keepNumbers(system, tx, idRequest, result as string[])
    await set({ status: 'done', received: kept, words: null })
  } else if (state === 'refused')
    await set({
      status: 'refused',
      words: reasons
        .map(({ message }) => message)
        .join('; ')
        .slice(0, 500),
    })
  else if (state === 'unknown' || state === 'done')
    await set({ status: 'unknown', words: 'Ответ потерян: номера могли быть выданы. Проверьте в кабинете СФР' })
  else if (state === 'dead')
    await set({ status: 'refused', words: `Не отправлен: ${error ?? 'СФР не отвечает'}`.slice(0, 500) })
}
