/** Operations on a sheet as a whole. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { elnCalls } from '@ordinator/model/areas/eln/calls'
import { CONTINUES } from '@ordinator/model/areas/eln/faults'
import { nextStart } from '@ordinator/model/areas/eln/rules'
import { CaredPerson, SickLeave, SickPeriod } from '@ordinator/model/areas/eln/sickLeave'
import { dayIn } from '@ordinator/model/zone'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { RemoteFault } from '#platform/remote.ts'
import type { AppContext } from '#records/context.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { queueLeave } from './deliver.ts'
import { daysAll, factsOf, faults } from './facts.ts'
import { exchangeState, lpuOf } from './limits.ts'
import { releaseNumber, takeNumber } from './numbers.ts'
import { NO_SHEET, sfrOf } from './sfr.ts'
import { assertStep, type LeaveRow, lockedLeave } from './sickLeaves.ts'
import { leftOf, partStates } from './signing.ts'
import { isSame, type SfrLeave } from './wire.ts'

const draft = { localStatus: 'draft', signsLeft: 0 } as const
const wrong = (field: string, message: string) => new ValidationError([{ field, message }])

export const extend = operation(elnCalls.extend, ({ records, params, body }) =>
  records.tx(async (own, tx) => {
    const { _version, dateTo, ...named } = body
    const leave = await lockedLeave(own, tx, params.id, _version)
    assertStep('extend', leave)
    const { periods } = await factsOf(tx, own, leave)
    const dateFrom = nextStart(periods) ?? leave.dateIssue ?? dayIn(own.actor.timeZone, Date.now())
    if (dateTo < dateFrom) throw wrong('dateTo', 'Продление кончается раньше, чем начинается')
    const last = periods.at(-1)
    await own.create(SickPeriod, {
      idSickLeave: leave.id,
      dateFrom,
      dateTo,
      idDoctor: named.idDoctor ?? last?.idDoctor ?? leave.idDoctor,
      idChairman: named.idChairman ?? null,
      protocolNumber: named.protocolNumber ?? null,
      protocolDate: named.protocolDate ?? null,
    })
    return own.row(SickLeave, leave.id)
  }),
)

export const close = operation(elnCalls.close, ({ records, params, body }) =>
  records.tx(async (own, tx) => {
    const { _version, workFrom = null, resultCode = null, resultDate = null } = body
    const leave = await lockedLeave(own, tx, params.id, _version)
    assertStep('close', leave)
    if (!workFrom && !resultCode) throw wrong('workFrom', 'Укажите, с какого дня приступить к работе, или иной исход')
    const facts = await factsOf(tx, own, leave)
    const closed = { ...leave, workFrom, resultCode, resultDate, isClosed: true }
    const found = faults({ ...facts, leave: closed }).filter(
      ({ field, level }) => level === 'error' && ['workFrom', 'resultDate', 'mseSent', 'periods'].includes(field),
    )
    if (found.length) throw new ValidationError(found.map(({ field, message }) => ({ field, message })))
    await own.asSystem.update(SickLeave, leave.id, { workFrom, resultCode, resultDate, ...draft })
    return own.row(SickLeave, leave.id)
  }),
)

export const reopen = operation(elnCalls.reopen, ({ records, params, body }) =>
  records.tx(async (own, tx) => {
    const leave = await lockedLeave(own, tx, params.id, body._version)
    assertStep('change', leave)
    if (!leave.isClosed) throw new HttpError(409, 'Лист и так открыт', { code: 'transition' })
    await own.asSystem.update(SickLeave, leave.id, { workFrom: null, resultCode: null, resultDate: null, ...draft })
    return own.row(SickLeave, leave.id)
  }),
)

export const ready = operation(elnCalls.ready, ({ records, params, body }) =>
  records.tx(async (own, tx) => {
    const leave = await lockedLeave(own, tx, params.id, body._version)
    assertStep('change', leave)
    if (!body.ready) {
      if (leave.localStatus !== 'toSign') throw new HttpError(409, 'Лист не на подписи', { code: 'transition' })
      const isOurs = leave.lnCode !== null && leave.stateSfr === null
      if (isOurs) await releaseNumber(own.asSystem, tx, leave.lnCode as string)
      await own.asSystem.update(SickLeave, leave.id, { ...draft, ...(isOurs && { lnCode: null }) })
      return own.row(SickLeave, leave.id)
    }
    const found = faults(await factsOf(tx, own, leave)).filter(({ level }) => level === 'error')
    if (found.length)
      throw new ValidationError(
        found.map(({ field, message, period }) => ({
          field: period === undefined ? field : `periods[${period}].${field}`,
          message,
        })),
      )
    const lnCode = leave.lnCode ?? (await takeNumber(own.asSystem, tx, leave.id))
    const numbered = await own.asSystem.update(SickLeave, leave.id, { lnCode, localStatus: 'toSign' })
    const signsLeft = leftOf(await partStates(tx, await factsOf(tx, own, numbered)))
    await own.asSystem.update(SickLeave, leave.id, { signsLeft })
    if (leave.idPrevious && leave.lnCode === null)
      await own.asSystem.update(SickLeave, leave.idPrevious, { nextLnCode: lnCode })
    return own.row(SickLeave, leave.id)
  }),
)

export const send = operation(elnCalls.send, async ({ app, records, params, body }) => {
  const { isSet, words } = await exchangeState(app)
  if (!isSet) throw new HttpError(409, words, { code: 'off' })
  return records.tx(async (own, tx) => {
    const leave = await lockedLeave(own, tx, params.id, body._version)
    assertStep('send', leave)
    const left = leftOf(await partStates(tx, await factsOf(tx, own, leave)))
    if (left > 0) throw new HttpError(409, `Ещё не все подписали: осталось ${left}`, { code: 'signatures' })
    const sent = await own.asSystem.update(SickLeave, leave.id, {
      localStatus: 'sent',
      dateSent: new Date().toISOString(),
      sfrWords: null,
    })
    await queueLeave(app, tx, sent, 'put')
    return own.row(SickLeave, leave.id)
  })
})

export const cancel = operation(elnCalls.cancel, async ({ app, records, params, body }) => {
  const { isSet, words } = await exchangeState(app)
  if (!isSet) throw new HttpError(409, words, { code: 'off' })
  return records.tx(async (own, tx) => {
    const leave = await lockedLeave(own, tx, params.id, body._version)
    assertStep('cancel', leave)
    const sent = await own.asSystem.update(SickLeave, leave.id, {
      localStatus: 'sent',
      cancelReason: body.reason,
      dateSent: new Date().toISOString(),
      sfrWords: null,
    })
    await queueLeave(app, tx, sent, 'disable')
    return own.row(SickLeave, leave.id)
  })
})

/** Fields copied to a sheet that continues or replaces this one. */
const carried = (leave: LeaveRow) => ({
  idCustomer: leave.idCustomer,
  idDoctor: leave.idDoctor,
  idFilial: leave.idFilial,
  employer: leave.employer,
  workType: leave.workType,
  reason: leave.reasonNext || leave.reason,
  reasonAdd: leave.reasonAdd,
  diagnosis: leave.diagnosis,
  isPregnancy12w: leave.isPregnancy12w,
  mseSent: leave.mseSent,
  mseRegistered: leave.mseRegistered,
  isAgreed: leave.isAgreed,
})

