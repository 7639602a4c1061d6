/** The pool of numbers issued by the Social Fund; a request with a lost reply waits for a person. */
import { elnCalls } from '@ordinator/model/areas/eln/calls'
import { isNumber } from '@ordinator/model/areas/eln/rules'
import { NumberRequest, SickNumber } from '@ordinator/model/areas/eln/sickLeave'
import { elnAdapterWords } from '@ordinator/model/areas/eln/words'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { SystemRecords } from '#records/records.ts'
import { exchangeState } from './limits.ts'
import type { ElnPayload } from './payload.ts'

const keyOf = (idRequest: number) => `numbers-${idRequest}`

/** Adds numbers to the pool; existing ones are unchanged. @returns the number of new ones */
export async function keepNumbers(
  system: SystemRecords,
  tx: Tx,
  idRequest: number,
  numbers: readonly string[],
): Promise<number> {
  const good = [...new Set(numbers.map((one) => one.trim()))].filter(isNumber)
  if (good.length === 0) return 0
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('eln numbers', 0))`)
  const made = await system.createMany(
    SickNumber,
    good.map((lnCode) => ({ lnCode, idRequest })),
    { skipTaken: true },
  )
  return made.length
}

export const requestNumbers = operation(elnCalls.requestNumbers, async ({ app, records, body }) => {
  const { isSet, words } = await exchangeState(app)
  if (!isSet) throw new HttpError(409, words, { code: 'off' })
  return records.tx(async (own, tx) => {
    // One request at a time: the last one, with an unknown outcome, may have issued numbers.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('eln numbers', 0))`)
    const open = await tx.one<{ status: string }>(
      sql`select "status" from eln_number_requests where "status" in ('sending', 'unknown') order by "id" limit 1`,
    )
    if (open)
      throw new HttpError(
        409,
        open.status === 'sending'
          ? 'Предыдущий запрос ещё не получил ответа'
          : 'Исход прошлого запроса неизвестен: сначала скажите, какие номера он принёс',
        { code: 'open' },
      )
    const request = await own.asSystem.create(NumberRequest, { count: body.count })
    await app.outbox.add(tx, {
      adapter: 'eln',
      operation: 'numbers',
      title: elnAdapterWords.numbers,
      key: keyOf(request.id),
      subject: 'numbers',
      lane: 'eln:numbers',
      about: { path: NumberRequest.path, id: request.id },
      payload: { kind: 'numbers', idRequest: request.id, count: body.count } satisfies ElnPayload,
    })
    return request
  })
})

export const settleNumbersByHand = operation(elnCalls.settleNumbers, async ({ app, records, params, body }) => {
  const request = await records.tx(async (own, tx) => {
    await tx.query(sql`select 1 from eln_number_requests where "id" = ${params.id} for update`)
    const found = await own.row(NumberRequest, params.id)
    if (found.status !== 'unknown') throw new HttpError(409, 'Исход этого запроса известен', { code: 'transition' })
    const received = await keepNumbers(own.asSystem, tx, found.id, body.numbers)
    return own.asSystem.update(NumberRequest, found.id, {
      status: received > 0 ? 'done' : 'refused',
      received,
      words: received > 0 ? 'Номера вписал сотрудник' : 'Номера не были выданы',
    })
  })
  const message = await app.db.one<{ id: number }>(sql`select "id"::int as id from exchange_messages
    where "adapter" = 'eln' and "idempotencyKey" = ${keyOf(request.id)}`)
  // Close the message in the queue; the area keeps its own state.
  if (message) await app.outbox.settleAsDone([message.id])
  return request
})

export const spoil = operation(elnCalls.spoil, ({ records, params, body }) =>
  records.tx(async (own, tx) => {
    await tx.query(sql`select 1 from eln_numbers where "id" = ${params.id} for update`)
    const number = await own.row(SickNumber, params.id)
    if (number.status !== 'free') throw new HttpError(409, 'Номер уже не свободен', { code: 'transition' })
    return own.asSystem.update(SickNumber, number.id, { status: 'spoiled', note: body.note })
  }),
)

/** The next free number, assigned to this sheet by the transaction. @throws HttpError 409 `numbers` */
export async function takeNumber(system: SystemRecords, tx: Tx, idSickLeave: number): Promise<string> {
  const free = await tx.one<{ id: number }>(sql`select "id"::int as id from eln_numbers
    where "status" = 'free' order by "id" limit 1 for update skip locked`)
  if (!free) throw new HttpError(409, 'Свободных номеров нет: запросите их у СФР', { code: 'numbers' })
  const { lnCode } = await system.update(SickNumber, free.id, { status: 'used', idSickLeave })
  return lnCode
}

/** Returns a number that was never sent to the Social Fund. */
export async function releaseNumber(system: SystemRecords, tx: Tx, lnCode: string): Promise<void> {
  const number = await tx.one<{ id: number }>(
    sql`select "id"::int as id from eln_numbers where "lnCode" = ${lnCode} and "status" = 'used' for update`,
  )
  if (number) await system.update(SickNumber, number.id, { status: 'free', idSickLeave: null })
}
