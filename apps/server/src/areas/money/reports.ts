/** Facts of the money reports. Rubles of payments come from the cash desk, those of accounts from the ledger. */
import { moneyMethods } from '@ordinator/model/areas/money/methods'
import { DONE } from '@ordinator/model/areas/money/payment'
import {
  debtsReport,
  discountsReport,
  paymentsReport,
  revenueReport,
  sourcesReport,
  transactionsReport,
} from '@ordinator/model/areas/money/reports'
import sql, { raw, type Sql } from 'sql-template-tag'
import { isGivenSql, visitLinesSql } from '#areas/counted/index.ts'
import { clinicToday } from '#areas/settings/index.ts'
import { namedIn, type Rollup, reportSource, rublesSql, type Written } from '#records/reports/source.ts'
import { entriesOfSql } from './ledger.ts'
import { lineCostSql } from './lines.ts'

/** Completed parts `r` of payments `p` at the desks `k`; `m.money` is the sum of real money. */
const partsSql = sql`payments p join payments_parts r on r."idPayment" = p."id" join cash_desks k on k."id" = p."idDesk"
  cross join lateral (select r."method" = any(${[...moneyMethods]}::text[]) as money,
    case p."kind" when 'refund' then -r."sum" else r."sum" end as signed) m`
const doneSql = sql`p."idStatus" = ${DONE} and not p."deleted"`
/** Key of a paid visit: patient, day and branch. */
const visitKey = (customer: Sql, day: Sql, filial: Sql) => sql`${customer} || '/' || ${day} || '/' || ${filial}`
/** SQL: rubles that a patient has paid with money, less refunds. */
export const paidEverSql = (customer: Sql): Sql =>
  sql`coalesce((select sum(m.signed) from ${partsSql} where ${doneSql} and m.money and p."idCustomer" = ${customer}), 0)`
const paidVisitSql = sql`case when p."kind" = 'payment' and m.money then ${visitKey(sql`p."idCustomer"`, sql`p."localDate"`, sql`k."idFilial"`)} end`

/** Days of the coupons of lines, coupons and visits. */
const couponDays = (which: Sql) => sql`select c."localDate" from coupons c where ${which}`
const given: Rollup['touched'] = {
  appointments: (ids) => couponDays(sql`c."idAppointment" in ${ids()}`),
  coupons: (ids) => couponDays(sql`c."id" in ${ids()}`),
  'coupon-services': (ids) =>
    couponDays(sql`c."id" in (select l."idCoupon" from coupon_services l where l."id" in ${ids()})`),
}
/** Days of payments; when a desk moves to another branch, its payments move too. */
const paid: Rollup['touched'] = {
  payments: (ids) => sql`select p."localDate" from payments p where p."id" in ${ids()}`,
  'payments/parts': (ids) => sql`select p."localDate" from payments p join payments_parts r on r."idPayment" = p."id"
    where r."id" in ${ids()}`,
  'cash-desks': (ids) => sql`select distinct p."localDate" from payments p where p."idDesk" in ${ids('idFilial')}`,
}
const ofLines = (ids: Written) =>
  couponDays(sql`c."id" in (select l."idCoupon" from coupon_services l where l."id" in ${ids()})`)
const paymentsSince = sql`select min("localDate") from payments where not "deleted"`
const couponsSince = sql`select min("localDate") from coupons where not "deleted"`

/** Kopecks of sales less returns in the closing of a shift `s`: by the books or by the register. */
const zSum = (of: 'crm' | 'kkt') =>
  raw(
    ['sell', 'sellReturn']
      .flatMap((kind, at) =>
        ['cash', 'electronically'].map((way) => `${at ? '-' : '+'} (s."closing" #>> '{${of},${kind},${way}}')::bigint`),
      )
      .join(' '),
  )

