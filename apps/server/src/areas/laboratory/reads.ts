/** Read calls of the laboratory: work lists, lines of an order, history of a patient, statistics. */
import { allowed } from '@ordinator/model/access'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { publishedView, resultsView } from '@ordinator/model/areas/laboratory/access'
import { laboratoryCalls, type MatrixAnalyte } from '@ordinator/model/areas/laboratory/calls'
import { LabDevice } from '@ordinator/model/areas/laboratory/device'
import { LabOrder, LabOrderItem } from '@ordinator/model/areas/laboratory/order'
import { LabResult } from '@ordinator/model/areas/laboratory/result'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { z } from 'zod'
import { labItemCountsSql } from '#areas/counted/index.ts'
import { ofOpenCard } from '#areas/customers/index.ts'
import { lineDueSql, linePaidSql } from '#areas/money/index.ts'
import { clinicZone, withinDays } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import type { ServerActor } from '#records/actor.ts'
import { inOwnBranch, recordInOwnBranch } from '#records/branches.ts'
import { countedCall } from '#records/countedCall.ts'
import { operation } from '#records/operation.ts'
import { lateSql, needsCallSql } from './records.ts'
import { iso, patientSql } from './shown.ts'

const MAX_POINTS = 200
const MAX_REVIEWS = 100

/** Whether the actor also sees unapproved values of a visible order. */
const seesRaw = (actor: Parameters<typeof allowed>[0]): boolean => allowed(actor, resultsView)

export const lines = operation(laboratoryCalls.lines, async ({ app, records, actor, params }) => {
  const order = await records.row(LabOrder, params.id)
  await app.journal({
    action: 'view',
    idUser: actor.id,
    entityType: LabResult.path,
    idEntity: order.id,
    idCustomer: order.idCustomer,
  })
  const db = app.db.reads
  const seesValues = allowed(actor, publishedView)
  const published = seesRaw(actor)
    ? sql`r."status" <> 'dropped'`
    : seesValues
      ? sql`r."status" in ('medical', 'corrected')`
      : sql`false`
  const items = await db.query<Record<string, never> & { dueAt: string | null }>(sql`
    select i."id", i."idTest", t."name", p."name" as panel, b."name" as laboratory, b."kind" = 'partner' as "isPartner", i."status",
      i."dueAt", ${lineDueSql(raw('l'))}::float8 as price, ${linePaidSql(raw('l'))}::float8 as paid, i."idSample",
      coalesce((select jsonb_agg(jsonb_build_object('id', r."id", 'idAnalyte', r."idAnalyte", 'name', a."name", 'value', r."value",
          'unit', r."unit", 'normText', r."normText", 'flag', r."flag", 'delta', r."delta", 'status', r."status",
          'kind', r."kind", 'preliminary', r."preliminary", 'review', r."review" is not null, 'comment', r."comment", 'former', case when r."status" = 'corrected' then f."value" end, 'reason', r."reason",
          'needsCall', ${needsCallSql(raw('r'))}) order by k."order", r."id")
        from laboratory_results r join laboratory_analytes a on a."id" = r."idAnalyte"
          left join laboratory_components k on k."idTest" = i."idTest" and k."idAnalyte" = a."id" and not k."deleted"
          left join laboratory_results f on f."id" = r."idFormer"
        where r."idItem" = i."id" and r."isMain" and ${published}), '[]') as values
    from laboratory_order_items i join laboratory_catalog t on t."id" = i."idTest" join laboratory_list b on b."id" = i."idLaboratory"
      left join laboratory_catalog p on p."id" = i."idPanel" left join coupon_services l on l."id" = i."idCouponService"
    where i."idOrder" = ${order.id} and not i."deleted" order by i."id"`)
  const samples = await db.query(sql`
    select s."id", s."barcode", s."status", k."name" as container, k."cap", s."biomaterial", s."tempMode", s."rejectReason",
      coalesce((select jsonb_agg(jsonb_build_object('status', m."status", 'at', to_char(m."dateCreate" at time zone 'UTC',
          'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'author', nullif(concat_ws(' ', u."surname", left(u."name", 1) || '.'), ''), 'note', m."note")
          order by m."id") from laboratory_sample_steps m left join users u on u."id" = m."idAuthor"
        where m."idSample" = s."id"), '[]') as steps
    from laboratory_samples s left join laboratory_containers k on k."id" = s."idContainer"
    where s."idOrder" = ${order.id} and not s."deleted" order by s."id"`)
  const chosen =
    await db.query(sql`select t."id", t."name" from laboratory_order_wishes w join laboratory_catalog t on t."id" = w."idTest"
    where w."idOrder" = ${order.id} and not t."deleted" order by w."at"`)
  const paper = await db.one(
    sql`select 1 from laboratory_partner_orders where "idOrder" = ${order.id} and "paper" is not null limit 1`,
  )
  return JSON.stringify({
    chosen,
    items: items.map((one) => ({ ...one, dueAt: iso(one.dueAt) })),
    seesValues,
    hasPartnerPaper: paper !== undefined,
    samples,
  })
})

