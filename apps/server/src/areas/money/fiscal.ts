/**
 * The queue of receipts of a desk: in order, each printed once. The expected number is stored before a document is
 * sent. After a failure the register is read at that number: our own document is done, an empty place is sent again,
 * and another document is a conflict for a person.
 */
import { randomUUID } from 'node:crypto'
import { CashDesk, hasOwnShifts, takesByHand } from '@ordinator/model/areas/money/desk'
import { type FiscalKind, FiscalTask } from '@ordinator/model/areas/money/fiscal'
import { PaymentPart } from '@ordinator/model/areas/money/payment'
import type { Create, Row } from '@ordinator/model/entity'
import sql, { type Sql } from 'sql-template-tag'
import { onAgent } from '#areas/agents/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import type { Records } from '#records/records.ts'
import { kktOf } from './connect.ts'
import { DeviceError } from './devices.ts'
import { claimOrAsk, extend, leave, type Task, type Turn } from './fiscalTurn.ts'
import { LATE_SHIFT, NO_SHIFT, NOTHING_TO_CLOSE, note, printOne, refused } from './printDocument.ts'
import { renewSigns } from './signs.ts'
import { NOT_BY_SHOP } from './yookassaDesk.ts'

export const fiscalTasks = records(FiscalTask)
export const NOT_CONNECTED = 'Регистратор чеков не подключён: чек не пробивается'
const UNKNOWN_AND_GONE = 'Регистратор чеков отключён, и неизвестно, пробит ли чек: сверьте с его лентой'

type Queued = Pick<Create<typeof FiscalTask> & Partial<Task>, 'key' | 'kind' | 'idShift' | 'idPayment' | 'task'>

/**
 * Queues a document of a desk; it is printed after this transaction commits.
 * @returns its id; undefined if it concerns only the register and there is none
 */
export async function queueReceipt(
  app: AppContext,
  records: Records,
  tx: Tx,
  desk: Row<typeof CashDesk>,
  task: Queued,
): Promise<number | undefined> {
  const id = await fileReceipt(records, desk, task)
  if (id !== undefined) tx.afterCommit(() => void printQueue(app, desk.id))
  return id
}

/** The same, but printed by the next pass of a printing worker, within a minute. */
export async function fileReceipt(
  records: Records,
  desk: Row<typeof CashDesk>,
  task: Queued,
): Promise<number | undefined> {
  if (hasOwnShifts(desk.kktMode) && (task.kind === 'openShift' || task.kind === 'closeShift')) return undefined
  const isOutside = !takesByHand(desk)
  // The payment system gives a receipt with each of its payments and refunds. A settlement moves no money: it is asked for.
  if (isOutside && !isSettlement(task) && (await isThroughShop(records, task))) return undefined
  if (isOutside && !(await isByShop(records, task))) {
    const { id } = await records.asSystem.create(FiscalTask, {
      ...task,
      idDesk: desk.id,
      status: 'failed',
      error: NOT_BY_SHOP,
    } as Create<typeof FiscalTask>)
    return id
  }
  const isConnected = desk.kktMode !== 'none'
  if (!isConnected && task.kind !== 'sell' && task.kind !== 'sellReturn') return undefined
  const { id } = await records.asSystem.create(FiscalTask, {
    ...task,
    idDesk: desk.id,
    status: isConnected ? 'queued' : 'notConnected',
  } as Create<typeof FiscalTask>)
  return id
}

/** A receipt of the settlement of a prepayment, or of its return: it takes no money. */
const isSettlement = ({ kind, task }: Pick<Queued, 'kind' | 'task'>): boolean =>
  (kind === 'sell' || kind === 'sellReturn') && (task?.payments.every(({ type }) => type === 'prepaid') ?? false)

/** The payment system registers the settlement of its own payments only, and no return of one without a refund. */
export const isByShop = async (records: Records, task: Pick<Queued, 'kind' | 'idPayment' | 'task'>): Promise<boolean> =>
  task.kind === 'sell' &&
  isSettlement(task) &&
  (await partsOf(records, task)).some(({ terminal }) => terminal?.rrn !== undefined)

/** Whether the money of a payment or refund went through the payment system. */
const isThroughShop = async (records: Records, task: Pick<Queued, 'idPayment'>): Promise<boolean> =>
  (await partsOf(records, task)).some(({ terminalState }) => terminalState === 'approved')

const partsOf = (records: Records, { idPayment }: Pick<Queued, 'idPayment'>) =>
  records.asSystem.rows(PaymentPart, { 'filter[idPayment]': idPayment ?? 0, limit: 20 })

/** SQL condition: a document is still to be printed, or its outcome is unknown. */
export const isWaitingSql: Sql = sql`"status" in ('queued', 'sending', 'unknown')`

/** Resumes the queues whose worker was killed, and retries those whose register refused. */
export function startPrinting(app: AppContext): void {
  // Prints the documents that waited for an agent as soon as it connects.
  onAgent(app, (idAgent) => {
    app.db
      .query<{ id: number }>(sql`select "id"::int as id from cash_desks where "idAgent" = ${idAgent} and not "deleted"`)
      .then((desks) => Promise.all(desks.map(({ id }) => printQueue(app, id))))
      .catch((error) => app.log.error({ err: error, idAgent }, 'receipts were not printed'))
  })
  const printAll = async () => {
    const desks = await app.db.query<{ idDesk: number }>(
      sql`select distinct "idDesk" from fiscal_tasks where ${isWaitingSql}`,
    )
    // A register that is silent keeps no other waiting.
    await Promise.all(desks.map(({ idDesk }) => printQueue(app, idDesk)))
  }
  app.jobs.register('money.receipts', { cron: '* * * * *', handler: printAll })
  // It may have died before it began, too: whatever waits is printed.
  app.life.onDeath(async (life) => {
    await app.db.query(sql`delete from fiscal_printers where "life" = ${life}::uuid`)
    await printAll()
  })
}

