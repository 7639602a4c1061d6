import { Company, Contact } from '@ordinator/model/areas/sales/contact'
import {
  Lead,
  LeadComment,
  LeadLink,
  LeadResponsible,
  LeadTag,
  LeadTask,
  LossReason,
  SalesSource,
} from '@ordinator/model/areas/sales/lead'
import sql, { raw, type Sql } from 'sql-template-tag'
import { records } from '../../records/define.ts'
import { fioSql } from '../staff/index.ts'
import { offerStatusSql } from './offers.ts'

const stageOf = (row: Sql, field: string): Sql =>
  sql`(select ls.${raw(`"${field}"`)} from sales_management_stages ls where ls."id" = ${row}."idStage")`

const countOf =
  (table: string) =>
  ({ row }: { row: Sql }): Sql =>
    sql`(select count(*)::int from ${raw(`sales_management_${table}`)} lc where lc."idLead" = ${row}."id" and not lc."deleted")`

const offersOf = (row: Sql, more: Sql): Sql =>
  sql`exists (select 1 from sales_management_offers lo where lo."idLead" = ${row}."id" and not lo."deleted" and ${more})`

/** Design §10: the funnel may ask for an offer, and for no offer in work. */
const canComplete = (row: Sql): Sql => sql`coalesce((
  select (lf."canCompleteDealsWithoutOffers" or ${offersOf(row, raw('true'))})
    and (lf."canCompleteDealsInWorkOfferStatus" or not ${offersOf(row, sql`${offerStatusSql(raw('lo'))} = 1`)})
  from sales_management_stages ls join sales_management_funnels lf on lf."id" = ls."idFunnel"
  where ls."id" = ${row}."idStage"), true)`

export const leads = records(Lead, {
  computed: {
    typeStage: ({ row }) => stageOf(row, 'idType'),
    idFunnel: ({ row }) => stageOf(row, 'idFunnel'),
    canComplete: ({ row }) => canComplete(row),
    isEditable: ({ row, holds }) => sql`(${row}."id" is not null and ${raw(String(holds('editSalesManagement')))})`,
    commentsTotalCount: countOf('lead_comments'),
    offersTotalCount: countOf('offers'),
    tasksTotalCount: countOf('lead_tasks'),
    chatsTotalCount: ({ row }) => sql`(select count(*)::int from sales_management_entities lc
      where lc."idLead" = ${row}."id" and lc."type" = 'liveassist' and not lc."deleted")`,
    historyTotalCount: ({ row }) =>
      sql`(select count(*)::int from history lh where lh."path" = ${Lead.path} and lh."idEntity" = ${row}."id")`,
  },
})

export const leadResponsible = records(LeadResponsible)
export const leadTags = records(LeadTag)
export const leadComments = records(LeadComment)
export const leadTasks = records(LeadTask)
export const leadLinks = records(LeadLink)
export const lossReasons = records(LossReason)
export const salesSources = records(SalesSource)
export const contacts = records(Contact, { computed: { fio: ({ row }) => fioSql(row) } })
export const companies = records(Company)