const payments = reportSource(
  paymentsReport,
  ({ within }) => sql`
    select p."localDate" as "day", k."idFilial" as "filial", p."dateCreate" as "at", p."id" as "number", p."id" as "payment",
      p."kind", r."method", p."idCustomer" as "customer", p."idPayer" as "payer", p."idOrganization" as "organization",
      p."idDesk" as "desk", p."idShift" as "shift", p."idAuthor" as "cashier", p."idRefundOf" as "refundOf",
      case when m.money then m.signed else 0 end as "paid", case when m.money then 0 else m.signed end as "other",
      case when m.money and p."kind" = 'payment' then r."sum" else 0 end as "taken",
      case when m.money and p."kind" = 'refund' then r."sum" else 0 end as "returned",
      p."kind" = 'payment' as "isPayment",
      case when r."id" = (select min(x."id") from payments_parts x where x."idPayment" = p."id") then p."bonus" end as "bonus",
      (select t."fd" || coalesce(' / ' || t."fpd", '') from fiscal_tasks t
        where t."idPayment" = p."id" and t."status" = 'done' order by t."id" limit 1) as "receipt", 0::numeric(14, 2) as "difference"
    from ${partsSql} where ${doneSql} and ${within(sql`p."localDate"`)}
    union all
    select s."localDate", k."idFilial", s."dateClosed", null, null, 'zReport', null, null, null, k."idOrganization", k."id", s."id",
      s."idCloser", null, 0::numeric, 0::numeric, 0::numeric, 0::numeric, false, null, 'Z ' || s."zNumber", ${rublesSql(sql`z.crm - z.kkt`)}
    from cash_shifts s join cash_desks k on k."id" = s."idDesk" cross join lateral (select ${zSum('crm')} as crm, ${zSum('kkt')} as kkt) z
    where z.crm <> z.kkt and ${within(sql`s."localDate"`)}`,
  {
    kept: paymentsReport.by,
    since: sql`least((${paymentsSince}), (select min("localDate") from cash_shifts))`,
    touched: { ...paid, 'cash-shifts': (ids) => sql`select s."localDate" from cash_shifts s where s."id" in ${ids()}` },
  },
)

/**
 * Days of the payments and the entries for some services: their doctor, branch or name may have changed. A refund has taken
 * its services out of the allocations, so all refunds of the patient are included.
 * @param which a condition on the service `l` of coupon `c`
 */
const moneyOfLines = (which: Sql): Sql => sql`
  select p."localDate" from coupon_services l join coupons c on c."id" = l."idCoupon" join ledger_allocations g on g."idLine" = l."id"
    join ledger_credits d on d."idTx" = g."idTx" join payments p on p."id" = d."idPayment" where ${which}
  union select t."localDate" from coupon_services l join coupons c on c."id" = l."idCoupon"
    join ledger_txs t on t."idCouponService" = l."id" where ${which}
  union select p."localDate" from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment"
    join payments r on r."idCustomer" = a."idCustomer" and r."kind" = 'refund' join payments p on p."id" in (r."id", r."idRefundOf") where ${which}`

/**
 * SQL of the money of payments, spread over the services that it closed; the rest is an advance. What a refund took from a
 * chosen service counts for it on both days; other refunds, on both days, as an advance. With several methods the money
 * closes each service in its share, to the kopeck. Each service is looked up by its payment: PostgreSQL expects hundreds of
 * them, and would read the services of all years.
 */
const spreadSql = (within: (day: Sql) => Sql): Sql => sql`
    select p."localDate", p."idFilial", 'payment', p."idCustomer", l."idUser", l."idService", l."idGroup", 0::numeric, 0::numeric, 0::numeric,
      x.paid, case when x."idLine" is null then x.paid else 0 end, 0::numeric, false,
      case when p."kind" = 'payment' then ${visitKey(sql`p."idCustomer"`, sql`p."localDate"`, sql`p."idFilial"`)} end
    from (
      select p."id", p."kind", p."localDate", k."idFilial", p."idCustomer", p."lines",
        coalesce(sum(m.signed) filter (where m.money), 0) as money, sum(m.signed) as whole
      from ${partsSql} where ${doneSql} and ${within(sql`p."localDate"`)} group by p."id", k."id" having bool_or(m.money)
    ) p cross join lateral (
      with parts as (
        select g."idLine", sum(g.sum) as sum from (
          select g."idLine", g."sum" / 100.0 as sum from ledger_credits d join ledger_allocations g on g."idTx" = d."idTx" and g."sum" > 0
            where p."kind" = 'payment' and d."idPayment" = p."id"
          union all
          select i."idCouponService", i."sum" from payments b cross join lateral ${chosenSql(sql`b`)}
            where p."kind" = 'payment' and b."idRefundOf" = p."id" and b."kind" = 'refund' and b."idStatus" = ${DONE} and not b."deleted"
          union all
          select i."idCouponService", -i."sum" from ${chosenSql(sql`p`)} where p."kind" = 'refund'
        ) g group by 1
      ), upto as (
        select y."idLine", round(sum(y.sum) over (order by y."idLine") * p.money / nullif(p.whole, 0), 2) as upto from parts y
      )
      select u."idLine", u.upto - lag(u.upto, 1, 0::numeric) over (order by u."idLine") as paid from upto u
      union all
      select null, p.money - coalesce((select round(sum(y.sum) * p.money / nullif(p.whole, 0), 2) from parts y), 0)
    ) x left join lateral (
      select l."idService", c."idUser", s."idGroup" from coupon_services l join coupons c on c."id" = l."idCoupon"
        join services s on s."id" = l."idService" where l."id" = x."idLine" offset 0
    ) l on true
    where x.paid <> 0`

