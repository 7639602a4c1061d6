/** Prints one document of the queue on a register. */

import { randomUUID } from 'node:crypto'
import { CashDesk, CashShift } from '@ordinator/model/areas/money/desk'
import { FiscalTask, fiscalKinds } from '@ordinator/model/areas/money/fiscal'
import sql from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import { ifFound, shortFioSql } from '#areas/staff/index.ts'
import type { Exchanged } from '#platform/exchange.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { DeviceError, type Kkt, type KktState, type PrintedDocument, type PrintTask } from './devices.ts'
import { extend, type Task, type Turn } from './fiscalTurn.ts'

export const LATE_SHIFT = 'Смена длится больше 24 часов: закройте её и откройте новую'
export const NO_SHIFT = 'Смена регистратора чеков закрыта: откройте её'
export const NOTHING_TO_CLOSE = 'Смена регистратора чеков уже закрыта'

/**
 * Stores the reason why a document waits, unless it is unchanged: an attempt that changes nothing leaves no history.
 */
export async function note(app: AppContext, task: Task, error: string): Promise<void> {
  if (error !== task.error) await app.engine.for(systemActor).asSystem.update(FiscalTask, task.id, { error })
}

/** @throws any error that is not a register's reply */
export async function refused(app: AppContext, task: Task, error: unknown): Promise<undefined> {
  if (!(error instanceof DeviceError)) throw error
  await exchanged(app, task, { status: error.isOfShift ? 'rejected' : 'network_error', error: error.message })
  await note(app, task, error.message)
}

function exchanged(
  app: AppContext,
  { id, idDesk, kind }: Task,
  how: Pick<Exchanged, 'status' | 'error' | 'durationMs'>,
): Promise<unknown> {
  const about = { path: CashDesk.path, id: idDesk }
  return app.exchanged({ adapter: 'kkt', operation: fiscalKinds[kind], key: `fiscal-${id}`, about, ...how })
}

/**
 * Sends a document to the register, or queries the outcome of a sent one.
 * @returns whether the outcome is known; false if the register does not reply or refuses
 */
export async function printOne(app: AppContext, { kkt, turn, state }: Printer, task: Task): Promise<boolean> {
  const start = performance.now()
  const done = async (document: PrintedDocument) => {
    const durationMs = performance.now() - start
    await Promise.all([exchanged(app, task, { status: 'done', durationMs }), settle(app, task, document)])
    return true
  }
  // Bookkeeping of the worker, not a change of the receipt: it leaves no history.
  const setState = (status: Task['status'], number: Numbers) =>
    app.db.one(sql`update fiscal_tasks set "status" = ${status}, "fn" = ${number.fn},
      "expectedFd" = ${number.expectedFd}, "request" = ${number.request}
      where "id" = ${task.id} and exists (select from fiscal_printers p
        where p."idDesk" = ${task.idDesk} and p."claimedUntil" = ${turn.token}::timestamptz) returning 1`)
  let number: Numbers = { fn: task.fn, expectedFd: task.expectedFd, request: task.request }
  let isSent = false
  try {
    let document: PrintTask
    if (state && task.status === 'queued') {
      number = { fn: state.fn, expectedFd: state.lastFd + 1, request: task.request ?? randomUUID() }
      const [isHeld, asked] = await Promise.all([setState('sending', number), toPrint(app, task, number)])
      if (!isHeld) return false
      document = asked
    } else {
      document = await toPrint(app, task, number)
      const there = await kkt.document(document)
      if (there) return await done(there)
      if (!(await extend(app, turn))) return false
    }
    isSent = true
    return await done(await kkt.print(document))
  } catch (error) {
    await refused(app, task, error)
    // The query failed, not the printing: whether the document was printed before is as unknown as it was.
    if (!isSent) return false
    const { isCertain, isRefused } = error as DeviceError
    if (isCertain) {
      // An attempt that may still arrive (a task of an agent whose server was killed) keeps its request: it is printed
      // once.
      await setState('queued', { fn: null, expectedFd: null, request: isRefused ? null : number.request })
      return false
    }
    await setState('unknown', number)
    // The reply was lost: query the register at once; a later attempt sends what it does not have.
    const there = await kkt.document(await toPrint(app, task, number)).catch(ofDevice)
    return there ? done(there) : false
  }
}

/** @throws any error that is not a register's reply */
function ofDevice(error: unknown): undefined {
  if (!(error instanceof DeviceError)) throw error
}

interface Printer {
  kkt: Kkt
  turn: Turn
  /** The register's state, just queried; absent: earlier requests are queried. */
  state?: KktState
}

/** Identifies an attempt. */
interface Numbers {
  fn: string | null
  expectedFd: number | null
  request: string | null
}

/** The print task of a document: with the cashier of its shift and the day in the branch's time zone. */
async function toPrint(app: AppContext, task: Task, { expectedFd, request }: Numbers): Promise<PrintTask> {
  const { key, kind } = task
  const about = (await app.db.one<{
    name: string | null
    inn: string | null
    contact: string | null
    day: string
  }>(sql`select ${ifFound(sql`u`, shortFioSql)} as name, u."inn",
      (select p."contact" from payments p where p."id" = ${task.idPayment}) as contact,
      ((now() at time zone coalesce(nullif(f."timeZone", ''), ${clinicZone}))::date)::text as day
    from cash_desks d join filials f on f."id" = d."idFilial"
      left join cash_shifts s on s."id" = ${task.idShift} left join users u on u."id" = s."idCashier"
    where d."id" = ${task.idDesk}`)) as { name: string | null; inn: string | null; contact: string | null; day: string }
  return {
    ...{ key, kind, expectedFd, request: request ?? key, idPayment: task.idPayment },
    // Where the receipt goes besides paper.
    receipt: task.task && { ...task.task, ...(about.contact && { contact: about.contact }) },
    operator: about.name ? { name: about.name, inn: about.inn } : null,
    day: about.day,
  }
}

/** Compares the document under the expected number with ours: done or a conflict. */
async function settle(app: AppContext, task: Task, document: PrintedDocument): Promise<void> {
  await app.engine.for(systemActor).tx(async ({ asSystem }) => {
    if (document.key !== task.key) {
      await asSystem.update(FiscalTask, task.id, {
        status: 'conflict',
        error: `Под номером ФД ${document.fd} в регистраторе другой документ`,
      })
      return
    }
    await asSystem.update(FiscalTask, task.id, {
      status: 'done',
      fd: document.fd,
      fpd: document.fpd,
      ...(document.fn && { fn: document.fn }),
      error: null,
      dateDone: new Date().toISOString(),
      totals: document.totals ?? null,
    })
    if (!task.idShift || document.zNumber === undefined) return
    const { closing } = await asSystem.row(CashShift, task.idShift)
    await asSystem.update(CashShift, task.idShift, {
      zNumber: document.zNumber,
      ...(closing && { closing: { ...closing, kkt: document.totals ?? null } }),
    })
  })
}
