/** Facts of the money reports. */
import { moneyMethods } from '@ordinator/model/areas/money/methods'
import { DONE } from '@ordinator/model/areas/money/payment'
import { paymentsReport } from '@ordinator/model/areas/money/reports'
import sql from 'sql-template-tag'
import { reportSource } from '../../records/reports/source.ts'

export const payments = reportSource(
  paymentsReport,
  ({ within }) => sql`
    select p."localDate" as "day", k."idFilial" as "filial", p."dateCreate" as "at", p."id" as "number", p."id" as "payment",
      p."kind", r."method", p."idCustomer" as "customer", p."idPayer" as "payer", p."idOrganization" as "organization",
      p."idDesk" as "desk", p."idShift" as "shift", p."idAuthor" as "cashier", p."idRefundOf" as "refundOf",
      case when m.money then case p."kind" when 'refund' then -r."sum" else r."sum" end else 0 end as "paid",
      case when m.money then 0 else case p."kind" when 'refund' then -r."sum" else r."sum" end end as "other",
      case when m.money and p."kind" = 'payment' then r."sum" else 0 end as "taken",
      case when m.money and p."kind" = 'refund' then r."sum" else 0 end as "returned",
      p."kind" = 'payment' as "isPayment",
      case when r."id" = (select min(x."id") from payments_parts x where x."idPayment" = p."id") then p."bonus" end as "bonus",
      (select t."fd" || coalesce(' / ' || t."fpd", '') from fiscal_tasks t
        where t."idPayment" = p."id" and t."status" = 'done' order by t."id" limit 1) as "receipt"
    from payments p join payments_parts r on r."idPayment" = p."id" join cash_desks k on k."id" = p."idDesk"
      cross join lateral (select r."method" = any(${[...moneyMethods]}::text[]) as money) m
    where p."idStatus" = ${DONE} and not p."deleted" and ${within(sql`p."localDate"`)}`,
)
