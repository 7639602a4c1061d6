/** Manual repair of receipts that are not printed, and receipts of correction. */
import { moneyCalls } from '@ordinator/model/areas/money/calls'
import { CashDesk, takesByHand } from '@ordinator/model/areas/money/desk'
import { correctionKinds, FiscalTask } from '@ordinator/model/areas/money/fiscal'
import { type Correction, correctionOf, kopecks } from '@ordinator/model/areas/money/rules'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { isByShop, NOT_CONNECTED, printQueue, queueReceipt } from './fiscal.ts'
import { dayOf } from './ledger.ts'
import { openShiftOf } from './shifts.ts'
import { NOT_BY_SHOP } from './yookassaDesk.ts'

/**
 * The open shift of a desk for a receipt of correction.
 * @throws ValidationError for a future day, HttpError 409 if no register can print it
 */
async function mayCorrect(tx: Tx, desk: Row<typeof CashDesk>, { date }: Correction): Promise<number> {
  if (desk.kktMode === 'none') throw new HttpError(409, NOT_CONNECTED, { code: 'device' })
  if (!takesByHand(desk)) throw new HttpError(409, NOT_BY_SHOP, { code: 'device' })
  if (date > (await dayOf(tx, desk.idFilial)))
    throw new ValidationError([{ field: 'correction.date', message: 'Этот день ещё не наступил' }])
  return (await openShiftOf(tx, desk.id)).id
}

export const correctReceipt = operation(moneyCalls.correctReceipt, {
  async once({ app, records: inside, tx, params: { id }, body }) {
    const desk = await inside.row(CashDesk, id)
    const idShift = await mayCorrect(tx, desk, body.correction)
    return queueReceipt(app, inside, tx, desk, {
      key: `correction-${body.key}`,
      kind: correctionKinds[body.kind],
      idShift,
      task: correctionOf(body.means, kopecks(body.sum), body.correction),
    })
  },
  answer: ({ records, id }) => records.row(FiscalTask, id as number),
})

export const repair = operation(moneyCalls.repair, async ({ app, records, params: { id }, body }) => {
  const repaired = await records.tx(async (inside, tx) => {
    await tx.query(sql`select 1 from fiscal_tasks where "id" = ${id} for update`)
    const task = await inside.row(FiscalTask, id)
    if (task.status === 'done') throw new HttpError(409, 'Этот чек уже пробит', { code: 'state' })
    if (!['failed', 'notConnected', 'conflict', 'cancelled'].includes(task.status)) {
      // A document already queued in the requested form needs no change.
      if (body.as === 'done' || (body.as === 'correction' && !task.task?.correction))
        throw new HttpError(409, 'Этот чек ещё в очереди', { code: 'state' })
      return task
    }
    const { asSystem } = inside
    if (body.as === 'resend') {
      const desk = await asSystem.row(CashDesk, task.idDesk)
      if (desk.kktMode === 'none') throw new HttpError(409, NOT_CONNECTED, { code: 'device' })
      if (!takesByHand(desk) && !(await isByShop(inside, task)))
        throw new HttpError(409, NOT_BY_SHOP, { code: 'device' })
      // A document sent before the register was disconnected may be printed: query the register first.
      const wasSent = task.status === 'failed' && task.expectedFd !== null
      await asSystem.update(FiscalTask, id, {
        error: null,
        ...(wasSent ? { status: 'unknown' } : { status: 'queued', expectedFd: null }),
      })
    } else if (body.as === 'correction') {
      const { correction } = body
      if (!correction)
        throw new ValidationError([{ field: 'correction', message: 'Укажите, почему нужен чек коррекции' }])
      if (task.kind !== 'sell' && task.kind !== 'sellReturn')
        throw new HttpError(409, 'Вместо этого документа чека коррекции не бывает', { code: 'state' })
      const idShift = await mayCorrect(tx, await inside.row(CashDesk, task.idDesk), correction)
      await asSystem.update(FiscalTask, id, {
        kind: correctionKinds[task.kind],
        status: 'queued',
        idShift,
        error: null,
        expectedFd: null,
        task: task.task && { ...task.task, correction },
      })
    } else {
      if (body.fd === undefined)
        throw new ValidationError([{ field: 'fd', message: 'Укажите номер ФД, под которым чек пробит' }])
      await asSystem.update(FiscalTask, id, {
        status: 'done',
        fd: body.fd,
        error: null,
        dateDone: new Date().toISOString(),
      })
    }
    return task
  })
  if (body.as !== 'done') await printQueue(app, repaired.idDesk)
  return records.row(FiscalTask, id)
})

/** Removes a document from the queue by hand; a sent one may be printed already and stays. */
export const takeOut = operation(moneyCalls.takeOut, async ({ app, records, params: { id }, body }) => {
  const idDesk = await records.tx(async (inside, tx) => {
    const held = await tx.one<{ status: string }>(sql`select "status" from fiscal_tasks where "id" = ${id} for update`)
    const task = await inside.row(FiscalTask, id)
    if (held?.status === 'cancelled') return task.idDesk
    if (!['queued', 'failed', 'notConnected'].includes(held?.status ?? ''))
      throw new HttpError(
        409,
        'Этот документ уже отправлен на регистратор чеков: его исход ещё неизвестен или он пробит',
        {
          code: 'state',
        },
      )
    await inside.asSystem.update(FiscalTask, id, { status: 'cancelled', error: `Снят с очереди: ${body.reason}` })
    return task.idDesk
  })
  await printQueue(app, idDesk)
  return records.row(FiscalTask, id)
})