/**
 * Prints the queue of a desk until it is empty or the register refuses. One worker runs per desk: a call that finds
 * another one running requests one more pass from it.
 */
export async function printQueue(app: AppContext, idDesk: number): Promise<void> {
  try {
    const turn = await claimOrAsk(app, idDesk)
    if (!turn) return
    do {
      while (await printNext(app, idDesk, turn)) if (!(await extend(app, turn))) return
    } while (!(await leave(app, turn)))
    await renewSigns(app, idDesk)
  } catch (error) {
    app.log.error({ error, idDesk }, 'receipts were not printed')
  }
}

/** The oldest waiting document of a desk. A sent document comes first: its number is expected next. */
const oldest = (app: AppContext, idDesk: number, kind?: FiscalKind) =>
  app.db.one<{ id: number }>(sql`select "id" from fiscal_tasks
    where "idDesk" = ${idDesk} and ${kind ? sql`"status" = 'queued' and "kind" = ${kind}` : isWaitingSql}
    order by "status" = 'queued', "id" limit 1`)

/**
 * Prints one document, or settles one that needs no printing.
 * @returns whether the queue advanced; false if it is empty, or waits for the register or for a person
 */
async function printNext(app: AppContext, idDesk: number, turn: Turn): Promise<boolean> {
  const system = app.engine.for(systemActor).asSystem
  const first = await oldest(app, idDesk)
  if (!first) return false
  const [task, desk] = await Promise.all([system.row(FiscalTask, first.id), system.row(CashDesk, idDesk)])
  const kkt = kktOf(app, desk)
  if (!kkt) {
    // An unsent document is treated as requested without a register.
    const isUnsent = task.status === 'queued'
    await system.update(
      FiscalTask,
      task.id,
      isUnsent ? { status: 'notConnected', error: null } : { status: 'failed', error: UNKNOWN_AND_GONE },
    )
    return true
  }
  if (task.status !== 'queued') return printOne(app, { kkt, turn }, task)
  const state = await kkt.state().catch((error) => refused(app, task, error))
  if (!state) return false
  const printer = { kkt, turn, state }
  if (state.isShiftOpen) {
    if (task.kind === 'openShift') return setAside(app, task.id, 'Смена регистратора чеков уже открыта')
    // A shift older than a day accepts no receipt: close it first.
    const closing = state.isShiftLate ? await oldest(app, idDesk, 'closeShift') : undefined
    if (state.isShiftLate && !closing) {
      await note(app, task, LATE_SHIFT)
      return false
    }
    return printOne(app, printer, closing ? await system.row(FiscalTask, closing.id) : task)
  }
  if (task.kind === 'openShift') return printOne(app, printer, task)
  if (task.kind === 'closeShift') return setAside(app, task.id, NOTHING_TO_CLOSE)
  const opening = await oldest(app, idDesk, 'openShift')
  if (!opening) {
    await note(app, task, NO_SHIFT)
    return false
  }
  // Earlier queued closings belong to shifts that the register no longer has.
  const moot = await app.db.query<{ id: number }>(sql`select "id" from fiscal_tasks
    where "idDesk" = ${idDesk} and "status" = 'queued' and "kind" = 'closeShift' and "id" < ${opening.id}`)
  for (const { id } of moot) await setAside(app, id, NOTHING_TO_CLOSE)
  return printOne(app, printer, await system.row(FiscalTask, opening.id))
}

/**
 * Queues the opening of the register's own shift, after the closing of one older than a day.
 * @throws HttpError 409 if no register is connected or it does not reply
 */
export async function openRegister(
  app: AppContext,
  records: Records,
  desk: Row<typeof CashDesk>,
  idShift: number | null,
): Promise<void> {
  const kkt = kktOf(app, desk)
  if (!kkt) throw new HttpError(409, NOT_CONNECTED, { code: 'device' })
  const state = await kkt.state().catch((error) => {
    throw error instanceof DeviceError ? new HttpError(409, error.message, { code: 'device' }) : error
  })
  if (state.isShiftOpen && !state.isShiftLate) return
  await records.tx(async (inside, tx) => {
    await tx.query(sql`select 1 from cash_desks where "id" = ${desk.id} for update`)
    const isQueued = (kind: FiscalKind) =>
      tx.one(
        sql`select 1 from fiscal_tasks where "idDesk" = ${desk.id} and ${isWaitingSql} and "kind" = ${kind} limit 1`,
      )
    const queue = async (kind: 'openShift' | 'closeShift', of: number | null) => {
      if (!(await isQueued(kind)))
        await queueReceipt(app, inside, tx, desk, { key: `${kind}-${randomUUID()}`, kind, idShift: of })
    }
    if (state.isShiftOpen) await queue('closeShift', null)
    await queue('openShift', idShift)
  })
}

/** Removes a document that the register no longer needs from the queue. */
async function setAside(app: AppContext, id: number, why: string): Promise<true> {
  await app.engine.for(systemActor).asSystem.update(FiscalTask, id, { status: 'cancelled', error: why })
  return true
}
