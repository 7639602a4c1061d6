/** Manual calls, for a clinic without a telephone exchange: derived fields and checks. */
import { holds } from '@ordinator/model/access'
import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { Call, correctable, INTERNAL, MISSED, OUTGOING, RECALLED } from '@ordinator/model/areas/calls/call'
import type { FieldError } from '@ordinator/model/check'
import type { Create, Row, Update } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { draftOf } from '#areas/appeals/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { Hooks, WriteContext } from '#records/define.ts'
import { factsOfNumber, ownerOf } from './callers.ts'
import { endTask, REACHED_S, settleRecalls } from './telephony/recalls.ts'

type Kept = Row<typeof Call>

/** Tolerance for a client clock ahead of the server's. */
const AHEAD_MS = 60_000
const LONGEST_MS = 24 * 3_600_000

/** Fields that the server derives for a manual call. */
type Followed = Pick<Kept, 'dateEnd' | 'dateAnswer' | 'waitS' | 'state'>

/**
 * Derives fields from the kind and the times of a manual call: one with an end was answered at once unless given
 * otherwise, one without ends at its start.
 * @throws ValidationError for an impossible kind, number or time
 */
function followed(
  call: Pick<Kept, 'callType' | 'dateCreate'> & Partial<Kept>,
  before?: Pick<Kept, 'callType'>,
): Followed {
  const { callType } = call
  const errors: FieldError[] = []
  const refuse = (field: string, message: string) => void errors.push({ field, message })
  if (callType === RECALLED && before?.callType !== RECALLED && before?.callType !== MISSED)
    refuse('callType', '«Перезвонили» ставит программа: запишите исходящий звонок на этот номер')
  if (!call.contactPhone && !call.idCustomer && callType !== INTERNAL)
    refuse('contactPhone', 'Укажите телефон или клиента')
  const isMissed = callType === MISSED || callType === RECALLED
  if (isMissed && call.dateAnswer) refuse('dateAnswer', 'На пропущенный звонок не ответили')
  const begin = Date.parse(call.dateCreate)
  const answered = isMissed ? null : call.dateAnswer === undefined && call.dateEnd ? call.dateCreate : call.dateAnswer
  const answer = answered ? Date.parse(answered) : null
  const end = call.dateEnd ? Date.parse(call.dateEnd) : (answer ?? begin)
  if (begin > Date.now() + AHEAD_MS) refuse('dateCreate', 'Звонок начался позже, чем сейчас')
  if (end < begin) refuse('dateEnd', 'Раньше начала звонка')
  else if (end > Date.now() + AHEAD_MS) refuse('dateEnd', 'Звонок закончился позже, чем сейчас')
  else if (end - begin > LONGEST_MS) refuse('dateEnd', 'Звонок длиннее суток')
  if (answer !== null && (answer < begin || answer > end)) refuse('dateAnswer', 'Ответ — между началом и концом звонка')
  if (errors.length > 0) throw new ValidationError(errors)
  // The waiting time is known if given: of an answered call until the answer, of a missed one until its end.
  const waited = answer === null && !isMissed ? 0 : Math.round(((answer ?? end) - begin) / 1_000)
  return {
    dateAnswer: answer === null ? null : new Date(answer).toISOString(),
    dateEnd: new Date(end).toISOString(),
    waitS: waited > 0 ? waited : null,
    state: callType === OUTGOING && answer === null ? 'failed' : 'ended',
  }
}

const isTalk = ({ callType, dateAnswer, dateEnd }: Kept): boolean =>
  callType !== INTERNAL &&
  dateAnswer !== null &&
  dateEnd !== null &&
  Date.parse(dateEnd) - Date.parse(dateAnswer) >= REACHED_S * 1_000

/** Whether the user may change or delete a manual call: the author, the participant, and users who listen to others. */
const isOwn = (actor: ServerActor, { idUser, idFirstUser }: Kept): boolean =>
  idUser === actor.id || idFirstUser === actor.id || holds(actor, 'listenCalls')

