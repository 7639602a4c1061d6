import { visitCalls } from '@ordinator/model/areas/visits/calls'
import sql, { raw } from 'sql-template-tag'
import { isGivenSql, visitLinesSql } from '#areas/counted/index.ts'
import { lineCostSql } from '#areas/money/index.ts'
import { clinicZone } from '#areas/settings/index.ts'
import { operation } from '#records/operation.ts'

const l = raw('l')

/**
 * Sales of a service in each of the last twelve months including the current one, in the clinic's time zone: number,
 * and sum after discounts.
 */
export const serviceSales = operation(visitCalls.serviceSales, async ({ app, params: { id } }) => {
  const months = await app.db.reads.query<{ month: string; qty: number; sum: number }>(sql`
    with this as (select date_trunc('month', now() at time zone ${clinicZone}) as month),
      given as (select date_trunc('month', l."dateCompleted" at time zone ${clinicZone}) as month,
          sum(l."qty") as qty, sum(${lineCostSql(l)}) as sum
        from ${visitLinesSql} where l."idService" = ${id} and ${isGivenSql}
          and l."dateCompleted" >= ((select month from this) - interval '11 months') at time zone ${clinicZone}
        group by 1)
    select to_char(m.month, 'YYYY-MM') as month, coalesce(g.qty, 0)::float8 as qty, coalesce(g.sum, 0)::float8 as sum
    from this, generate_series(this.month - interval '11 months', this.month, interval '1 month') m (month)
      left join given g on g.month = m.month
    order by m.month`)
  return { months }
})
