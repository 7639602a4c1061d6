/** Facts of the report on open deals. */
import { dealsReport } from '@ordinator/model/areas/sales/reports'
import sql from 'sql-template-tag'
import { reportSource } from '#records/reports/source.ts'

/** The type of a stage whose deals are neither won nor lost. */
const WORK = 1

export const deals = reportSource(
  dealsReport,
  ({ parameters: { limit } }) => sql`
    select d.*, d."days" > coalesce(d."daysLimit", ${Number(limit)}) as "isStuck" from (
      select l."dateStage" as "at", l."id" as "deal", s."idFunnel" as "funnel", l."idStage" as "stage", l."idSource" as "source",
        (select min(r."idUser") from sales_management_responsible r where r."idLead" = l."id") as "responsible",
        coalesce(l."price", 0) as "price", s."daysLimit",
        extract(day from now() - coalesce(l."dateStage", l."dateCreate"))::int as "days"
      from sales_management_leads l join sales_management_stages s on s."id" = l."idStage" and s."idType" = ${WORK} and not s."deleted"
      where not l."deleted" and l."dateClosed" is null) d`,
)
