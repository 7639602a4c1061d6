/**
 * Figures of a funnel and of a deal. Conversion, sources and responsible people cover deals created in the period; won
 * and lost cover those closed in it; the forecast all open ones. Each figure has the filter of `GET
 * /sales-management/leads` that returns its deals.
 */
import { analyticsCalls } from '@ordinator/model/areas/sales/analyticsCalls'
import { DONE, Funnel, LOSS, WORK } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { dayIn, plusDays } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { z } from 'zod'
import { fioSql } from '#areas/staff/index.ts'
import { badRequest } from '#platform/errors.ts'
import { countedCall } from '#records/countedCall.ts'
import { operation } from '#records/operation.ts'

/** Default length of the period in days. */
const DEFAULT_DAYS = 90

type FunnelFigures = z.output<typeof analyticsCalls.funnelAnalytics.answer>

const none = { count: 0, sum: 0, filter: {} }

export const funnelAnalytics = countedCall(analyticsCalls.funnelAnalytics, {
  async asked({ records, actor, params, query }) {
    await records.view(Funnel, params.id, { fields: 'id' })
    const dateEnd = query.dateEnd ?? dayIn(actor.timeZone, Date.now())
    const dateStart = query.dateStart ?? plusDays(dateEnd, -DEFAULT_DAYS)
    if (dateStart > dateEnd) throw badRequest('Параметр dateEnd: дата окончания раньше даты начала')
    return { funnel: params.id, dateStart, dateEnd }
  },
  async count(db, { funnel, dateStart, dateEnd }, actor) {
    const found = await db.one<{ figures: FunnelFigures }>(funnelSql(funnel, dateStart, dateEnd, actor.timeZone))
    return (found as { figures: FunnelFigures }).figures
  },
  empty: ({ dateStart, dateEnd }) => ({
    ...{ dateStart, dateEnd, created: none, open: none, won: none, lost: none },
    ...{ stages: [], lossReasons: [], responsible: [], sources: [], forecast: [] },
  }),
})

export const leadAnalytics = operation(analyticsCalls.leadAnalytics, async ({ app, records, params }) => {
  // Sums of offers come from the engine, so that figures are equal everywhere.
  const [offers, found] = await Promise.all([
    records.view(Lead, params.id, { fields: 'price,offers.total,offers.totalAccepted', expand: 'offers' }),
    app.db.reads.one<{ text: string }>(leadSql(params.id)),
  ])
  const sums = await app.db.reads.one<{ text: string }>(sql`select json_build_object(
        'price', (l.j ->> 'price')::numeric(14,2),
        'offersSum', coalesce(sum((o ->> 'total')::numeric(20,2)), 0.00),
        'acceptedSum', coalesce(sum((o ->> 'totalAccepted')::numeric(20,2)), 0.00))::text as text
      from (select ${offers}::json as j) l left join lateral json_array_elements(l.j -> 'offers') o on true group by l.j ->> 'price'`)
  return `${sums?.text.slice(0, -1)},${found?.text.slice(1)}`
})

/** Query parameters for the list of deals: `{ 'filter[a]': 'b' }`. */
const filterOf = (base: Sql, ...conditions: (readonly [string, Sql])[]): Sql =>
  conditions.reduce(
    (all, [name, value]) => sql`${all} || jsonb_build_object(${`filter${name}`}::text, (${value})::text)`,
    base,
  )

const figureOf = (count: Sql, sum: Sql, filter: Sql): Sql =>
  sql`'count', ${count}, 'sum', coalesce(${sum}, 0.00), 'filter', ${filter}`

/** count(*) and sum(price) over the rows that match. */
const over = (condition: Sql, filter: Sql): Sql =>
  figureOf(sql`count(*) filter (where ${condition})`, sql`sum("price") filter (where ${condition})`, filter)

const won = sql`"idType" = ${DONE}`
const lost = sql`"idType" = ${LOSS}`
const open = sql`"idType" = ${WORK}`
const ofType = (idType: number) => ['[stage.idType]', sql`${idType}::int`] as const