export const next = operation(elnCalls.next, ({ records, params }) =>
  records.tx(async (own, tx) => {
    const leave = await lockedLeave(own, tx, params.id)
    assertStep('next', leave)
    if (leave.resultCode !== CONTINUES)
      throw new HttpError(409, 'Продолжение выдают к листу, закрытому с кодом 31 «продолжает болеть»', {
        code: 'transition',
      })
    const [known] = await own.asSystem.rows(SickLeave, { 'filter[idPrevious]': leave.id, limit: 1 })
    if (known)
      throw new HttpError(409, 'Продолжение уже выдано', {
        code: 'exists',
        body: { id: known.id, message: 'Продолжение уже выдано' },
      })
    const facts = await factsOf(tx, own, leave)
    const made = await own.asSystem.create(SickLeave, {
      ...carried(leave),
      isPrimary: false,
      prevLnCode: leave.lnCode,
      idPrevious: leave.id,
      daysBefore: Math.min(400, daysAll(facts)),
      dateIssue: dayIn(own.actor.timeZone, Date.now()),
    })
    return own.row(SickLeave, made.id)
  }),
)

export const duplicate = operation(elnCalls.duplicate, ({ records, params, body }) =>
  records.tx(async (own, tx) => {
    const leave = await lockedLeave(own, tx, params.id)
    assertStep('duplicate', leave)
    const { periods, cared } = await factsOf(tx, own, leave)
    const made = await own.asSystem.create(SickLeave, {
      ...carried(leave),
      reason: leave.reason,
      isPrimary: leave.isPrimary,
      prevLnCode: leave.prevLnCode,
      idPrevious: leave.idPrevious,
      daysBefore: leave.daysBefore,
      isDuplicate: true,
      formerLnCode: leave.lnCode,
      dateIssue: dayIn(own.actor.timeZone, Date.now()),
      hospitalFrom: leave.hospitalFrom,
      hospitalTo: leave.hospitalTo,
      breachCode: leave.breachCode,
      breachDate: leave.breachDate,
      birthPlanned: leave.birthPlanned,
      resultCode: leave.resultCode,
      resultDate: leave.resultDate,
      workFrom: leave.workFrom,
      sfrWords: `Дубликат: ${body.reason}`,
    })
    for (const { dateFrom, dateTo, idDoctor, idChairman, post, protocolNumber, protocolDate } of periods)
      await own.asSystem.create(SickPeriod, {
        ...{ idSickLeave: made.id, dateFrom, dateTo, idDoctor, idChairman, post, protocolNumber, protocolDate },
      })
    for (const { fio, birthday, snils, relation, reason, diagnosis, dateFrom, dateTo } of cared)
      await own.asSystem.create(CaredPerson, {
        ...{ idSickLeave: made.id, fio, birthday, snils, relation, reason, diagnosis, dateFrom, dateTo },
      })
    return own.row(SickLeave, made.id)
  }),
)

