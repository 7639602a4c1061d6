/** Totals of a list of plans: принятие = agreed / offered, исполнение = done / agreed (screens.md §6). */
import { MAX_FIGURES, planCalls } from '@ordinator/model/areas/plans/calls'
import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import sql, { raw } from 'sql-template-tag'
import { filterSql } from '#records/filter.ts'
import { operation } from '#records/operation.ts'
import { parseFilterQuery, type RawParams } from '#records/params.ts'
import { aliases, and, me, query } from '#records/plan.ts'
import { visible } from '#records/scope.ts'
import { doneSql, overdueSql, paidSql, sumSql } from './progress.ts'

export const figures = operation(planCalls.figures, async ({ app, actor, request }) => {
  const filter = parseFilterQuery(request.query as RawParams)
  const alias = aliases()
  const row = alias()
  const env = { registry: app.registry, actor, me, alias }
  const definition = app.registry.at(TreatmentPlan.path)
  const wanted = and([
    visible(env, definition, row),
    filterSql(env, definition, filter, row),
    sql`(${row}."refuseReason" is distinct from 'variant')`,
  ])
  const p = raw('p')
  const found = await app.db.broad.one<{ text: string }>(
    query(
      sql`with known as (
          select p."dateAgreed" is not null as agreed, p."dateOffered" is not null as offered, f.*, ${overdueSql(p)} as overdue
          from (select * from customer_plans ${row} where ${wanted} order by ${row}."id" desc limit ${MAX_FIGURES}) p
            cross join lateral (select ${sumSql(p)} as sum, ${doneSql(p)} as done, ${paidSql(p)} as paid) f
        ) select json_build_object(
          'offered', json_build_object('count', count(*) filter (where offered),
            'sum', coalesce(sum(sum) filter (where offered), 0.00)),
          'agreed', json_build_object('count', count(*) filter (where agreed), 'sum', coalesce(sum(sum) filter (where agreed), 0.00)),
          'done', coalesce(sum(done), 0.00), 'left', coalesce(sum(sum - done) filter (where agreed), 0.00),
          'paid', coalesce(sum(paid), 0.00), 'overdue', count(*) filter (where overdue),
          'isMore', count(*) = ${MAX_FIGURES})::text as text
        from known`,
      actor,
    ),
  )
  return (found as { text: string }).text
})