function funnelSql(idFunnel: number, since: string, until: string, timeZone: string): Sql {
  const moment = (date: string, plus = 0) =>
    sql`((${date}::date + ${plus}::int)::timestamp at time zone ${timeZone}::text)`
  const [from, to] = [moment(since), moment(until, 1)]
  const iso = (at: Sql) => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
  const within = (field: string, base: Sql) =>
    filterOf(base, [`[${field}][gte]`, iso(from)] as const, [`[${field}][lt]`, iso(to)] as const)
  const all = filterOf(raw(`'{}'::jsonb`), ['[stage.idFunnel]', sql`${idFunnel}::bigint`] as const)
  const created = sql`(select created from filters)`
  const closed = sql`(select closed from filters)`
  const every = sql`(select every from filters)`
  return sql`with filters as (select ${all} as every, ${within('dateCreate', all)} as created, ${within('dateClosed', all)} as closed),
    stages as (select * from sales_management_stages where "idFunnel" = ${idFunnel}::bigint and not "deleted"),
    leads as (
      select l.*, s."idType" from sales_management_leads l join stages s on s."id" = l."idStage" where not l."deleted"
    ),
    cohort as materialized (select * from leads where "dateCreate" >= ${from} and "dateCreate" < ${to}),
    closed as (select * from leads where "dateClosed" >= ${from} and "dateClosed" < ${to}),
    visits as (
      select v."idStage", count(distinct v."idLead") as entered,
        count(distinct v."idLead") filter (where v."idPassed" is not null) as passed,
        count(distinct v."idLead") filter (where v."idLost" is not null) as lost,
        percentile_cont(0.5) within group (order by extract(epoch from v."dateEnd" - v."dateStart")) filter (where v."dateEnd" is not null) as median,
        avg(extract(epoch from v."dateEnd" - v."dateStart")) as mean
      from cohort c join sales_management_lead_visits v on v."idLead" = c."id" group by v."idStage"
    ),
    present as (select "idStage", count(*) as n, coalesce(sum("price"), 0.00) as total from leads group by "idStage")
    select json_build_object('dateStart', ${since}::text, 'dateEnd', ${until}::text,
      'created', (select json_build_object(${over(raw('true'), created)}) from cohort),
      'open', (select json_build_object(${over(raw('true'), filterOf(every, ofType(WORK)))}) from leads where ${open}),
      'won', (select json_build_object(${over(won, filterOf(closed, ofType(DONE)))}) from closed),
      'lost', (select json_build_object(${over(lost, filterOf(closed, ofType(LOSS)))}) from closed),
      'stages', (select coalesce(json_agg(json_build_object(
          'idStage', s."id", 'name', s."name", 'color', s."color", 'idType', s."idType",
          'entered', json_build_object('count', coalesce(v.entered, 0), 'filter', ${filterOf(created, ['[visits.idStage]', raw('s."id"')])}),
          'passed', json_build_object('count', coalesce(v.passed, 0), 'filter', ${filterOf(created, ['[visits.idPassed]', raw('s."id"')])}),
          'lost', json_build_object('count', coalesce(v.lost, 0), 'filter', ${filterOf(created, ['[visits.idLost]', raw('s."id"')])}),
          'conversion', case when s."idType" = ${WORK} then round(v.passed::numeric / nullif(v.entered, 0), 4) end,
          'medianSeconds', round(v.median::numeric), 'meanSeconds', round(v.mean),
          'now', json_build_object(${figureOf(raw('coalesce(p.n, 0)'), raw('p.total'), filterOf(every, ['[idStage]', raw('s."id"')]))})
        ) order by s."order", s."id"), '[]')
        from stages s left join visits v on v."idStage" = s."id" left join present p on p."idStage" = s."id"),
      'lossReasons', (select coalesce(json_agg(json_build_object(
          'idLossReason', g.id, 'name', g.name, ${figureOf(
            raw('g.n'),
            raw('g.total'),
            sql`case when g.id is null
            then ${filterOf(closed, ofType(LOSS), ['[idLossReason][null]', raw('1')])}
            else ${filterOf(closed, ofType(LOSS), ['[idLossReason]', raw('g.id')])} end`,
          )}
        ) order by g.n desc, g.total desc, g.id), '[]') from (
          select r."id", r."name", count(*) as n, sum("price") as total from closed c
          left join sales_management_loss_reasons r on r."id" = c."idLossReason" where ${lost} group by r."id"
        ) g),
      'responsible', ${groups(
        'idUser',
        fioSql(raw('n')),
        sql`cohort c left join sales_management_responsible r on r."idLead" = c."id"`,
        raw('r."idUser"'),
        raw('users'),
        (base) => filterOf(base, ['[responsible.idUser]', raw('g.id')]),
        (base) => filterOf(base, ['[not][responsible.id][gt]', raw('0')]),
        created,
      )},
      'sources', ${groups(
        'idSource',
        raw('n."name"'),
        raw('cohort c'),
        raw('c."idSource"'),
        raw('sales_management_sources'),
        (base) => filterOf(base, ['[idSource]', raw('g.id')]),
        (base) => filterOf(base, ['[idSource][null]', raw('1')]),
        created,
      )},
      'forecast', (select coalesce(json_agg(json_build_object('month', to_char(g.month, 'YYYY-MM'), ${figureOf(
        raw('g.n'),
        raw('g.total'),
        sql`case when g.month is null then ${filterOf(every, ofType(WORK), ['[dateExpected][null]', raw('1')])}
          else ${filterOf(
            every,
            ofType(WORK),
            ['[dateExpected][gte]', raw('g.month')],
            ['[dateExpected][lt]', raw("(g.month + interval '1 month')::date")],
          )} end`,
      )}) order by g.month nulls last), '[]') from (
          select date_trunc('month', "dateExpected")::date as month, count(*) as n, sum("price") as total
          from leads where ${open} group by 1
        ) g)
    ) as figures`
}