/**
 * The Social Fund's version of a registered sheet.
 * @throws HttpError 409 with a message on a refusal, 502 without a reply
 */
async function theirsOf(app: AppContext, records: Records, leave: LeaveRow): Promise<SfrLeave> {
  const { isSet, words } = await exchangeState(app)
  if (!isSet) throw new HttpError(409, words, { code: 'off' })
  const { patient } = await factsOf(app.db, records, leave)
  const lpu = await lpuOf(app.db)
  if (!leave.lnCode || !patient.snils || !lpu?.ogrn)
    throw new HttpError(409, 'Нет номера листа, СНИЛС пациента или ОГРН клиники')
  const began = performance.now()
  try {
    const answer = await (await sfrOf(app)).get(lpu.ogrn, leave.lnCode, patient.snils)
    await app.exchanged({
      adapter: 'eln',
      operation: 'Состояние больничного листа',
      about: { path: SickLeave.path, id: leave.id },
      status: answer.isGood ? 'done' : 'rejected',
      error: answer.isGood ? undefined : answer.words,
      durationMs: performance.now() - began,
    })
    if (answer.isGood) return answer.data
    throw new HttpError(409, answer.code === NO_SHEET ? 'СФР не знает этот лист' : `СФР отказал: ${answer.words}`, {
      code: 'refused',
    })
  } catch (error) {
    if (!(error instanceof RemoteFault)) throw error
    await app.exchanged({
      adapter: 'eln',
      operation: 'Состояние больничного листа',
      about: { path: SickLeave.path, id: leave.id },
      status: 'network_error',
      error: error.message,
    })
    throw new HttpError(502, `СФР не отвечает: ${error.message}`)
  }
}

/** Stores the Social Fund's state, and a dispute if the clinic's part differs from ours. */
export async function refreshed(app: AppContext, records: Records, leave: LeaveRow): Promise<void> {
  const theirs = await theirsOf(app, records, leave)
  await records.tx(async (own, tx) => {
    const now = await lockedLeave(own.asSystem, tx, leave.id)
    // Our own message is in progress: wait for its reply.
    if (now.localStatus === 'sent') return
    const facts = await factsOf(tx, own, now)
    const isTheirs = isSame(facts, theirs)
    if (isTheirs || now.localStatus !== 'accepted')
      await own.asSystem.update(SickLeave, now.id, {
        ...(theirs.state && { stateSfr: theirs.state }),
        ...(isTheirs && { lnHash: theirs.hash, sfrData: null }),
        dateAnswered: new Date().toISOString(),
      })
    else
      await own.asSystem.update(SickLeave, now.id, {
        localStatus: 'dispute',
        sfrData: { ...theirs },
        sfrWords: 'Лист в СФР отличается от вашего',
        ...(theirs.state && { stateSfr: theirs.state }),
        dateAnswered: new Date().toISOString(),
      })
  })
}