/** SQL of the services that were chosen for a payment or refund, as `i`. */
const chosenSql = (row: Sql): Sql =>
  sql`jsonb_to_recordset(coalesce(${row}."lines", '[]')) as i("idCouponService" bigint, "sum" numeric)`

const revenue = reportSource(
  revenueReport,
  ({ within }) => sql`
    select c."localDate" as "day", c."idFilial" as "filial", 'service' as "what", a."idCustomer" as "customer",
      c."idUser" as "doctor", l."idService" as "service", s."idGroup" as "group", ${lineCostSql(raw('l'))} as "charged",
      l."discount", coalesce((select ${rublesSql(sql`w."allocated"`)} from ledger_lines w where w."idLine" = l."id"), 0) as "settled",
      0::numeric(14, 2) as "paid", 0::numeric(14, 2) as "advance", 0::numeric(14, 2) as "revenue", true as "isService", null::text as "visit"
    from ${visitLinesSql} join services s on s."id" = l."idService"
    where ${isGivenSql} and ${within(sql`c."localDate"`)}
    union all
    ${spreadSql(within)}
    union all
    select t."localDate", coalesce(c."idFilial", d."idFilial"), 'entry', a."idCustomer", c."idUser", l."idService", v."idGroup",
      0::numeric, 0::numeric, 0::numeric, 0::numeric, 0::numeric, -${rublesSql(sql`e."amount"`)}, false, null
    from ledger_txs t cross join ${entriesOfSql('revenue')}
      left join coupon_services l on l."id" = t."idCouponService" left join coupons c on c."id" = l."idCoupon"
      left join appointments a on a."id" = c."idAppointment" left join services v on v."id" = l."idService"
      left join cash_shifts s on s."id" = t."idShift" left join cash_desks d on d."id" = s."idDesk"
    where ${within(sql`t."localDate"`)}`,
  {
    kept: ['what', 'doctor', 'service'],
    derived: { group: sql`(select s."idGroup" from services s where s."id" = r."service")` },
    since: sql`least((${paymentsSince}), (${couponsSince}), (select min("localDate") from ledger_txs))`,
    touched: {
      ...given,
      ...paid,
      // A refund changes what is left of its payment.
      payments: (ids) => sql`select p."localDate" from payments p where p."id" in ${ids()}
        or p."id" in (select r."idRefundOf" from payments r where r."id" in ${ids()})`,
      coupons: (ids) => sql`${couponDays(sql`c."id" in ${ids()}`)} union ${moneyOfLines(sql`c."id" in ${ids()}`)}`,
      'coupon-services': (ids) => sql`${ofLines(ids)} union ${moneyOfLines(sql`l."id" in ${ids()}`)}`,
      'cash-desks': (ids) => sql`select distinct p."localDate" from payments p where p."idDesk" in ${ids('idFilial')}
        union select distinct t."localDate" from ledger_txs t join cash_shifts s on s."id" = t."idShift" where s."idDesk" in ${ids('idFilial')}`,
      'ledger/lines': ofLines,
      'ledger/credits': (
        ids,
      ) => sql`select p."localDate" from ledger_credits d join payments p on p."id" = d."idPayment"
        where d."idTx" in ${ids()}`,
      'ledger/txs': (ids) => sql`select t."localDate" from ledger_txs t where t."id" in ${ids()}`,
    },
  },
)

