/** Statistics of the clinic's sheets. */
import { elnCalls } from '@ordinator/model/areas/eln/calls'
import sql, { raw } from 'sql-template-tag'
import { clinicToday, readCommonSettings } from '#areas/settings/index.ts'
import { inOwnBranch } from '#records/branches.ts'
import { operation } from '#records/operation.ts'
import { daysSql, hasChairmanSql, isClosedSql } from './derived.ts'
import { dueLeaves } from './due.ts'
import { exchangeState } from './limits.ts'

const MAX_GROUPS = 12

export const figures = operation(elnCalls.figures, async ({ app, records, actor }) => {
  const row = raw('l')
  const own = inOwnBranch(actor, sql`l."idFilial"`)
  const due = await dueLeaves(records)
  const numbers = await app.db.one<{ open: number; free: number; unknown: number }>(sql`select
    (select count(*)::int from (select from eln l where not l."deleted" and ${own} and coalesce(l."stateSfr", '010') in ('010', '020', '040', '050')
      and not ${isClosedSql(row)} limit 10000) q) as open,
    (select count(*)::int from (select from eln_numbers where "status" = 'free' limit 1000) q) as free,
    (select count(*)::int from eln_number_requests where "status" = 'unknown') as unknown`)
  const closed = sql`eln l where not l."deleted" and ${own} and ${isClosedSql(row)} and l."dateIssue" > ${clinicToday} - 90`
  const all = await app.db.one<{
    count: number
    days: number | null
    commission: number | null
    rejected: number | null
  }>(sql`
    select count(*)::int as count, round(avg(${daysSql(row)}), 1)::float8 as days,
      avg(${hasChairmanSql(row)}::int)::float8 as commission,
      (select avg((l."localStatus" = 'rejected')::int)::float8 from eln l where not l."deleted" and ${own} and l."dateSent" > now() - interval '90 days') as rejected
    from ${closed}`)
  const byGroup = await app.db.query<{ group: string; count: number; days: number }>(sql`
    select coalesce(t."group", left(l."diagnosis", 3)) as "group", count(*)::int as count, round(avg(${daysSql(row)}), 1)::float8 as days
    from (select * from ${closed} and l."diagnosis" is not null) l
    left join dictionaries d on d."code" = 'icd10' and not d."deleted"
    left join lateral (select t."group" from dictionaries_terms t where t."idDictionary" = d."id" and t."code" = l."diagnosis"
      and not t."deleted" order by t."dateFrom" desc limit 1) t on true
    group by 1 order by 2 desc, 1 limit ${MAX_GROUPS}`)
  const { elnPool } = await readCommonSettings(app.db)
  return {
    open: numbers?.open ?? 0,
    due,
    freeNumbers: numbers?.free ?? 0,
    poolIsLow: (numbers?.free ?? 0) < elnPool,
    unknownRequests: numbers?.unknown ?? 0,
    closed90: all?.count ?? 0,
    days: all?.days ?? null,
    byGroup,
    byCommission: all?.commission ?? null,
    rejected: all?.rejected ?? null,
    exchange: await exchangeState(app),
  }
})
