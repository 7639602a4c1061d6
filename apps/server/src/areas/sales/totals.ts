import { analyticsCalls } from '@ordinator/model/areas/sales/analyticsCalls'
import { Funnel } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import sql from 'sql-template-tag'
import { filterSql } from '#records/filter.ts'
import { operation } from '#records/operation.ts'
import { parseFilterQuery, type RawParams } from '#records/params.ts'
import { aliases, and, me, query } from '#records/plan.ts'

export const funnelTotals = operation(analyticsCalls.funnelTotals, async ({ app, records, actor, params, request }) => {
  const filter = parseFilterQuery(request.query as RawParams)
  await records.view(Funnel, params.id, { fields: 'id' })
  const alias = aliases()
  const row = alias()
  const env = { registry: app.registry, actor, me, alias }
  const wanted = and([
    sql`${row}."idStage" = s."id" and not ${row}."deleted"`,
    filterSql(env, app.registry.at(Lead.path), filter, row),
  ])
  const found = await app.db.broad.one<{ text: string }>(
    query(
      sql`with totals as (
          select s."id", s."order", l.n, l.total from sales_management_stages s cross join lateral (
            select count(*) as n, coalesce(sum(${row}."price"), 0.00) as total from sales_management_leads ${row} where ${wanted}
          ) l where s."idFunnel" = ${params.id}::bigint and not s."deleted"
        ) select json_build_object('count', coalesce(sum(n), 0), 'sum', coalesce(sum(total), 0.00), 'items',
          coalesce(json_agg(json_build_object('idStage', "id", 'count', n, 'sum', total) order by "order", "id"), '[]'))::text as text
        from totals`,
      actor,
    ),
  )
  return (found as { text: string }).text
})