const transactions = reportSource(
  transactionsReport,
  ({ within }) => sql`
    select t."localDate" as "day", coalesce(k."idFilial", c."idFilial") as "filial", t."dateCreate" as "at",
      o."idCustomer" as "customer", t."kind" as "operation", l."idService" as "service",
      case when t."kind" in ('charge', 'storno', 'correction') then ${rublesSql(sql`e."amount"`)} else 0 end as "charged",
      case when t."kind" in ('charge', 'storno', 'correction') then 0 else -${rublesSql(sql`e."amount"`)} end as "received",
      ${rublesSql(sql`e."amount"`)} as "turnover",
      ${rublesSql(sql`(select sum(b."amount") from ledger_entries b where b."idAccount" = e."idAccount" and b."unit" = 'RUB'
        and b."idTx" <= e."idTx")`)} as "balance",
      o."idOrganization" as "organization", p."idDesk" as "desk", t."idUser" as "cashier",
      coalesce('Платёж № ' || p."id", t."comment") as "document"
    from ledger_txs t join ledger_entries e on e."idTx" = t."id" and e."unit" = 'RUB'
      join ledger_accounts o on o."id" = e."idAccount" and o."kind" = 'patient'
      left join payments p on p."id" = t."idPayment" left join cash_desks k on k."id" = p."idDesk"
      left join coupon_services l on l."id" = t."idCouponService" left join coupons c on c."id" = l."idCoupon"
    where ${within(sql`t."localDate"`)}`,
  {
    kept: ['operation', 'service', 'organization', 'desk', 'cashier'],
    since: sql`select min("localDate") from ledger_txs`,
    touched: {
      'ledger/txs': (ids) => sql`select t."localDate" from ledger_txs t where t."id" in ${ids()}`,
      // Merged cards take over the accounts.
      'ledger/accounts': (
        ids,
      ) => sql`select distinct t."localDate" from ledger_txs t join ledger_entries e on e."idTx" = t."id"
        where e."idAccount" in ${ids('idCustomer')}`,
      'coupon-services': (ids) =>
        sql`select t."localDate" from ledger_txs t where t."idCouponService" in ${ids('idService')}`,
      coupons: (
        ids,
      ) => sql`select t."localDate" from ledger_txs t join coupon_services l on l."id" = t."idCouponService"
        where l."idCoupon" in ${ids('idFilial')}`,
      payments: (ids) => sql`select t."localDate" from ledger_txs t where t."idPayment" in ${ids('idDesk')}`,
      'cash-desks': (
        ids,
      ) => sql`select distinct t."localDate" from ledger_txs t join payments p on p."id" = t."idPayment"
        where p."idDesk" in ${ids('idFilial')}`,
    },
  },
)

/** The days are joined: a subquery in the list would run anew for each use of its value. */
const debts = reportSource(
  debtsReport,
  () => sql`
    select d."customer", d."organization", d."kind", d."since", d."debt", d."advance", d."debt" > 0 as "isDebt",
      d."advance" > 0 as "isAdvance",
      case when x.days <= 30 then '030' when x.days <= 60 then '060' when x.days <= 90 then '090' when x.days <= 180 then '180'
        else '999' end as "age"
    from (
      select o."idCustomer" as "customer", o."idOrganization" as "organization",
        case when b.sum > 0 then 'debt' else 'advance' end as "kind",
        ${rublesSql(sql`greatest(b.sum, 0)`)} as "debt", ${rublesSql(sql`greatest(-b.sum, 0)`)} as "advance",
        coalesce(u."since", l."last") as "since"
      from (select e."idAccount", sum(e."amount") as sum from ledger_entries e where e."unit" = 'RUB'
          group by 1 having sum(e."amount") <> 0) b
        join ledger_accounts o on o."id" = b."idAccount" and o."kind" = 'patient'
        left join (select w."idAccount", min(t."localDate") as "since" from ledger_lines w join ledger_txs t on t."id" = w."idTx"
          where w."charged" > w."allocated" group by 1) u on u."idAccount" = b."idAccount" and b.sum > 0
        left join lateral (select max(t."localDate") as "last" from ledger_entries e join ledger_txs t on t."id" = e."idTx"
          where u."since" is null and e."idAccount" = o."id" and e."unit" = 'RUB') l on true
    ) d cross join lateral (select ${clinicToday} - d."since" as days) x`,
)