export const refresh = operation(elnCalls.refresh, async ({ app, records, params }) => {
  const leave = await records.row(SickLeave, params.id)
  if (leave.stateSfr === null) throw new HttpError(409, 'СФР ещё не знает этот лист', { code: 'transition' })
  await refreshed(app, records, leave)
  return records.row(SickLeave, leave.id)
})

export const settle = operation(elnCalls.settle, ({ records, params, body }) =>
  records.tx(async (own, tx) => {
    const leave = await lockedLeave(own, tx, params.id, body._version)
    assertStep('settle', leave)
    const theirs = leave.sfrData as SfrLeave | null
    const { periods } = await factsOf(tx, own, leave)
    const known = { lnHash: theirs?.hash ?? null, sfrData: null, sfrWords: null }
    if (body.take === 'ours') {
      // Our sheet overwrites theirs by their hash, once it is signed again.
      await own.asSystem.update(SickLeave, leave.id, { ...known, ...draft })
      return own.row(SickLeave, leave.id)
    }
    for (const { id } of periods) await own.asSystem.remove(SickPeriod, id)
    for (const { dateFrom, dateTo } of theirs?.periods ?? []) {
      const same = periods.find((one) => one.dateFrom === dateFrom) ?? periods.at(-1)
      await own.asSystem.create(SickPeriod, {
        ...{ idSickLeave: leave.id, dateFrom, dateTo, idDoctor: same?.idDoctor ?? leave.idDoctor, isAccepted: true },
        ...{ idChairman: same?.dateFrom === dateFrom ? (same?.idChairman ?? null) : null, post: same?.post ?? null },
      })
    }
    await own.asSystem.update(SickLeave, leave.id, {
      ...known,
      localStatus: 'accepted',
      signsLeft: 0,
      workFrom: theirs?.workFrom ?? null,
      resultCode: theirs?.resultCode ?? null,
      reason: theirs?.reason ?? leave.reason,
      employer: theirs?.employer ?? leave.employer,
      ...(theirs?.state && { stateSfr: theirs.state }),
    })
    return own.row(SickLeave, leave.id)
  }),
)

export const bySnils = operation(elnCalls.bySnils, async ({ app, records, actor, query }) => {
  const { isSet, words } = await exchangeState(app)
  if (!isSet) throw new HttpError(409, words, { code: 'off' })
  const card = await records.row(Customer, query.idCustomer)
  if (!card.snils) throw new ValidationError([{ field: 'idCustomer', message: 'В карте пациента нет СНИЛС' }])
  const lpu = await lpuOf(app.db)
  try {
    const answer = await (await sfrOf(app)).bySnils(lpu?.ogrn ?? '', card.snils)
    await app.journal({
      ...journalActor(actor),
      action: 'search',
      entityType: SickLeave.path,
      idCustomer: card.id,
      basis: 'Листы пациента в СФР',
    })
    if (!answer.isGood) throw new HttpError(409, `СФР отказал: ${answer.words}`, { code: 'refused' })
    const ours = new Set(
      (await records.asSystem.rows(SickLeave, { 'filter[idCustomer]': card.id, limit: 200 })).map(
        ({ lnCode }) => lnCode,
      ),
    )
    return {
      found: answer.data.slice(0, 100).map(({ lnCode, state, periods, lpu: where }) => ({
        ...{ lnCode, state, lpu: where, isOurs: ours.has(lnCode) },
        dateFrom: periods[0]?.dateFrom ?? null,
        dateTo: periods.at(-1)?.dateTo ?? null,
      })),
    }
  } catch (error) {
    if (error instanceof RemoteFault) throw new HttpError(502, `СФР не отвечает: ${error.message}`)
    throw error
  }
})
