/** Facts of the report of liabilities. */
import { membershipsReport } from '@ordinator/model/areas/memberships/reports'
import sql from 'sql-template-tag'
import { isSoldSql, membershipHeldSql, membershipStateSql } from '#areas/money/index.ts'
import { reportSource, rublesSql } from '#records/reports/source.ts'

/** Sold memberships: what is held in the ledger, returned by refunds, and used: the rest of the price. */
export const liabilities = reportSource(
  membershipsReport,
  () => sql`select null::date as "day", null::bigint as "filial", x.* , x."sold" - x."held" - x."returned" as "used" from (
    select m."id" as "membership", m."idType" as "type", m."idBuyer" as "buyer", m."idOrganization" as "organization",
      ${membershipStateSql(sql`m`)} as "state", m."price" as "sold", ${rublesSql(membershipHeldSql(sql`m`))} as "held",
      coalesce((select sum(z."sum") from payments z where z."idMembership" = m."id" and z."kind" = 'refund' and z."idStatus" = 2), 0) as "returned",
      (select count(*)::int from membership_units u where u."idMembership" = m."id" and u."idTx" is null
        and not exists (select 1 from payments z where z."id" = u."idRefund" and z."idStatus" <> 3)) as "visits",
      m."dateTo"
    from memberships m where not m."deleted" and ${isSoldSql(sql`m`)}) x`,
)