/** Splits a line's price by its discounts in proportion; the first takes the rounding difference. */
const discounts = reportSource(
  discountsReport,
  ({ within }) => sql`
    select g."day", g."filial", g."customer", g."doctor", g."service", g."visit", u."idDiscount" as "discount",
      case when u."id" is null then 'none' when u."idDiscount" is null then 'manual' else 'program' end as "way",
      u."id" is not null as "isUse", u.gross as "gross", u.amount as "amount", u.gross - u.amount as "net"
    from (
      select l."id", c."localDate" as "day", c."idFilial" as "filial", a."idCustomer" as "customer", c."idUser" as "doctor",
        l."idService" as "service", ${visitKey(sql`a."idCustomer"`, sql`c."localDate"`, sql`c."idFilial"`)} as "visit",
        round(l."price" * l."qty", 2) as gross, round(l."price" * l."qty", 2) - ${lineCostSql(raw('l'))} as amount
      from ${visitLinesSql} where ${isGivenSql} and ${within(sql`c."localDate"`)}
    ) g
    cross join lateral (
      select x."id", x."idDiscount",
        case when x.n = 1 then g.gross - coalesce(sum(x.part) over (order by x.n rows between 1 following and unbounded following), 0)
          else x.part end as gross,
        case when x.n = 1 then g.amount - coalesce(sum(x.taken) over (order by x.n rows between 1 following and unbounded following), 0)
          else x.taken end as amount
      from (
        select y."id", y."idDiscount", row_number() over (order by y.share desc, y."id") as n,
          round(g.gross * y.share / nullif(sum(y.share) over (), 0), 2) as part,
          round(g.amount * y.share / nullif(sum(y.share) over (), 0), 2) as taken
        from (select d."id", d."idDiscount", d."amount" - d."reversedAmount" as share from discounts_uses d
          where d."idCouponService" = g."id" and d."amount" > d."reversedAmount") y
      ) x
      union all
      select null, null, g.gross, g.amount
      where not exists (select from discounts_uses d where d."idCouponService" = g."id" and d."amount" > d."reversedAmount")
    ) u`,
  {
    kept: discountsReport.by,
    since: couponsSince,
    touched: {
      ...given,
      'discounts/uses': (ids) =>
        couponDays(sql`c."id" in (select l."idCoupon" from coupon_services l join discounts_uses d on d."idCouponService" = l."id"
          where d."id" in ${ids()})`),
    },
  },
)

/** SQL of a patient's source at a time: of the card, or of the last deal before it. */
const sourceSql = (attribution: string | undefined, customer: Sql, until: Sql): Sql => {
  const own = sql`select s."sourceName" as name, coalesce(b."sourceName", s."sourceName") as parent from customers z
    join customer_sources s on s."id" = z."idSource" left join customer_sources b on b."id" = s."idParentSource"
    where z."id" = ${customer}`
  if (attribution !== 'last') return sql`left join lateral (${own}) src on true`
  return sql`left join lateral (select * from (
    (select q."name", q."name" as parent, 1 as rank from sales_management_contacts n
      join sales_management_leads d on d."id" = n."idLead" and not d."deleted"
      join sales_management_sources q on q."id" = d."idSource"
      where n."idCustomer" = ${customer} and d."dateCreate" < (${until} + 1)::timestamptz order by d."dateCreate" desc limit 1)
    union all (select o.name, o.parent, 2 from (${own}) o)) w order by rank limit 1) src on true`
}

/** Days on which patients came or paid: a change of the source or of the first visit affects them all. */
const patientDays = (which: Sql) => sql`select a."localDate" from appointments a where a."idCustomer" in ${which}
  union select p."localDate" from payments p where p."idCustomer" in ${which}`
const ofVisits = (ids: Sql) => patientDays(sql`(select v."idCustomer" from appointments v where v."id" in ${ids})`)
const ofPayments = (which: Sql) => patientDays(sql`(select y."idCustomer" from payments y where ${which})`)

/**
 * Uses the source of the card: that of the last deal changes with deals. Renamed sources and moved campaigns are rare.
 */
