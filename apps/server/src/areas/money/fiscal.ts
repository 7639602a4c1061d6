/**
 * The queue of receipts of a desk: one after another, and each printed once. Before one is sent, the number it must get is
 * written down; after a break the register is read at that number: ours is done, an empty place is sent again, another
 * document is a conflict that a person looks into.
 */
import { randomUUID } from 'node:crypto'
import { CashDesk, CashShift } from '@ordinator/model/areas/money/desk'
import { FiscalTask, fiscalKinds } from '@ordinator/model/areas/money/fiscal'
import type { Create, Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Tx } from '../../platform/db.ts'
import type { Exchanged } from '../../platform/exchange.ts'
import { systemActor } from '../../records/actor.ts'
import type { AppContext } from '../../records/context.ts'
import { records } from '../../records/define.ts'
import type { Records } from '../../records/records.ts'
import { kktOf } from './connect.ts'
import { DeviceError, type Kkt, type PrintedDocument } from './devices.ts'

type Task = Row<typeof FiscalTask>

export const fiscalTasks = records(FiscalTask)

/** Seconds that a printer who says nothing keeps the queue: more than the register's own time. */
const CLAIM_SECONDS = 60
export const NOT_CONNECTED = 'Касса (ККТ) не подключена: чек не пробит'

/**
 * Puts a document into the queue of its desk; it is printed once this transaction is committed.
 * @returns its id; undefined where it concerns the register alone and there is none
 */
export async function queueReceipt(
  app: AppContext,
  records: Records,
  tx: Tx,
  desk: Row<typeof CashDesk>,
  task: Pick<Create<typeof FiscalTask> & Partial<Task>, 'key' | 'kind' | 'idShift' | 'idPayment' | 'task'>,
): Promise<number | undefined> {
  const isConnected = desk.kktMode !== 'none'
  if (!isConnected && task.kind !== 'sell' && task.kind !== 'sellReturn') return undefined
  const { id } = await records.asSystem.create(FiscalTask, {
    ...task,
    idDesk: desk.id,
    status: isConnected ? 'queued' : 'failed',
    error: isConnected ? null : NOT_CONNECTED,
  } as Create<typeof FiscalTask>)
  tx.afterCommit(() => void printQueue(app, desk.id))
  return id
}

/** Prints what waits in the queues whose printer is gone, and what a printer that is gone has left unsaid. */
export function startPrinting(app: AppContext): void {
  app.jobs.register('money.receipts', {
    cron: '* * * * *',
    async handler() {
      const desks = await app.db.query<{ idDesk: number }>(
        sql`select distinct "idDesk" from fiscal_tasks where "status" not in ('done', 'failed', 'conflict')`,
      )
      for (const { idDesk } of desks) await printQueue(app, idDesk)
    },
  })
}

/** Prints the queue of a desk until it is empty or the register refuses; whoever comes meanwhile leaves it to this one. */
export async function printQueue(app: AppContext, idDesk: number): Promise<void> {
  const holder = randomUUID()
  try {
    while (await claim(app, idDesk, holder)) {
      let goesOn = true
      while (goesOn && (await claim(app, idDesk, holder))) goesOn = await printNext(app, idDesk)
      await app.db.query(sql`delete from fiscal_printers where "idDesk" = ${idDesk} and "holder" = ${holder}`)
      // What came while this printer was leaving found it still there.
      const left = await app.db.one(
        sql`select 1 from fiscal_tasks where "idDesk" = ${idDesk} and "status" = 'queued' and "error" is null limit 1`,
      )
      if (!left) return
    }
  } catch (error) {
    app.log.error({ error, idDesk }, 'receipts were not printed')
  }
}

const claim = async ({ db }: AppContext, idDesk: number, holder: string): Promise<boolean> =>
  (await db.one(sql`insert into fiscal_printers ("idDesk", "holder", "claimedUntil")
    values (${idDesk}, ${holder}, now() + make_interval(secs => ${CLAIM_SECONDS}))
    on conflict ("idDesk") do update set "holder" = excluded."holder", "claimedUntil" = excluded."claimedUntil"
    where fiscal_printers."claimedUntil" < now() or fiscal_printers."holder" = ${holder} returning 1`)) !== undefined

/**
 * @param onlyShift prints what opens or closes the register's shift, which a receipt before it waits for
 * @returns whether there may be more to print
 */
async function printNext(app: AppContext, idDesk: number, onlyShift = false): Promise<boolean> {
  const system = app.engine.for(systemActor).asSystem
  const next = await app.db.one<{ id: number }>(sql`select "id" from fiscal_tasks
    where "idDesk" = ${idDesk} and "status" not in ('done', 'failed', 'conflict')
      and (not ${onlyShift} or "kind" in ('openShift', 'closeShift')) order by "id" limit 1`)
  if (!next) return false
  const task = await system.row(FiscalTask, next.id)
  const kkt = kktOf(app.db, await system.row(CashDesk, idDesk))
  const write = (values: Partial<Task>) => system.update(FiscalTask, task.id, values)
  if (!kkt) {
    await write({ status: 'failed', error: NOT_CONNECTED })
    return true
  }
  // What is known of the document if the register fails now.
  let status = task.status
  const start = performance.now()
  const tell = (how: Pick<Exchanged, 'status' | 'error'>) =>
    app.exchanged({
      adapter: 'kkt',
      operation: fiscalKinds[task.kind],
      key: `fiscal-${task.id}`,
      about: { path: CashDesk.path, id: idDesk },
      durationMs: performance.now() - start,
      ...how,
    })
  try {
    if (status === 'queued') await write({ ...(await expected(kkt)), status: 'sending', error: null })
    else {
      const there = await kkt.document(task.expectedFd as number)
      if (there) {
        await tell({ status: 'done' })
        return await settle(app, task, there)
      }
    }
    status = 'unknown'
    const receipt = task.task && { ...task.task, ...(await contactOf(app, task)) }
    const printed = await kkt.print({ key: task.key, kind: task.kind, receipt })
    await tell({ status: 'done' })
    return await settle(app, task, printed)
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    // A shift that is over is the desk's own business, not a trouble of the register.
    await tell({ status: error.isOfShift ? 'rejected' : 'network_error', error: error.message })
    await write({ status: error.isCertain && status === 'unknown' ? 'queued' : status, error: error.message })
    return error.isOfShift && !onlyShift ? printNext(app, idDesk, true) : false
  }
}

/** Where a receipt goes besides paper. */
async function contactOf({ db }: AppContext, { idPayment }: Task): Promise<{ contact?: string }> {
  const found = await db.one<{ contact: string | null }>(sql`select "contact" from payments where "id" = ${idPayment}`)
  return found?.contact ? { contact: found.contact } : {}
}

const expected = async (kkt: Kkt) => {
  const { fn, lastFd } = await kkt.state()
  return { fn, expectedFd: lastFd + 1 }
}

/** What the register has under the expected number is our document, or it is not. */
async function settle(app: AppContext, task: Task, document: PrintedDocument): Promise<boolean> {
  await app.engine.for(systemActor).tx(async ({ asSystem }) => {
    if (document.key !== task.key) {
      await asSystem.update(FiscalTask, task.id, {
        status: 'conflict',
        error: `Под номером ФД ${document.fd} в кассе другой документ`,
      })
      return
    }
    await asSystem.update(FiscalTask, task.id, {
      status: 'done',
      fd: document.fd,
      fpd: document.fpd,
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
  return true
}