export const history = operation(laboratoryCalls.history, async ({ app, records, actor, query }) => {
  await records.mustOpen(Customer, query.idCustomer)
  await app.journal({
    action: 'view',
    idUser: actor.id,
    entityType: LabResult.path,
    idCustomer: query.idCustomer,
  })
  const db = app.db.reads
  const [analyte] = await db.query<MatrixAnalyte>(sql`select "id", "name", "shortName", "code", "unit", "type",
    coalesce("decimals", 2) as decimals, coalesce("choices", '[]') as choices, "formula" is not null as derived
    from laboratory_analytes where "id" = ${query.idAnalyte}`)
  const points = await db.query<{ takenAt: string; normText: string | null } & Record<string, never>>(sql`
    select r."id", r."takenAt", r."value", r."valueNum"::float8 as number, r."unit", r."normText", r."flag", i."idOrder", o."number" as "order"
    from laboratory_results r join laboratory_order_items i on i."id" = r."idItem" join laboratory_orders o on o."id" = i."idOrder"
    where r."idCustomer" = ${query.idCustomer} and r."idAnalyte" = ${query.idAnalyte} and r."isMain"
      and r."status" in ('medical', 'corrected') and r."kind" <> 'none' and not o."deleted" order by r."takenAt" desc limit ${MAX_POINTS}`)
  const norm = boundsOf(points[0]?.normText ?? null)
  return JSON.stringify({
    analyte: analyte ?? {
      id: query.idAnalyte,
      name: '',
      shortName: null,
      code: '',
      unit: null,
      type: 'text',
      decimals: 0,
      choices: [],
      derived: false,
    },
    norm,
    points: points.map((one) => ({ ...one, takenAt: iso(one.takenAt) })),
  })
})

/** Parses the bounds of a norm as printed with a value. */
function boundsOf(text: string | null): { low: number | null; high: number | null } {
  const numbers =
    (text ?? '')
      .replaceAll(',', '.')
      .match(/\d+(\.\d+)?/g)
      ?.map(Number) ?? []
  if (text?.includes('–')) return { low: numbers[0] ?? null, high: numbers[1] ?? null }
  if (text?.startsWith('до')) return { low: null, high: numbers[0] ?? null }
  if (text?.startsWith('более')) return { low: numbers[0] ?? null, high: null }
  return { low: null, high: null }
}

export const ofCustomer = operation(laboratoryCalls.ofCustomer, async ({ app, records, actor, params }) => {
  await records.mustOpen(Customer, params.id)
  await app.journal({ action: 'view', idUser: actor.id, entityType: LabResult.path, idCustomer: params.id })
  const items = await app.db.reads.query<{ takenAt: string } & Record<string, never>>(sql`
    select x."idAnalyte", a."name", a."section", x."id", x."takenAt", x."value", x."valueNum"::float8 as number, x."unit", x."normText",
      x."flag", i."idOrder", o."number" as "order", x."delta"::float8 as delta, f."value" as former
    from (select distinct on (r."idAnalyte") r.* from laboratory_results r where r."idCustomer" = ${params.id} and r."isMain"
        and r."status" in ('medical', 'corrected') and r."kind" <> 'none' order by r."idAnalyte", r."takenAt" desc, r."id" desc) x
      join laboratory_analytes a on a."id" = x."idAnalyte" join laboratory_order_items i on i."id" = x."idItem"
      join laboratory_orders o on o."id" = i."idOrder" and not o."deleted"
      left join lateral (select p."value" from laboratory_results p where p."idCustomer" = x."idCustomer" and p."idAnalyte" = x."idAnalyte"
        and p."isMain" and p."status" in ('medical', 'corrected') and p."takenAt" < x."takenAt" order by p."takenAt" desc limit 1) f on true
    order by a."section", a."name" limit 1000`)
  return JSON.stringify({ items: items.map((one) => ({ ...one, takenAt: iso(one.takenAt) })) })
})