const sourcesRollup: Rollup = {
  kept: sourcesReport.by,
  since: sql`least((select min("localDate") from appointments where not "deleted"), (${paymentsSince}),
    (select min("localDate") from advertising_costs where not "deleted"))`,
  touched: {
    // A moved visit may become the first one, or stop being it.
    appointments: (
      ids,
    ) => sql`${ofVisits(ids('visitStatus'))} union ${patientDays(namedIn('appointments', 'idCustomer'))}
      union ${ofVisits(ids('localDate'))} union select a."localDate" from appointments a where a."id" in ${ids()}`,
    // Payments of a patient are counted at the first visit.
    payments: (ids) =>
      sql`${ofPayments(sql`y."id" in ${ids()}`)} union ${patientDays(namedIn('payments', 'idCustomer'))}`,
    'payments/parts': (ids) =>
      ofPayments(sql`y."id" in (select r."idPayment" from payments_parts r where r."id" in ${ids()})`),
    'cash-desks': (ids) => sql`select distinct p."localDate" from payments p where p."idDesk" in ${ids('idFilial')}`,
    customers: (ids) => patientDays(ids('idSource')),
    'customer-sources': 'all',
    'advertising/costs': (ids) => sql`select x."localDate" from advertising_costs x where x."id" in ${ids()}`,
    // A source that gains its first campaign, or loses its last one, changes what its patients count for.
    'advertising/campaigns': (ids) => sql`select distinct x."localDate" from advertising_costs x
      where x."idCampaign" in ${ids('idSource')} or x."idCampaign" in ${ids('idFilial')}
      union select g.day::date from generate_series((select min("localDate") from payments), ${clinicToday}, '1 day') g(day)
        where exists ${ids('idSource')}`,
  },
}

/** SQL condition: the source `src` has a campaign. The list is read once. */
const isAd = sql`coalesce(src.name = any(array(select s."sourceName" from advertising_campaigns g
  join customer_sources s on s."id" = g."idSource")), false)`

const sources = reportSource(
  sourcesReport,
  ({ within, parameters: { attribution } }) => {
    const source = (customer: Sql, day: Sql) => sourceSql(attribution, customer, day)
    return sql`
    select p."localDate" as "day", k."idFilial" as "filial", 'payment' as "what", p."idCustomer" as "customer",
      src.parent as "parent", src.name as "source", m.signed as "paid", 0::numeric(14, 2) as "lifetime",
      0::numeric(14, 2) as "cost", case when ${isAd} then m.signed else 0 end as "gain", ${paidVisitSql} as "visit",
      false as "isVisit", false as "isNew", false as "isAdNew"
    from ${partsSql} ${source(sql`p."idCustomer"`, sql`p."localDate"`)}
    where ${doneSql} and m.money and ${within(sql`p."localDate"`)}
    union all
    select a."localDate", a."idFilial", 'visit', a."idCustomer", src.parent, src.name, 0::numeric, 0::numeric, 0::numeric, 0::numeric, null, true, false, false
    from appointments a ${source(sql`a."idCustomer"`, sql`a."localDate"`)}
    where a."visitStatus" = 'completed' and not a."deleted" and ${within(sql`a."localDate"`)}
    union all
    select a."localDate", a."idFilial", 'newcomer', a."idCustomer", src.parent, src.name, 0::numeric,
      ${paidEverSql(sql`a."idCustomer"`)}, 0::numeric, 0::numeric, null, false, true, ${isAd}
    from appointments a ${source(sql`a."idCustomer"`, sql`a."localDate"`)}
    where a."visitStatus" = 'completed' and not a."deleted" and ${within(sql`a."localDate"`)}
      and not exists (select from appointments e where e."idCustomer" = a."idCustomer" and e."visitStatus" = 'completed'
        and not e."deleted" and (e."localDate", e."id") < (a."localDate", a."id"))
    union all
    select x."localDate", p."idFilial", 'cost', null, coalesce(b."sourceName", s."sourceName"), s."sourceName", 0::numeric, 0::numeric, x."cost", -x."cost",
      null, false, false, false
    from advertising_costs x join advertising_campaigns p on p."id" = x."idCampaign"
      left join customer_sources s on s."id" = p."idSource" left join customer_sources b on b."id" = s."idParentSource"
    where not x."deleted" and ${within(sql`x."localDate"`)}`
  },
  sourcesRollup,
)

export const moneyReports = [payments, revenue, transactions, debts, discounts, sources] as const
