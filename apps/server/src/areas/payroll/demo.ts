/** Payroll of the demo clinic: schemes of its people, two closed months of each branch and an open one. */

import { monthsLater } from '@ordinator/model/areas/expenses/states'
import { PayrollAdjustment, PayrollPeriod, PayScheme, ServiceCost } from '@ordinator/model/areas/payroll/payroll'
import type { Accrual, PayRule } from '@ordinator/model/areas/payroll/rules'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { payRests } from './payouts.ts'
import { approve } from './periods.ts'
import { calculateMonth } from './run.ts'

const pastHooks = { pastHooks: 'The demo clinic is laid out as a whole' }

interface PaidBy {
  /** SQL pattern of the post. */
  post: string
  name: string
  accrual?: Accrual
  rules: PayRule[]
}

/** The scheme of a post is the first match. */
const schemes: readonly PaidBy[] = [
  {
    post: '%терапевт%',
    name: 'Врач: 24 % от оплаченного',
    accrual: 'paid',
    rules: [
      { code: 'services', type: 'percent', rate: 24, base: 'paid', lessCosts: true, ownRate: true },
      { code: 'plans', type: 'referral', rate: 3, base: 'paid' },
      { code: 'least', type: 'guarantee', sum: 60_000 },
    ],
  },
  {
    post: '%врач%',
    name: 'Врач: прогрессивная',
    rules: [
      {
        code: 'tiers',
        type: 'progressive',
        base: 'discounted',
        lessCosts: true,
        mode: 'excess',
        tiers: [
          { from: 0, rate: 18 },
          { from: 150_000, rate: 21 },
          { from: 300_000, rate: 24 },
        ],
      },
      { code: 'least', type: 'guarantee', sum: 55_000 },
    ],
  },
  {
    post: '%сестра%',
    name: 'Медсестра: смены и ассистирование',
    rules: [
      { code: 'salary', type: 'salary', sum: 42_000, norm: 'none' },
      { code: 'assist', type: 'assistant', rate: 4, base: 'discounted' },
    ],
  },
  {
    post: '%оператор%',
    name: 'Оператор: оклад, записи и KPI',
    rules: [
      { code: 'salary', type: 'salary', sum: 38_000, norm: 'none' },
      { code: 'bookings', type: 'bookings', sum: 40, name: 'За пришедших по моей записи' },
      { code: 'kpi', type: 'kpi', sum: 15_000 },
    ],
  },
  {
    post: '%администратор%',
    name: 'Администратор: оклад и товары',
    rules: [
      { code: 'salary', type: 'salary', sum: 40_000, norm: 'none' },
      { code: 'goods', type: 'goods', rate: 5, base: 'discounted' },
      { code: 'bookings', type: 'bookings', sum: 30 },
    ],
  },
  {
    post: '%управляющ%',
    name: 'Управляющая: оклад и план филиала',
    rules: [
      { code: 'salary', type: 'salary', sum: 95_000, norm: 'none' },
      { code: 'plan', type: 'filialPlan', plan: 400_000, sum: 25_000 },
    ],
  },
  { post: '%', name: 'Оклад', rules: [{ code: 'salary', type: 'salary', sum: 45_000, norm: 'none' }] },
]

export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const system = records.asSystem
  // Without statistics the planner expects a handful of the rows just written; a month then takes minutes.
  await tx.query(sql`analyze appointments, coupons, coupon_services, ledger_txs, ledger_lines, ledger_credits,
    ledger_allocations, ledger_entries, ledger_accounts, staff_events`)
  const author = await tx.one<{ id: number }>(
    sql`select "id" from users where "login" in ('accountant', 'admin') order by "login" limit 1`,
  )
  const account = await tx.one<{ id: number }>(sql`select a."id" from organizations_accounts a
    join organizations o on o."id" = a."idOrganization" and o."kind" = 'own' order by a."isMain" desc, a."id" limit 1`)
  const filials = await tx.query<{ id: number }>(sql`select "id" from filials where "active" order by "id"`)
  if (!author || !account) return
  const idAuthor = author.id
  const people = await tx.query<{
    id: number
    name: string
    post: string
    scheme: number
    idFilial: number | null
  }>(sql`
    select u."id", u."surname" as name, u."post", u."filials"[1] as "idFilial",
      (select min(p.at) from jsonb_to_recordset(${JSON.stringify(schemes.map(({ post }, at) => ({ post, at })))}::jsonb)
        as p("post" text, "at" int) where u."post" ilike p."post") as scheme
    from users u where not u."deleted" and u."post" is not null order by u."id"`)
  await system.createMany(
    PayScheme,
    people.map(({ id, name, scheme }) => {
      const paid = schemes[scheme] as PaidBy
      return {
        name: `${paid.name}, ${name}`,
        idUser: id,
        dateFrom: '2024-01-01',
        accrual: paid.accrual ?? ('done' as const),
        rules: paid.rules,
        idAuthor,
      }
    }),
    pastHooks,
  )
  await system.createFrom(
    ServiceCost,
    sql`services s where s."serviceCategory" = 0 and s."active" and s."priceService" >= 1500 order by s."id" limit 20`,
    {
      idService: raw('s."id"'),
      materials: raw('round(s."priceService" * 0.04, 2)'),
      laboratory: raw('case when s."id" % 3 = 0 then round(s."priceService" * 0.1, 2) else 0 end'),
    },
    pastHooks,
  )
  const thisMonth = `${new Date().toISOString().slice(0, 7)}-01`
  for (const back of [2, 1, 0])
    for (const { id: idFilial } of filials) {
      const month = monthsLater(thisMonth, -back)
      const { id } = await system.create(PayrollPeriod, { month, idFilial })
      await calculateMonth(system, tx, id, { isTrial: false })
      await adjustments(records, tx, id, back, idAuthor)
      if (back === 0) continue
      await system.update(PayrollPeriod, id, { status: 'checked' })
      await approve(system, tx, await system.row(PayrollPeriod, id))
      const paidOn = plusDays(monthsLater(month, 1), 9)
      await system.update(PayrollPeriod, id, {
        status: 'approved',
        dateApproved: `${plusDays(paidOn, -2)}T09:00:00Z`,
        idApprover: idAuthor,
      })
      await payRests(system, tx, id, {
        key: `demo-payroll-${id}`,
        payFrom: 'account',
        idBankAccount: account.id,
        localDate: paidOn,
        idAuthor,
      })
      await system.update(PayrollPeriod, id, { status: 'closed', dateClosed: `${plusDays(paidOn, 5)}T09:00:00Z` })
    }
}

const reasons = [
  ['bonus', 'За обучение новых сотрудников', 5_000],
  ['bonus', 'Благодарность пациентов', 3_000],
  ['reduction', 'Опоздания по журналу регламентов', 1_500],
  ['extra', 'Выход в праздничный день', 4_200],
] as const

async function adjustments(records: Records, tx: Tx, idPeriod: number, back: number, idAuthor: number): Promise<void> {
  const slips = await tx.query<{ id: number }>(
    sql`select "id" from payroll_slips where "idPeriod" = ${idPeriod} and "salary" + "percent" > 20000 order by "id"`,
  )
  const some = slips.filter((_, at) => at % 3 === back % 3).slice(0, 4)
  if (some.length === 0) return
  await records.asSystem.createMany(
    PayrollAdjustment,
    some.map(({ id }, at) => {
      const [kind, reason, sum] = reasons[(at + back) % reasons.length] as (typeof reasons)[number]
      return { idSlip: id, kind, reason, sum, idAuthor }
    }),
    pastHooks,
  )
}
