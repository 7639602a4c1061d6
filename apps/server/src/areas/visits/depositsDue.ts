/**
 * Deposit lifecycle: unpaid by the deadline, the time is released with a message; paid, it counts for the visit;
 * refunded by rule when the visit is cancelled in time or by the clinic. Each step is idempotent, so a killed server
 * loses nothing.
 */
import { type DepositStatus, depositReturns } from '@ordinator/model/areas/visits/deposit'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { VisitChange } from '@ordinator/model/areas/visits/visitChange'
import type { Create } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import { couponCountsSql, lineCountsSql } from '#areas/counted/index.ts'
import { dropLink, giveBackLink, lackAhead, lineDueSql, settleLink } from '#areas/money/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { type ServerActor, systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { openDeposit } from './deposits.ts'
import { notifyDesk } from './notices.ts'
import { changeStatus } from './status.ts'

/** Acts by the clinic's own rule, with the rights of a desk. */
const ruleActor: ServerActor = { ...systemActor, permissions: { editAppointments: true } }
/** Maximum number of deposits per run. */
const AT_ONCE = 100
const UNPAID = 'Предоплата не внесена в срок'

interface Due {
  id: number
  status: DepositStatus
  idLink: number | null
  isPaid: boolean
  isOver: boolean
  visitStatus: string
}

const become = (db: Queryable, id: number, from: DepositStatus, to: DepositStatus): Promise<unknown> =>
  db.query(sql`update visit_deposits set "status" = ${to}, "dateChange" = now()
    where "idAppointment" = ${id} and "status" = ${from}`)

async function follow(app: AppContext, due: Due): Promise<void> {
  const { id, status, idLink, isPaid, visitStatus } = due
  const isCancelled = visitStatus === 'cancelled' || visitStatus === 'moved'
  if (status === 'released') return isPaid && idLink !== null ? giveBack(app, id, status, idLink) : undefined
  if (status === 'paid') {
    if (!isCancelled || idLink === null || !isPaid) return
    return (await returnsByRule(app.db, id))
      ? giveBack(app, id, status, idLink)
      : void (await become(app.db, id, status, 'kept'))
  }
  if (isPaid) return void (await become(app.db, id, status, 'paid'))
  if (isCancelled) {
    if (idLink !== null) await dropLink(app, idLink)
    return void (await become(app.db, id, status, 'dropped'))
  }
  if (idLink === null) await openDeposit(app, id)
  if (!due.isOver) return
  if (visitStatus !== 'booked' && visitStatus !== 'confirmed') return void (await become(app.db, id, status, 'dropped'))
  // It may have been paid a moment ago, or at the desk.
  if (idLink !== null && (await settleLink(app, idLink)).status === 'paid')
    return void (await become(app.db, id, status, 'paid'))
  if (await app.db.tx((tx) => isCovered(tx, id))) {
    if (idLink !== null) await dropLink(app, idLink)
    return void (await become(app.db, id, status, 'paid'))
  }
  await release(app, id, idLink)
}

/** Whether the patient's account covers the deposit by other money. */
async function isCovered(tx: Tx, id: number): Promise<boolean> {
  const visit = await tx.one<{ idCustomer: number; idFilial: number; sum: number; due: number }>(sql`
    select a."idCustomer"::int as "idCustomer", a."idFilial"::int as "idFilial", (d."sum" * 100)::float8 as sum,
      coalesce((select sum(${lineDueSql(raw('l'))}) * 100 from coupon_services l join coupons c on c."id" = l."idCoupon"
        where c."idAppointment" = a."id" and ${couponCountsSql()} and ${lineCountsSql()}), 0)::float8 as due
    from visit_deposits d join appointments a on a."id" = d."idAppointment" where a."id" = ${id}`)
  return !visit || (await lackAhead(tx, visit.idCustomer, visit.idFilial)) <= visit.due - visit.sum
}

/** Releases the time, and notifies the patient and the desk. */
async function release(app: AppContext, id: number, idLink: number | null): Promise<void> {
  const records = app.engine.for(ruleActor)
  const before = await records.asSystem.row(Appointment, id)
  const row = await changeStatus(app, records, id, {
    status: 'cancelled',
    cancelReason: 'unpaid',
    cancelNote: UNPAID,
    cancelledBy: 'clinic',
    _version: before._version,
  })
  await records.tx(async (inside, tx) => {
    await become(tx, id, 'waiting', 'released')
    // The message to the patient is sent for a recorded change.
    await inside.asSystem.create(VisitChange, {
      idAppointment: id,
      fromStatus: before.visitStatus,
      toStatus: 'cancelled',
      reason: UNPAID,
    } as Create<typeof VisitChange>)
    await notifyDesk(
      { records: inside, tx, actor: ruleActor },
      { ...row, idAppointment: id },
      'Запись освобождена: предоплата не внесена',
    )
  })
  if (idLink !== null) await dropLink(app, idLink)
}

async function giveBack(app: AppContext, id: number, from: DepositStatus, idLink: number): Promise<void> {
  await giveBackLink(app, { idLink, key: `deposit-back-${id}`, reason: 'Визит отменён: предоплата возвращается' })
  await become(app.db, id, from, 'returned')
}

/** The clinic's rule: refund if cancelled by the clinic, or by the patient in time. */
async function returnsByRule(db: Queryable, id: number): Promise<boolean> {
  const { depositReturnHours } = await readCommonSettings(db)
  const visit = await db.one<{ by: 'patient' | 'clinic' | null; hours: number }>(sql`
    select "cancelledBy" as by, (extract(epoch from "dateFrom" - coalesce("dateCancelled", now())) / 3600)::float8 as hours
    from appointments where "id" = ${id}`)
  return (
    visit !== undefined && depositReturns({ by: visit.by, hoursAhead: visit.hours, returnHours: depositReturnHours })
  )
}

/** The job `visits.deposits`: every minute. */
export function followDeposits(app: AppContext): void {
  app.jobs.register('visits.deposits', {
    cron: '* * * * *',
    async handler() {
      const due = await app.db.query<Due>(sql`
        select d."idAppointment"::int as id, d."status", d."idLink"::int as "idLink", d."dateTo" < now() as "isOver",
          coalesce(k."status" = 'paid', false) as "isPaid", a."visitStatus"
        from visit_deposits d join appointments a on a."id" = d."idAppointment" left join payment_links k on k."id" = d."idLink"
        where (d."status" = 'waiting' and (d."dateTo" < now() or d."idLink" is null or k."status" = 'paid'
            or a."visitStatus" in ('cancelled', 'moved')))
          or (d."status" = 'paid' and k."status" = 'paid' and a."visitStatus" in ('cancelled', 'moved'))
          or (d."status" = 'released' and k."status" = 'paid')
        order by d."dateTo" limit ${AT_ONCE}`)
      await oneByOne(app, 'visits.deposits', due, (one) => follow(app, one))
    },
  })
}