export const criticals = operation(laboratoryCalls.criticals, async ({ app, actor }) => {
  const me = sql`${actor.id}::bigint`
  const items = await app.db.reads.query<{ since: string } & Record<string, never>>(sql`
    select r."id", o."id" as "idOrder", o."number", ${patientSql} as patient,
      nullif(concat_ws(' ', u."surname", left(u."name", 1) || '.', left(u."middleName", 1) || '.'), '') as doctor, u."phone",
      a."name" as analyte, r."value", r."unit", r."normText", r."flag", r."dateCreate" as since
    from laboratory_results r join laboratory_order_items i on i."id" = r."idItem" join laboratory_orders o on o."id" = i."idOrder"
      join customers c on c."id" = o."idCustomer" join laboratory_analytes a on a."id" = r."idAnalyte"
      left join users u on u."id" = o."idDoctor"
    where ${needsCallSql(raw('r'))} and not o."deleted"
      and ${ofOpenCard({ row: raw('o'), me })} and ${inOwnBranch(actor, sql`o."idFilial"`)} order by r."id" limit 50`)
  // Unapproved values are shown to laboratory staff only: others see that there is one.
  const hidden = !seesRaw(actor)
  return JSON.stringify({
    items: items.map((one) => ({ ...one, ...(hidden && { value: '—', normText: null }), since: iso(one.since) })),
  })
})

export const reviews = operation(laboratoryCalls.reviews, async ({ app, actor }) => {
  const me = sql`${actor.id}::bigint`
  const items = await app.db.reads.query<Record<string, never>>(sql`
    select r."id", o."id" as "idOrder", o."number", ${patientSql} as patient, a."name" as analyte, r."unit", r."value", r."normText", r."flag",
      r."review"->>'why' as why, r."review"->>'normText' as "newNorm", r."review"->>'flag' as "newFlag",
      case when r."review"->>'why' in ('tube', 'withdrawn') or r."review"->>'why' = 'sources' and r."review"->>'value' is null
        then 'Нет результата' else coalesce(r."review"->>'value', r."value") end as "newValue"
    from laboratory_results r join laboratory_order_items i on i."id" = r."idItem" join laboratory_orders o on o."id" = i."idOrder"
      join customers c on c."id" = o."idCustomer" join laboratory_analytes a on a."id" = r."idAnalyte"
    where r."review" is not null and r."isMain" and not o."deleted" and ${ofOpenCard({ row: raw('o'), me })}
      and ${inOwnBranch(actor, sql`o."idFilial"`)}
    order by r."id" limit ${MAX_REVIEWS}`)
  return JSON.stringify({ items })
})

type Figures = z.output<typeof laboratoryCalls.figures.answer>
interface FiguresAsked {
  from: string
  to: string
  idFilial?: number | undefined
}

async function figuresOf(db: Queryable, { from, to, idFilial }: FiguresAsked, actor: ServerActor): Promise<Figures> {
  const atBranch = sql`and ${inOwnBranch(actor, sql`o."idFilial"`)} ${idFilial ? sql`and o."idFilial" = ${idFilial}` : empty}`
  // A panel's price is divided equally among its tests.
  const done = sql`done as materialized (select i."id", i."idOrder", i."idLaboratory", i."doneAt", i."dueAt", coalesce(i."cost", 0) as cost,
      coalesce(${lineDueSql(raw('l'))} / nullif((select count(*) from laboratory_order_items p where p."idCouponService" = l."id"
        and ${labItemCountsSql(raw('p'))}), 0), 0) as price,
      extract(epoch from i."doneAt" - coalesce(s."takenAt", o."takenAt")) / 3600 as hours
    from laboratory_order_items i join laboratory_orders o on o."id" = i."idOrder" and not o."deleted" ${atBranch}
      left join laboratory_samples s on s."id" = i."idSample" left join coupon_services l on l."id" = i."idCouponService"
    where i."status" = 'done' and not i."deleted" and ${withinDays(raw('i."doneAt"'), from, to)})`
  const measures = sql`count(*)::int as tests, round(percentile_cont(0.5) within group (order by hours)::numeric, 1)::float8 as "tatMedian",
    round(percentile_cont(0.9) within group (order by hours)::numeric, 1)::float8 as "tatP90",
    round(100.0 * count(*) filter (where "doneAt" <= "dueAt") / nullif(count(*) filter (where "dueAt" is not null), 0), 1)::float8 as "inTerm",
    coalesce(round(sum(price), 2), 0)::float8 as revenue, coalesce(sum(cost), 0)::float8 as cost,
    coalesce(round(sum(price) - sum(cost), 2), 0)::float8 as margin`
  const answer = await db.one<{ figures: Figures }>(sql`with ${done},
    whole as (select count(distinct "idOrder")::int as orders, ${measures} from done),
    taken as (select s."status", s."rejectReason" from laboratory_samples s join laboratory_orders o on o."id" = s."idOrder" ${atBranch}
      where not s."deleted" and ${withinDays(raw('s."takenAt"'), from, to)})
    select (to_jsonb(w) || jsonb_build_object(
      'samples', (select count(*) from taken), 'rejected', (select count(*) from taken where "rejectReason" is not null),
      'rejectShare', (select round(100.0 * count(*) filter (where "rejectReason" is not null) / nullif(count(*), 0), 2) from taken),
      'byReason', coalesce((select jsonb_agg(jsonb_build_object('reason', r.reason, 'count', r.n) order by r.n desc) from
        (select "rejectReason" as reason, count(*) as n from taken where "rejectReason" is not null group by 1) r), '[]'),
      'byLaboratory', coalesce((select jsonb_agg(to_jsonb(x) order by x.tests desc) from (select d."idLaboratory", b."name", ${measures}
        from done d join laboratory_list b on b."id" = d."idLaboratory" group by 1, 2) x), '[]'),
      'byDay', coalesce((select jsonb_agg(jsonb_build_object('day', y.day, 'tests', y.n, 'tatMedian', y.median) order by y.day) from
        (select to_char("doneAt" at time zone ${clinicZone}, 'YYYY-MM-DD') as day, count(*) as n,
          round(percentile_cont(0.5) within group (order by hours)::numeric, 1) as median from done group by 1) y), '[]'))) as figures
    from whole w`)
  return (answer as { figures: Figures }).figures
}

