/** Facts of the reports by payers. */
import { payerDebtsReport, payersReport } from '@ordinator/model/areas/payers/reports'
import sql, { raw } from 'sql-template-tag'
import { labItemCountsSql } from '#areas/counted/index.ts'
import { clinicToday } from '#areas/settings/index.ts'
import { writtenOff } from '#areas/warehouse/index.ts'
import { reportSource } from '#records/reports/source.ts'

const none = sql`0::numeric`

/** Rubles that a line `l` has cost: as set for its service, else what was written off and the laboratory's. */
const costOfLine = sql`coalesce(
  (select (k."materials" + k."laboratory") * l."qty" from payroll_service_costs k where k."idService" = l."idService" and not k."deleted"),
  coalesce((select w."cost" from (${writtenOff(sql`select l."id"`)}) w), 0)
    + coalesce((select sum(n."cost") from laboratory_order_items n where n."idCouponService" = l."id"
      and ${labItemCountsSql(raw('n'))}), 0))`

/** Lines of sent registries by the day of their service, and payments of registries by theirs. */
export const payerFacts = reportSource(
  payersReport,
  ({ within }) => sql`
    select c."localDate" as "day", c."idFilial" as "filial", k."idPayer" as "payer", k."id" as "contract", i."idProgramme" as "programme",
      y."id" as "registry", l."idService" as "service", z."idCustomer" as "customer", z."state", z."reason",
      z."sum" as "claimed", z."accepted", z."cut", z."sum" - z."accepted" - z."cut" as "open", ${none} as "paid",
      case when y."dateDue" < ${clinicToday} and y."state" = 'sent' then z."sum" - z."cut" else 0 end as "overdue", q.cost as "cost",
      z."accepted" - q.cost as "margin", true as "isLine"
    from payer_registries_lines z join payer_registries y on y."id" = z."idRegistry" and y."state" <> 'draft' and not y."deleted"
      join payer_contracts k on k."id" = y."idContract" join coupon_services l on l."id" = z."idCouponService"
      join coupons c on c."id" = l."idCoupon" left join insured_persons i on i."id" = l."idInsured"
      cross join lateral (select case when z."state" in ('claimed') or z."idReissueOf" is not null then 0 else ${costOfLine} end as cost) q
    where ${within(sql`c."localDate"`)}
    union all
    select t."localDate", null::bigint, k."idPayer", k."id", null, y."id", null, null, null, null,
      0, 0, 0, 0, m."amount", case when y."dateDue" < ${clinicToday} and y."state" = 'sent' then -m."amount" else 0 end, 0, 0, false
    from payer_moves m join payer_registries y on y."id" = m."idRegistry" join payer_contracts k on k."id" = y."idContract"
      join ledger_txs t on t."id" = m."idTx"
    where m."as" = 'paid' and ${within(sql`t."localDate"`)}`,
)

/** What is not paid of each sent registry. */
export const payerDebtFacts = reportSource(
  payerDebtsReport,
  () => sql`
    select k."idPayer" as "payer", k."id" as "contract", y."id" as "registry", k."idOrganization" as "organization", y."dateDue" as "due",
      d.debt as "debt", greatest(d.accepted, 0) as "accepted", case when x.days > 0 then d.debt else 0 end as "overdue",
      case when x.days <= 0 then '000' when x.days <= 30 then '030' when x.days <= 60 then '060' when x.days <= 90 then '090'
        when x.days <= 180 then '180' else '999' end as "age"
    from payer_registries y join payer_contracts k on k."id" = y."idContract"
      cross join lateral (select coalesce(${clinicToday} - y."dateDue", 0) as days) x
      cross join lateral (select coalesce(sum(z."sum" - z."cut"), 0) as owed, coalesce(sum(z."accepted"), 0) as accepted
        from payer_registries_lines z where z."idRegistry" = y."id") z
      cross join lateral (select coalesce(sum(m."amount"), 0) as paid from payer_moves m
        where m."idRegistry" = y."id" and m."as" = 'paid') m
      cross join lateral (select z.owed - m.paid as debt, z.accepted - m.paid as accepted) d
    where y."state" = 'sent' and not y."deleted" and d.debt > 0`,
)
