/** Facts of the report on treatment plans: by the same SQL as the fields of a plan. */
import { plansReport } from '@ordinator/model/areas/plans/reports'
import sql, { raw } from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import { dayAt, reportSource } from '#records/reports/source.ts'
import { doneSql, lastVisitSql, onceAgreed, overdueSql, paidSql, planStatusSql, sumSql } from './progress.ts'

const row = raw('p')

export const planFacts = reportSource(
  plansReport,
  ({ near }) => sql`
    select x.*, x."agreed" - x."done" as "left" from (
      select ${dayAt(sql`coalesce(p."dateOffered", p."dateCreate")`, sql`coalesce(b."timeZone", ${clinicZone})`)} as "day",
        p."idFilial" as "filial", p."id" as "plan", p."idCustomer" as "customer", p."idDoctor" as "doctor",
        ${planStatusSql(row)} as "status",
        (select count(*)::int from customer_plans_stages s where s."idPlan" = p."id" and not s."deleted") as "stages",
        s.sum as "sum", case when p."dateOffered" is null and p."dateAgreed" is null then 0 else s.sum end as "offered",
        ${onceAgreed(row, sql`s.sum`)} as "agreed", ${doneSql(row)} as "done", ${paidSql(row)} as "paid",
        ${lastVisitSql(row)} as "lastVisit", ${overdueSql(row)} as "isOverdue", p."dateAgreed" is not null as "isAgreed"
      from customer_plans p left join filials b on b."id" = p."idFilial"
        cross join lateral (select ${sumSql(row)} as sum) s
      where not p."deleted" and ${near(sql`coalesce(p."dateOffered", p."dateCreate")`)}) x`,
)