const noFigures: Figures = {
  ...{ orders: 0, tests: 0, tatMedian: null, tatP90: null, inTerm: null, samples: 0, rejected: 0, rejectShare: null },
  ...{ revenue: 0, cost: 0, margin: 0, byReason: [], byLaboratory: [], byDay: [] },
}

export const figures = countedCall(laboratoryCalls.figures, {
  asked: ({ query }) => query,
  count: figuresOf,
  empty: () => noFigures,
})

export const now = operation(laboratoryCalls.now, async ({ app, actor }) => {
  const own = inOwnBranch(actor, sql`o."idFilial"`)
  const atDevice = (idDevice: Sql) => recordInOwnBranch(app.registry, actor, LabDevice.path, idDevice)
  const ofItem = (idItem: Sql) => recordInOwnBranch(app.registry, actor, LabOrderItem.path, idItem)
  const samples = (status: string) =>
    sql`(select count(*)::int from laboratory_samples s join laboratory_orders o on o."id" = s."idOrder" and not o."deleted"
      and o."status" not in ('draft', 'cancelled') where s."status" = ${status} and not s."deleted" and ${own})`
  const open = sql`laboratory_order_items i join laboratory_components k on k."idTest" = i."idTest" and not k."deleted"
    and k."idAnalyte" is not null left join laboratory_results r on r."idItem" = i."id" and r."idAnalyte" = k."idAnalyte" and r."isMain"
    and r."status" <> 'dropped' where i."status" in ('taken', 'inWork') and not i."deleted" and ${ofItem(raw('i."id"'))}`
  const found = await app.db.reads.one<{ text: string }>(sql`select jsonb_build_object(
    'toTake', ${samples('planned')}, 'toPack', ${samples('taken')}, 'onTheWay', ${samples('shipped')},
    'toEnter', (select count(*)::int from ${open} and r."id" is null),
    'toConfirm', (select count(*)::int from ${open} and r."status" in ('raw', 'technical')),
    'critical', (select count(*)::int from laboratory_results r where ${needsCallSql(raw('r'))} and ${ofItem(raw('r."idItem"'))}),
    'late', (select count(*)::int from laboratory_orders o where ${lateSql(raw('o'))} and not o."deleted" and ${own}),
    'strays', (select count(*)::int from laboratory_strays y where y."status" = 'open' and ${atDevice(raw('y."idDevice"'))}),
    'heldControls', (select count(*)::int from laboratory_controls k where k."active" and not k."deleted"
      and ${atDevice(raw('k."idDevice"'))} and (select x."rejected" from laboratory_control_runs x where x."idControl" = k."id" order by x."id" desc limit 1)),
    'retakes', (select count(*)::int from laboratory_samples s join laboratory_orders o on o."id" = s."idOrder"
      and o."status" not in ('draft', 'cancelled') where s."status" = 'planned' and s."idFormer" is not null and not s."deleted" and ${own}))::text as text`)
  return (found as { text: string }).text
})
