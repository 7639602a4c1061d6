/** Plans of the demo clinic in all states: plans in progress use existing visits. */
import { PlanItem, PlanStage, TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { CouponService } from '@ordinator/model/areas/visits/visit'
import sql, { raw } from 'sql-template-tag'
import { isCountedSql, visitLinesSql } from '#areas/counted/index.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'

const PLANS = 40
const pastHooks = { pastHooks: 'The demo clinic is laid out as a whole' }

const templates = [
  { name: 'Гипертония: обследование и подбор терапии', icd10: 'I10', diagnosis: 'Гипертензивная болезнь, риск 2' },
  { name: 'Восстановление спины', icd10: 'M54.5', diagnosis: 'Боль внизу спины' },
  { name: 'Лечение гастрита', icd10: 'K29.5', diagnosis: 'Хронический гастрит, обострение' },
  { name: 'Наблюдение на год: диабет', icd10: 'E11.9', diagnosis: 'Сахарный диабет 2 типа без осложнений' },
  { name: 'Подготовка к операции', icd10: 'K80.2', diagnosis: 'Камни желчного пузыря без холецистита' },
] as const

/** State of a plan by its number modulo eight: see `dates`. */
const [DRAFT, OFFERED, AGREED, DONE, REFUSED] = [0, 1, 2, 6, 7]
const state = raw('(q.n % 8)')
const made = sql`(now() - make_interval(days => (q.n * 7 % 80 + 6)::int))`

export async function demo(records: Records, _app: AppContext): Promise<void> {
  const system = records.asSystem
  await system.createFrom(
    TreatmentPlan,
    sql`(select a."idCustomer", (array_agg(a."idUser" order by a."id"))[1] as "idUser",
        (array_agg(a."idFilial" order by a."id"))[1] as "idFilial",
        row_number() over (order by count(*) filter (where a."visitStatus" = 'completed') desc, a."idCustomer") as n
      from appointments a where a."visitStatus" not in ('cancelled', 'noShow', 'moved')
      group by 1 having count(*) filter (where a."visitStatus" = 'completed') > 0 order by n limit ${PLANS}) q
      join lateral (select * from jsonb_to_recordset(${JSON.stringify(templates)}::jsonb) as t("name" text, "icd10" text, "diagnosis" text)
        offset q.n % ${templates.length} limit 1) t on true
      order by q.n`,
    {
      name: raw('t."name"'),
      idCustomer: raw('q."idCustomer"'),
      idDoctor: raw('q."idUser"'),
      idFilial: raw('q."idFilial"'),
      icd10: raw('t."icd10"'),
      diagnosis: raw('t."diagnosis"'),
      note: raw(`case when q.n % 3 = 0 then 'За сутки до анализов не ешьте жирного, воду пить можно.' end`),
      validTo: sql`(${made} + interval '120 days')::date`,
      dateCreate: made,
      dateChange: made,
      dateOffered: sql`case when ${state} <> ${DRAFT} then ${made} + interval '1 day' end`,
      dateAgreed: sql`case when ${state} between ${AGREED} and ${DONE} then ${made} + interval '3 days' end`,
      signMethod: sql`case when ${state} between ${AGREED} and ${DONE} then case when q.n % 3 = 0 then 'sms' else 'paper' end end`,
      dateRefused: sql`case when ${state} = ${REFUSED} then ${made} + interval '5 days' end`,
      refuseReason: sql`case when ${state} = ${REFUSED} then (array['price', 'later', 'elsewhere'])[1 + q.n % 3] end`,
      idAuthor: raw('q."idUser"'),
    },
    pastHooks,
  )
  const plans = raw(`(select p.*, row_number() over (order by p."id") as n from customer_plans p)`)
  await system.createFrom(
    PlanStage,
    sql`${plans} q cross join lateral (values (1, 'Обследование', 0), (2, 'Лечение', 1), (3, 'Контроль', 2)) s("at", "name", "later")
      where ${state} <> ${DONE} or s."at" = 1 order by q.n, s."at"`,
    {
      idPlan: raw('q."id"'),
      order: raw('s."at"'),
      name: raw('s."name"'),
      plannedMonth: raw(`(date_trunc('month', q."dateCreate") + make_interval(months => s."later"))::date`),
    },
    pastHooks,
  )
  // Completed parts of plans in progress: each service with the quantity of its visits.
  const own = sql`${visitLinesSql} where a."idCustomer" = q."idCustomer" and ${isCountedSql} and l."price" > 0
    and (l."completed" or ${state} <> ${DONE})`
  await system.createFrom(
    PlanItem,
    sql`${plans} q join customer_plans_stages s on s."idPlan" = q."id" and s."order" = 1
      join lateral (select l."idService", sum(l."qty")::int as qty, max(l."price") as price, min(l."id") as first
        from ${own} group by 1 order by min(l."id") limit 5) i on true
      where ${state} between ${AGREED + 1} and ${DONE} order by q.n, i.first`,
    {
      idStage: raw('s."id"'),
      order: raw('i.first'),
      idService: raw('i."idService"'),
      qty: raw('i.qty'),
      price: raw('i.price'),
    },
    pastHooks,
  )
  // Remaining services, and all of plans without visits.
  await system.createFrom(
    PlanItem,
    sql`${plans} q join customer_plans_stages s on s."idPlan" = q."id"
      join lateral (select v."id", v."priceService", row_number() over (order by hashint8(v."id" * 31 + s."id")) as at
        from service_performers f join services v on v."id" = f."idService" and v."active" and v."priceService" > 0
        where f."idUser" = q."idDoctor" and not f."deleted" limit 2) v on v.at <= 1 + (q.n + s."order") % 2
      where s."order" > 1 or ${state} in (${DRAFT}, ${OFFERED}, ${AGREED}, ${REFUSED}) order by q.n, s."order", v.at`,
    {
      idStage: raw('s."id"'),
      order: raw('1000000 + v.at'),
      idService: raw('v."id"'),
      qty: raw('1 + (q.n + v.at) % 3'),
      price: raw('v."priceService"'),
      discount: raw(
        `case when q.n % 5 = 2 and v.at % 2 = 0 then round(v."priceService" * (1 + (q.n + v.at) % 3) * 0.1, 2) else 0 end`,
      ),
    },
    pastHooks,
  )
  await system.updateWhere(
    CouponService,
    {
      rows: sql`select distinct on (l."id") l."id", i."id" as "idPlanItem" from ${visitLinesSql}
        join customer_plans p on p."idCustomer" = a."idCustomer" and p."dateAgreed" is not null
        join customer_plans_stages s on s."idPlan" = p."id" and s."order" = 1
        join customer_plans_items i on i."idStage" = s."id" and i."idService" = l."idService" and i."order" < 1000000
        where ${isCountedSql} and l."price" > 0 and l."price" = i."price"
          and (l."completed" or exists (select 1 from customer_plans_stages more where more."idPlan" = p."id" and more."order" > 1))
        order by l."id"`,
    },
    ({ row, picked }) => ({
      idPlanItem: sql`${picked}."idPlanItem"`,
      planSum: sql`round(${row}."price" * ${row}."qty", 2)`,
      isFixed: true,
    }),
    pastHooks,
  )
  await demoVariants(records)
}

/** Cheaper variants of some offered plans. */
async function demoVariants(records: Records): Promise<void> {
  const system = records.asSystem
  const firsts = sql`customer_plans p where p."dateOffered" is not null and p."dateAgreed" is null
    and p."dateRefused" is null and p."id" % 2 = 0`
  const made = await system.createFrom(
    TreatmentPlan,
    sql`${firsts} order by p."id"`,
    {
      name: raw('p."name"'),
      variant: 'Вариант Б',
      idFirst: raw('p."id"'),
      idCustomer: raw('p."idCustomer"'),
      idDoctor: raw('p."idDoctor"'),
      idFilial: raw('p."idFilial"'),
      icd10: raw('p."icd10"'),
      diagnosis: raw('p."diagnosis"'),
      validTo: raw('p."validTo"'),
      dateCreate: raw('p."dateCreate"'),
      dateOffered: raw('p."dateOffered"'),
      idAuthor: raw('p."idAuthor"'),
    },
    pastHooks,
  )
  if (made.length === 0) return
  await system.updateWhere(
    TreatmentPlan,
    ({ row }) => sql`exists (select 1 from customer_plans b where b."idFirst" = ${row}."id")`,
    { variant: 'Вариант А' },
    pastHooks,
  )
  await system.createFrom(
    PlanStage,
    sql`customer_plans b join customer_plans_stages s on s."idPlan" = b."idFirst" and s."order" < 3 order by b."id", s."order"`,
    { idPlan: raw('b."id"'), order: raw('s."order"'), name: raw('s."name"'), plannedMonth: raw('s."plannedMonth"') },
    pastHooks,
  )
  await system.createFrom(
    PlanItem,
    sql`customer_plans b join customer_plans_stages s on s."idPlan" = b."idFirst"
      join customer_plans_stages t on t."idPlan" = b."id" and t."order" = s."order"
      join customer_plans_items i on i."idStage" = s."id" and i."order"::int % 2 = 1 order by t."id", i."order"`,
    {
      idStage: raw('t."id"'),
      order: raw('i."order"'),
      idService: raw('i."idService"'),
      qty: 1,
      price: raw('i."price"'),
    },
    pastHooks,
  )
}
