/**
 * Facts of advertising. The campaign of a conversion is fixed when it happens (`collect.ts`); whether it counts is read
 * from its record as it is now, so that a later outcome, deletion, merge or refund is followed.
 */
import { campaignsReport } from '@ordinator/model/areas/advertising/reports'
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import { dayAt, namedIn, type Rollup, reportSource, rublesSql } from '#records/reports/source.ts'

const zone = sql`coalesce(b."timeZone", ${clinicZone})`
const money = sql`0::numeric(14, 2)`

/** Days of visits: the day itself and the day of the booking. */
const visitDays = (which: Sql): Sql => sql`
  select d.day from appointments a left join filials b on b."id" = a."idFilial"
    cross join lateral (values (a."localDate"), (${dayAt(sql`a."dateCreate"`, zone)})) d(day) where ${which}`
const appealDays = (which: Sql): Sql => sql`
  select ${dayAt(sql`a."dateStart"`, zone)} as day from appeals a left join filials b on b."id" = a."idFilial" where ${which}`
const requestDays = (which: Sql): Sql => sql`
  select ${dayAt(sql`r."dateCreate"`, clinicZone)} as day from sales_management_requests r where ${which}`
const ofCustomers = (ids: Sql): Sql =>
  visitDays(sql`a."idCustomer" in (select v."idCustomer" from appointments v where v."id" in ${ids})`)
const ofCoupons = (which: Sql): Sql =>
  visitDays(sql`a."id" in (select c."idAppointment" from coupons c where ${which})`)
const idsOf = (source: string, ids: Sql): Sql =>
  sql`(select split_part(v."mark", ':', 2)::bigint from advertising_conversions v where v."id" in ${ids} and v."mark" like ${`${source}:%`})`

const rollup: Rollup = {
  kept: ['campaign', 'what'],
  // A visit may have been booked long before its day.
  since: sql`least((select min("localDate") - 366 from appointments where not "deleted"),
    (select min("localDate") from advertising_costs where not "deleted"), (select min("dateStart")::date - 1 from appeals),
    (select "dateCreate"::date - 1 from sales_management_requests order by "id" limit 1))`,
  touched: {
    // A moved or cancelled visit may make another one the first of its patient.
    appointments: (ids) => sql`${visitDays(sql`a."id" in ${ids()}`)} union ${ofCustomers(ids('visitStatus'))}
      union ${visitDays(sql`a."idCustomer" in ${namedIn('appointments', 'idCustomer')}`)} union ${ofCustomers(ids('localDate'))} union ${ofCustomers(ids('deleted'))}`,
    coupons: (ids) => ofCoupons(sql`c."id" in ${ids()}`),
    'coupon-services': (ids) =>
      ofCoupons(sql`c."id" in (select l."idCoupon" from coupon_services l where l."id" in ${ids()})`),
    'ledger/lines': (ids) =>
      ofCoupons(sql`c."id" in (select l."idCoupon" from coupon_services l where l."id" in ${ids()})`),
    appeals: (ids) => appealDays(sql`a."id" in ${ids()}`),
    'sales-management/requests': (ids) => requestDays(sql`r."id" in ${ids()}`),
    'advertising/costs': (ids) => sql`select x."localDate" from advertising_costs x where x."id" in ${ids()}`,
    'advertising/campaigns': (ids) =>
      sql`select distinct x."localDate" from advertising_costs x where x."idCampaign" in ${ids('idFilial')}`,
    'advertising/conversions': (ids) => sql`
      ${visitDays(sql`a."id" in (select v."idAppointment" from advertising_conversions v where v."id" in ${ids()})`)}
      union ${appealDays(sql`a."id" in ${idsOf('appeals', ids())}`)}
      union ${requestDays(sql`r."id" in ${idsOf('sales-management/requests', ids())}`)}`,
  },
}

const campaigns = reportSource(
  campaignsReport,
  ({ near, within, parameters: { touch } }) => {
    const campaign = raw(touch === 'first' ? 'v."idFirst"' : 'v."idLast"')
    const attributed = (mark: string, id: Sql) =>
      sql`left join advertising_conversions v on lower(v."mark") = ${`${mark}:`}::text || ${id}`
    const booked = sql`left join advertising_conversions v on v."idAppointment" = a."id" and v."kind" = 'booking'`
    return sql`
    select x.*, case when x."campaign" is null then ${money} else x."paid" end as "adPaid",
      case when x."campaign" is null then ${money} else x."paid" - x."cost" end as "gain",
      x."isAppeal" and x."campaign" is not null as "isAdAppeal", x."isNew" and x."campaign" is not null as "isAdNew"
    from (
      select c."localDate" as "day", p."idFilial" as "filial", 'cost' as "what", c."idCampaign" as "campaign",
        null::bigint as "customer", null::bigint as "record", c."cost" as "cost", coalesce(c."clicks", 0) as "clicks", ${money} as "paid",
        false as "isAppeal", false as "isBooking", false as "isVisit", false as "isNew"
      from advertising_costs c join advertising_campaigns p on p."id" = c."idCampaign"
      where not c."deleted" and ${within(sql`c."localDate"`)}
      union all
      select ${dayAt(sql`a."dateStart"`, zone)}, a."idFilial", 'appeal', ${campaign}, a."idCustomer", a."id", ${money}, 0, ${money},
        true, false, false, false
      from appeals a left join filials b on b."id" = a."idFilial" ${attributed('appeals', sql`a."id"`)}
      where not a."deleted" and a."status" <> 'draft' and a."outcome" is distinct from 'notTarget' and ${near(sql`a."dateStart"`)}
      union all
      select ${dayAt(sql`r."dateCreate"`, clinicZone)}, null::bigint, 'request', ${campaign}, null, r."id", ${money}, 0, ${money},
        true, false, false, false
      from sales_management_requests r ${attributed('sales-management/requests', sql`r."id"`)}
      where not r."deleted" and r."state" <> 'rejected' and r."phone" is not null and ${near(sql`r."dateCreate"`)}
      union all
      select ${dayAt(sql`a."dateCreate"`, zone)}, a."idFilial", 'booking', ${campaign}, a."idCustomer", a."id", ${money}, 0, ${money},
        false, true, false, false
      from appointments a left join filials b on b."id" = a."idFilial" ${booked}
      where not a."deleted" and ${near(sql`a."dateCreate"`)}
      union all
      select a."localDate", a."idFilial", 'visit', ${campaign}, a."idCustomer", a."id", ${money}, 0,
        coalesce(m.paid, 0),
        false, false, true, not exists (select from appointments e where e."idCustomer" = a."idCustomer"
          and e."visitStatus" = 'completed' and not e."deleted" and (e."localDate", e."id") < (a."localDate", a."id"))
      from appointments a ${booked}
        left join (
          select w."id", sum(${rublesSql(sql`k."allocated"`)}) as paid
          from appointments w join coupons c on c."idAppointment" = w."id" join coupon_services l on l."idCoupon" = c."id"
            join ledger_lines k on k."idLine" = l."id"
          where w."visitStatus" = 'completed' and not w."deleted" and ${within(sql`w."localDate"`)}
            and not c."deleted" and not l."deleted" group by 1
        ) m on m."id" = a."id"
      where a."visitStatus" = 'completed' and not a."deleted" and ${within(sql`a."localDate"`)}
    ) x`
  },
  rollup,
)

export const advertisingReports = [campaigns] as const
