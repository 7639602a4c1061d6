/**
 * Bonuses earned by payments: a percent of the money allocated to a completed line. Every change of a line's allocation
 * marks the line (`moved`); this module brings the bonuses of marked lines to the current payment, so that they grow
 * with a payment and shrink with a refund.
 */
import { moneyMethods } from '@ordinator/model/areas/money/methods'
import { DONE } from '@ordinator/model/areas/money/payment'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { bonusRates } from '#areas/discounts/index.ts'
import type { Tx } from '#platform/db.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import type { Records } from '#records/records.ts'
import { burn, give, giveMore, takeBack } from './bonuses.ts'
import { dayOf, lockCustomers } from './ledger.ts'

/** Maximum number of marked lines of one patient per pass; the rest waits for the job. */
const MOST_LINES = 500

interface Moved {
  id: number
  idAppointment: number
  idCustomer: number
  idFilial: number
  localDate: string
  localStart: string
  idService: number
  idUser: number
  name: string
  due: number
  /** Kopecks of money allocated to the line, once it is completed. */
  paid: number
  idBonus: number | null
  percent: number | null
  had: number | null
}

/**
 * Updates the bonuses of changed lines to the current payment, under the customer lock. An error never stops the
 * payment: the changes are rolled back and the lines are left to the job, which reports the error.
 */
export async function earn(records: Records, tx: Tx, idCustomer: number): Promise<void> {
  await tx.query(raw('savepoint earning'))
  try {
    await reckon(records, tx, idCustomer)
    await tx.query(raw('release savepoint earning'))
  } catch {
    await tx.query(raw('rollback to savepoint earning'))
  }
}

async function reckon(records: Records, tx: Tx, idCustomer: number): Promise<void> {
  const marked = sql`select p."idLine" from ledger_lines p join ledger_accounts o on o."id" = p."idAccount"
    where p."moved" and o."kind" = 'patient' and o."idCustomer" = ${idCustomer} order by p."idLine" limit ${MOST_LINES}`
  const money = raw(moneyMethods.map((method) => `'${method}'`).join(', '))
  const lines = await tx.query<Moved>(sql`
    select l."id", c."idAppointment", a."idCustomer", c."idFilial", c."localDate"::text as "localDate", c."localStart",
      l."idService", c."idUser", coalesce(s."shortNameService", s."nameService") as name, (p."charged")::float8 as due,
      case when p."charged" = 0 then 0 else coalesce((
        select sum(round(g."sum" * m.money / nullif(m.whole, 0))) from ledger_allocations g join ledger_credits r on r."idTx" = g."idTx"
        cross join lateral (
          select greatest(0, coalesce(sum(x.sum) filter (where t."method" in (${money})), 0)) as money, sum(x.sum) as whole
          from payments y join payments_parts t on t."idPayment" = y."id"
          cross join lateral (select case y."kind" when 'payment' then t."sum" else -t."sum" end as sum) x
          where (y."id" = r."idPayment" or y."idRefundOf" = r."idPayment") and y."idStatus" = ${DONE}
        ) m where g."idLine" = p."idLine"), 0) end::float8 as paid,
      b."id" as "idBonus", b."percent"::float8 as percent, (b."sum" * 100)::float8 as had
    from ledger_lines p join coupon_services l on l."id" = p."idLine" join coupons c on c."id" = l."idCoupon"
      join appointments a on a."id" = c."idAppointment" join services s on s."id" = l."idService"
      left join bonuses b on b."idCouponService" = l."id" and b."kind" = 'earned'
    where p."idLine" in (${marked}) order by l."id"`)
  if (lines.length === 0) return
  for (const { idBonus, percent, had, paid, name } of lines) {
    if (idBonus === null) continue
    const more = percentOf(paid, percent ?? 0) - (had ?? 0)
    if (more > 0) await giveMore(records, tx, idBonus, more, `Оплата: ${name}`)
    else if (more < 0) await takeBack(records, tx, idBonus, -more, `Оплата возвращена: ${name}`)
  }
  const fresh = lines.filter(({ idBonus, paid }) => idBonus === null && paid > 0)
  for (const [idAppointment, some] of Map.groupBy(fresh, (one) => one.idAppointment))
    await earnFirst(records, tx, idAppointment, some)
  await tx.query(
    sql`update ledger_lines set "moved" = false where "idLine" = any (${lines.map(({ id }) => id)}::bigint[])`,
  )
}

/** Chooses the best of today's programmes for each line. */
async function earnFirst(records: Records, tx: Tx, idAppointment: number, lines: readonly Moved[]): Promise<void> {
  const [first] = lines
  if (!first) return
  const { idCustomer, idFilial, localStart: time } = first
  const today = await dayOf(tx, null)
  const bill = { idAppointment, idCustomer, idFilial, date: today, time }
  const rates = await bonusRates(records, tx, {
    ...bill,
    lines: lines.map(({ idService, idUser, due }) => ({ idService, idUser, price: rubles(due) })),
  })
  for (const [at, { id, name, paid }] of lines.entries()) {
    const rate = rates[at]
    const sum = rate ? percentOf(paid, rate.percent) : 0
    if (!rate || sum === 0) continue
    const dateFrom = plusDays(today, rate.delayDays)
    await give(records, tx, {
      idCustomer,
      kind: 'earned',
      sum,
      dateFrom,
      dateTo: rate.lifeDays === null ? null : plusDays(dateFrom, rate.lifeDays),
      comment: `Оплата: ${name}`,
      idProgram: rate.idProgram,
      idCouponService: id,
      percent: rate.percent,
    })
  }
}

/** Rounded down: a fraction of a hundredth is not credited. */
const percentOf = (paid: number, percent: number): number => Math.floor((paid * kopecks(percent)) / 10_000)

/** Maximum number of patients per run; the next run continues. */
const AT_ONCE = 500

/** Registers the job that processes marked lines and expires bonuses. */
export function startBonuses(app: AppContext): void {
  app.jobs.register('money.bonuses', {
    cron: '*/10 * * * *',
    async handler() {
      const day = await dayOf(app.db, null)
      const left = await app.db.query<{ id: number }>(sql`
        (select distinct o."idCustomer" as "id" from ledger_lines p join ledger_accounts o on o."id" = p."idAccount"
          where p."moved" and o."idCustomer" is not null limit ${AT_ONCE})
        union (select distinct b."idCustomer" as "id" from bonuses b where b."left" > 0 and b."dateTo" < ${day}::date limit ${AT_ONCE})`)
      const system = app.engine.for(systemActor)
      await oneByOne(app, 'money.bonuses', left, ({ id }) =>
        system.tx(async (inside, tx) => {
          await lockCustomers(tx, [id])
          await reckon(inside, tx, id)
          await burn(inside, tx, id)
        }),
      )
    },
  })
}