/** Hooks of calls for writes by people; system code skips them. */
export const byHand: Hooks<typeof Call> = {
  async beforeCreate({ actor, tx }, value) {
    if (actor.system) return
    const dateCreate = value.dateCreate ?? new Date().toISOString()
    const phone = value.contactPhone ?? null
    const facts = await factsOfNumber(tx, phone, value.destPhone ?? null)
    const idCustomer = value.idCustomer === undefined ? await ownerOf(tx, phone) : value.idCustomer
    const known: Partial<Create<typeof Call>> = {
      dateCreate,
      idCustomer,
      idUser: value.callType === MISSED ? null : actor.id,
      idFilial: facts.idFilial,
      isPrimaryCustomer: phone !== null && idCustomer === null && !facts.before,
    }
    for (const [field, given] of Object.entries(known))
      if (value[field as keyof typeof known] === undefined) Object.assign(value, { [field]: given })
    const times = followed({ ...(value as Partial<Kept>), callType: value.callType, dateCreate, idCustomer })
    const call = { ...value, ...times, idFirstUser: actor.id } as Kept
    Object.assign(value, times, {
      idFirstUser: actor.id,
      source: 'manual',
      needsEnd: isTalk(call) && (await readCommonSettings(tx)).demandOutcome,
    })
  },
  async afterCreate({ actor, records, tx }, call) {
    if (actor.system) return
    if (isTalk(call)) await draftOf(records.asSystem, tx, 'call', call.id, call.idUser)
    await settle(records, tx, call.contactPhone)
  },
  beforeUpdate({ actor }, value, before) {
    if (actor.system) return
    const changed = Object.keys(value).filter((field) => !(correctable as readonly string[]).includes(field))
    if (before.source !== 'manual') {
      const errors = changed
        .filter((field) => value[field as keyof typeof value] !== before[field as keyof Kept])
        .map((field) => ({ field, message: 'Звонок записала телефония: изменить можно клиента и филиал' }))
      if (errors.length > 0) throw new ValidationError(errors)
      return
    }
    if (changed.length > 0 && !isOwn(actor, before))
      throw forbidden('Звонок, записанный вручную, меняет тот, кто его записал')
    Object.assign(value, followed(merged(before, value), before))
  },
  async afterUpdate({ actor, records, tx }, call, before) {
    if (actor.system || call.source !== 'manual') return
    if (call.contactPhone !== before.contactPhone && before.idTask !== null) {
      await records.asSystem.update(Call, call.id, { ...({ idTask: null } as object) })
      if (before.contactPhone) await endTask(records, tx, before.idTask, before.contactPhone)
    }
    for (const phone of new Set([before.contactPhone, call.contactPhone])) await settle(records, tx, phone)
  },
  async beforeDelete({ actor, records, tx }, call) {
    if (actor.system) return
    if (!isOwn(actor, call)) throw forbidden('Звонок, записанный вручную, удаляет тот, кто его записал')
    const used = await tx.one<{ id: number; status: string }>(sql`select "id"::int as id, "status" from appeals
      where "entityType" = 'call' and "idEntity" = ${call.id} and not "deleted"`)
    if (used?.status === 'draft') await records.asSystem.remove(Appeal, used.id)
    else if (used)
      throw new HttpError(409, `Из звонка сделано обращение № ${used.id}: сначала удалите его`, { code: 'kept' })
  },
  async afterDelete({ actor, records, tx }, { contactPhone, idTask }) {
    if (actor.system) return
    await settle(records, tx, contactPhone)
    if (idTask !== null && contactPhone) await endTask(records, tx, idTask, contactPhone)
  },
}

/** The resulting call; times derived from the kind are computed again. */
function merged(before: Kept, value: Update<typeof Call>): Kept {
  const after = { ...before, ...value } as Kept
  if (value.dateAnswer !== undefined) return after
  const isMissed = after.callType === MISSED || after.callType === RECALLED
  const wasAtOnce = before.dateAnswer !== null && before.dateAnswer === before.dateCreate
  return { ...after, ...(isMissed ? { dateAnswer: null } : wasAtOnce && { dateAnswer: after.dateCreate }) }
}

const settle = async (records: WriteContext['records'], tx: Tx, phone: string | null): Promise<void> => {
  if (phone !== null) await settleRecalls(records, tx, phone)
}