/**
 * Deals of the cohort grouped by person or value, with their outcomes. A deal with two responsible people counts for
 * both.
 */
function groups(
  key: string,
  title: Sql,
  rows: Sql,
  by: Sql,
  names: Sql,
  some: (base: Sql) => Sql,
  none: (base: Sql) => Sql,
  base: Sql,
): Sql {
  const opened = (of: Sql) => sql`case when g.id is null then ${none(of)} else ${some(of)} end`
  return sql`(select coalesce(json_agg(json_build_object(${key}::text, g.id, 'name', g.name,
      ${figureOf(raw('g.n'), raw('g.total'), opened(base))},
      'won', json_build_object(${figureOf(raw('g.won'), raw('g."wonTotal"'), opened(filterOf(base, ofType(DONE))))}),
      'lost', json_build_object(${figureOf(raw('g.lost'), raw('g."lostTotal"'), opened(filterOf(base, ofType(LOSS))))}),
      'wonShare', round(g.won::numeric / nullif(g.won + g.lost, 0), 4)
    ) order by g.total desc nulls last, g.n desc, g.id), '[]') from (
      select x.id, (select ${title} from ${names} n where n."id" = x.id) as name, x.n, x.total, x.won, x."wonTotal", x.lost, x."lostTotal"
      from (
        select ${by} as id, count(*) as n, sum("price") as total,
          count(*) filter (where ${won}) as won, sum("price") filter (where ${won}) as "wonTotal",
          count(*) filter (where ${lost}) as lost, sum("price") filter (where ${lost}) as "lostTotal"
        from ${rows} group by ${by}
      ) x
    ) g)`
}

const leadSql = (id: number): Sql => sql`
  with visits as (
    select v.*, s."name", s."color", s."idType", s."order",
      round(extract(epoch from coalesce(v."dateEnd", now()) - v."dateStart")) as seconds
    from sales_management_lead_visits v join sales_management_stages s on s."id" = v."idStage" where v."idLead" = ${id}::bigint
  )
  select json_build_object(
    'seconds', coalesce(sum(seconds) filter (where "idType" = ${WORK}), 0),
    'movesCount', greatest(count(*) - 1, 0),
    'stages', (select coalesce(json_agg(json_build_object('idStage', g."idStage", 'name', g."name", 'color', g."color", 'idType', g."idType",
        'visits', g.n, 'seconds', g.seconds, 'isCurrent', g.current) order by g."order", g."idStage"), '[]')
      from (select "idStage", "name", "color", "idType", "order", count(*) as n, sum(seconds) as seconds, bool_or("dateEnd" is null) as current
        from visits group by 1, 2, 3, 4, 5) g),
    'moves', coalesce(json_agg(json_build_object('idStage', "idStage", 'name', "name", 'dateStart', "dateStart", 'dateEnd', "dateEnd",
      'seconds', seconds) order by "id"), '[]')
  )::text as text from visits`
