/** Facts of the laboratory reports: deadlines, refused tubes, money. */
import { labMarginReport, labRejectsReport, labTermsReport } from '@ordinator/model/areas/laboratory/reports'
import sql, { raw } from 'sql-template-tag'
import { labItemCountsSql } from '#areas/counted/index.ts'
import { lineDueSql } from '#areas/money/index.ts'
import { dayAt, reportSource } from '#records/reports/source.ts'

const zone = raw(`coalesce(nullif(b."timeZone", ''), 'Europe/Moscow')`)

const terms = reportSource(
  labTermsReport,
  ({ near }) => sql`
    select ${dayAt(sql`i."doneAt"`, zone)} as "day", o."idFilial" as "filial", o."id" as "order", i."idTest" as "test",
      i."idPanel" as "panel", o."idCustomer" as "customer", i."idLaboratory" as "laboratory", t."section", i."idDevice" as "device",
      o."urgency", coalesce(s."takenAt", o."takenAt") as "taken", i."doneAt" as "done", i."dueAt" as "due",
      round(extract(epoch from i."doneAt" - coalesce(s."takenAt", o."takenAt")) / 60)::int as "minutes",
      i."dueAt" is not null as "isPromised", i."doneAt" <= i."dueAt" as "isInTerm"
    from laboratory_order_items i join laboratory_orders o on o."id" = i."idOrder" join filials b on b."id" = o."idFilial"
      join laboratory_catalog t on t."id" = i."idTest" left join laboratory_samples s on s."id" = i."idSample"
    where i."status" = 'done' and not i."deleted" and not o."deleted" and ${near(sql`i."doneAt"`)}`,
)

const rejects = reportSource(
  labRejectsReport,
  ({ near }) => sql`
    select ${dayAt(sql`s."takenAt"`, zone)} as "day", o."idFilial" as "filial", s."id" as "sample", o."id" as "order",
      o."idCustomer" as "customer", s."takenAt" as "taken", s."idTakenBy" as "taker", s."idLaboratory" as "laboratory",
      s."idContainer" as "container", s."biomaterial", s."rejectReason" as "reason", s."rejectReason" is not null as "isRejected"
    from laboratory_samples s join laboratory_orders o on o."id" = s."idOrder" join filials b on b."id" = o."idFilial"
    where not s."deleted" and not o."deleted" and ${near(sql`s."takenAt"`)}`,
)

// A panel's price is divided equally among its tests.
const margin = reportSource(
  labMarginReport,
  ({ near }) => sql`
    select f.*, f."price" - f."cost" as "margin" from (
      select ${dayAt(sql`i."doneAt"`, zone)} as "day", o."idFilial" as "filial", o."id" as "order", i."idTest" as "test",
        i."idPanel" as "panel", o."idCustomer" as "customer", i."idLaboratory" as "laboratory", t."section", o."idDoctor" as "doctor",
        i."doneAt" as "done", coalesce(i."cost", 0) as "cost",
        coalesce(round(${lineDueSql(raw('l'))} / nullif((select count(*) from laboratory_order_items p
          where p."idCouponService" = l."id" and ${labItemCountsSql(raw('p'))}), 0), 2), 0) as "price"
      from laboratory_order_items i join laboratory_orders o on o."id" = i."idOrder" join filials b on b."id" = o."idFilial"
        join laboratory_catalog t on t."id" = i."idTest" left join coupon_services l on l."id" = i."idCouponService"
      where i."status" = 'done' and not i."deleted" and not o."deleted" and ${near(sql`i."doneAt"`)}) f`,
)

export const laboratoryReports = [terms, rejects, margin]
