/**
 * Results of visitors from the site: requests and deals with marks, then their patients' bookings, visits and payments
 * within 90 days, each attributed to the latest touch before it. Figures belong to the period of the touch (a cohort).
 */
import { DONE } from '@ordinator/model/areas/money/payment'
import sql, { type Sql } from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import type { ServerActor } from '#records/actor.ts'
import { inOwnBranch } from '#records/branches.ts'

export const CHAIN_DAYS = 90

/**
 * SQL of touches: `id`, `at`, `day`, `source`, `campaign`, `client`, `yclid`, `idCustomer` (of its deal, or by the
 * phone; one or none).
 */
export const touchesSql = sql`(
  select t.*, (t."at" at time zone ${clinicZone})::date as "day",
    coalesce(lower(t."utm" ->> 'utm_source'), '') as source, coalesce(t."utm" ->> 'utm_campaign', '') as campaign,
    t."utm" ->> 'ym_client_id' as client, t."utm" ->> 'yclid' as yclid, c."idCustomer"
  from (
    select 'request:' || r."id" as id, r."dateCreate" as at, r."utm", r."idLead", r."phone" from sales_management_requests r
      where not r."deleted" and r."state" <> 'rejected'
    union all
    select 'lead:' || l."id", l."dateCreate", l."utm", l."id", null from sales_management_leads l
      where not l."deleted" and l."utm" is not null
        and not exists (select from sales_management_requests r where r."idLead" = l."id" and not r."deleted")
  ) t
  left join lateral (
    select c."idCustomer", 1 as rank, c."id" from sales_management_contacts c
      where c."idLead" = t."idLead" and c."idCustomer" is not null and not c."deleted"
    union all
    -- Whoever left the phone of a card is taken for its patient: figures need no name.
    select u."id", 2, u."id" from customers u where not u."deleted" and u."phone" is not null and u."phone" in (
      select t."phone" union all select c."phone" from sales_management_contacts c where c."idLead" = t."idLead" and not c."deleted")
    order by 2, 3 limit 1) c on true
)`

/** SQL of the rows of `from`, each joined to the latest touch of its patient: columns of the row, and `touch`. */
const ofLatest = (columns: Sql, from: Sql, patient: Sql, at: Sql): Sql => sql`(
  select distinct on (x."id") ${columns}, t."id" as touch from ${from} x
  join touches t on t."idCustomer" = ${patient} and t."at" <= ${at}
    and t."at" > ${at} - make_interval(days => ${CHAIN_DAYS})
  order by x."id", t."at" desc)`

/** @param idFilial null: the whole clinic */
export const bookedSql = (actor: ServerActor, idFilial: number | null): Sql =>
  ofLatest(
    sql`x."id", x."dateCreate" as at, x."dateCompleted" as came`,
    sql`(select * from appointments where not "deleted" and "visitStatus" not in ('cancelled', 'moved')
      and ${inOwnBranch(actor, sql`"idFilial"`)} and (${idFilial}::bigint is null or "idFilial" = ${idFilial}))`,
    sql`x."idCustomer"`,
    sql`x."dateCreate"`,
  )

export const paidSql = (actor: ServerActor, idFilial: number | null): Sql =>
  ofLatest(
    sql`x."id", x."dateCreate" as at, case when x."kind" = 'refund' then -x."sum" else x."sum" end as sum`,
    sql`(select p.* from payments p join cash_desks d on d."id" = p."idDesk"
      where p."idStatus" = ${DONE} and ${inOwnBranch(actor, sql`d."idFilial"`)} and (${idFilial}::bigint is null or d."idFilial" = ${idFilial}))`,
    sql`x."idCustomer"`,
    sql`x."dateCreate"`,
  )
