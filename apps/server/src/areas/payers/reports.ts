/** Facts of the report by payers. */
import { payersReport } from '@ordinator/model/areas/payers/reports'
import sql from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import { reportSource } from '#records/reports/source.ts'

const none = sql`0::numeric`

/** Lines of sent registries by the day of their service, and payments of registries by theirs. */
export const payerFacts = reportSource(
  payersReport,
  ({ within }) => sql`
    select c."localDate" as "day", c."idFilial" as "filial", k."idPayer" as "payer", k."id" as "contract", i."idProgramme" as "programme",
      y."id" as "registry", l."idService" as "service", z."idCustomer" as "customer", z."state", z."reason",
      z."sum" as "claimed", z."accepted", z."cut", z."sum" - z."accepted" - z."cut" as "open", ${none} as "paid",
      case when y."dateDue" < ${clinicToday} and y."state" = 'sent' then z."sum" - z."cut" else 0 end as "overdue", true as "isLine"
    from payer_registries_lines z join payer_registries y on y."id" = z."idRegistry" and y."state" <> 'draft' and not y."deleted"
      join payer_contracts k on k."id" = y."idContract" join coupon_services l on l."id" = z."idCouponService"
      join coupons c on c."id" = l."idCoupon" left join insured_persons i on i."id" = l."idInsured"
    where ${within(sql`c."localDate"`)}
    union all
    select t."localDate", null::bigint, k."idPayer", k."id", null, y."id", null, null, null, null,
      0, 0, 0, 0, m."amount", case when y."dateDue" < ${clinicToday} and y."state" = 'sent' then -m."amount" else 0 end, false
    from payer_moves m join payer_registries y on y."id" = m."idRegistry" join payer_contracts k on k."id" = y."idContract"
      join ledger_txs t on t."id" = m."idTx"
    where m."as" = 'paid' and ${within(sql`t."localDate"`)}`,
)
