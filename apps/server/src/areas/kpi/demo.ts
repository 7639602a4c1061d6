/** Figures of the demo clinic and their plans for this month and the two before. */

import { monthsLater } from '@ordinator/model/areas/expenses/states'
import { KpiDefinition, KpiPlan } from '@ordinator/model/areas/kpi/kpi'
import type { Create } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'

type Definition = Omit<Create<typeof KpiDefinition>, 'order'>

const definitions: readonly Definition[] = [
  {
    code: 'conversion',
    name: 'Обращение → запись',
    formula: '100 * записанные / обращения',
    unit: 'percent',
    weight: 3,
  },
  { code: 'came', name: 'Доходимость', formula: '100 * визиты / записи', unit: 'percent', weight: 2 },
  { code: 'paid', name: 'Доля оплаченных визитов', formula: '100 * оплаченные / визиты', unit: 'percent', weight: 1 },
  {
    code: 'noshow',
    name: 'Доля неявок',
    formula: '100 * неявки / записи',
    unit: 'percent',
    direction: 'down',
    weight: 1,
  },
  {
    code: 'missed',
    name: 'Доля чистых пропущенных',
    formula: '100 * пропущенные / входящие',
    unit: 'percent',
    direction: 'down',
    weight: 2,
  },
  {
    code: 'sl',
    name: 'SL 20',
    formula: '100 * ответили_20 / считаемые_20',
    unit: 'percent',
    weight: 2,
  },
  {
    code: 'aht',
    name: 'AHT входящих',
    formula: 'обработка_входящих_с / 60',
    unit: 'minutes',
    direction: 'down',
    weight: 1,
  },
  {
    code: 'recall',
    name: 'Время перезвона, медиана',
    formula: 'перезвон_мин',
    unit: 'minutes',
    direction: 'down',
    weight: 1,
  },
  {
    code: 'booked',
    name: 'Пришли из записанных мной',
    formula: '100 * записал_пришли / записал',
    unit: 'percent',
    weight: 2,
  },
  { code: 'nps', name: 'NPS', formula: '100 * (сторонники - критики) / оценки', unit: 'percent', weight: 1 },
  { code: 'load', name: 'Загрузка', formula: '100 * минуты_записи / минуты_смен', unit: 'percent', weight: 1 },
  { code: 'revenue', name: 'Выручка', formula: 'выручка', unit: 'rubles', weight: 3 },
  {
    code: 'cac',
    name: 'CAC',
    formula: 'реклама / первые_визиты',
    unit: 'rubles',
    direction: 'down',
    weight: 1,
  },
  {
    code: 'ltv',
    name: 'LTV',
    formula: 'оплачено_когортой / первые_визиты',
    unit: 'rubles',
    weight: 1,
  },
]

/** A plan of revenue is that much above an average month. */
const GROWTH = 1.05
const ROUNDED = 50_000

/** Plans by code: of the clinic, of the desk, of operators, of doctors. */
const plans: readonly { code: string; plan: number; login?: string }[] = [
  { code: 'conversion', plan: 45 },
  { code: 'came', plan: 85 },
  { code: 'noshow', plan: 8 },
  { code: 'missed', plan: 10 },
  { code: 'nps', plan: 55 },
  { code: 'load', plan: 60 },
  { code: 'booked', plan: 80, login: 'operator' },
  { code: 'missed', plan: 12, login: 'operator' },
  { code: 'sl', plan: 80, login: 'operator' },
  { code: 'aht', plan: 6, login: 'operator' },
  { code: 'conversion', plan: 40, login: 'operator' },
  { code: 'came', plan: 85, login: 'doctor' },
  { code: 'load', plan: 65, login: 'doctor' },
]

export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const made = await records.asSystem.createMany(
    KpiDefinition,
    definitions.map((one, at) => ({ ...one, order: at + 1 })),
    { fields: ['id', 'code'] },
  )
  const ids = new Map(made.map(({ id, code }) => [code, id]))
  const people = await tx.query<{ id: number; login: string }>(
    sql`select "id", "login" from users where "login" in ('operator', 'doctor')`,
  )
  const revenue = await revenueOf(tx)
  const doctor = people.find(({ login }) => login === 'doctor')
  const aims = [
    ...plans,
    { code: 'revenue', plan: aimOf(revenue.clinic) },
    { code: 'revenue', plan: aimOf(doctor ? (revenue.doctors.get(doctor.id) ?? 0) : 0), login: 'doctor' },
  ].filter(({ plan }) => plan > 0)
  const month = `${new Date().toISOString().slice(0, 7)}-01`
  await records.asSystem.createMany(
    KpiPlan,
    [0, -1, -2].flatMap((back) =>
      aims.flatMap(({ code, plan, login }: (typeof plans)[number]) => {
        const person = people.find((one) => one.login === login)
        if (login && !person) return []
        return [{ month: monthsLater(month, back), idKpi: ids.get(code) as number, idUser: person?.id ?? null, plan }]
      }),
    ),
    { pastHooks: 'Months and colours of the demo are in order' },
  )
}

/** A plan a little above the fact, in round figures. */
const aimOf = (average: number): number => Math.ceil((average * GROWTH) / ROUNDED) * ROUNDED

/** Rubles of given services in an average of the last three whole months: of the clinic, and of each doctor. */
async function revenueOf(tx: Tx): Promise<{ clinic: number; doctors: Map<number, number> }> {
  const rows = await tx.query<{ idUser: number; sum: number }>(sql`
    select c."idUser", (sum(s."price" * s."qty" - s."discount") / 3)::float8 as sum
    from coupon_services s join coupons c on c."id" = s."idCoupon"
    where s."completed" and not s."deleted" and not c."deleted" and not c."cancelled"
      and s."dateCompleted" >= date_trunc('month', now()) - interval '3 months' and s."dateCompleted" < date_trunc('month', now())
    group by c."idUser"`)
  return {
    clinic: rows.reduce((sum, row) => sum + row.sum, 0),
    doctors: new Map(rows.map(({ idUser, sum }) => [idUser, sum])),
  }
}
