/** The payer's part of given lines in the ledger: a claim on the insurer or employer, and revenue. */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import { dayOf, post, reverse } from './ledger.ts'
import { organizationOf } from './organization.ts'

/** SQL of the rubles of a line that a payer owes: no more than it costs. @param l its row @param cost of the line */
export const payerShareSql = (l: Sql, cost: Sql): Sql => sql`least(${l}."insurer", ${cost})`

interface Line {
  id: number
  idFilial: number
  name: string
  idPayer: number | null
  share: number
  charged: number
  idTx: number | null
  idOrganization: number | null
}

/**
 * Brings the payers' accounts in line with the lines of a visit; idempotent. The customer is locked. What a sent registry
 * claims stays, whatever becomes of the visit: only the payer's answer changes it.
 */
export async function chargePayers(
  records: Records,
  tx: Tx,
  idAppointment: number,
  { off, cost }: { off: Sql; cost: Sql },
): Promise<void> {
  const lines = await tx.query<Line>(sql`
    select l."id", c."idFilial", coalesce(s."shortNameService", s."nameService") as name, k."idPayer",
      (case when l."completed" and not ${off} then ${payerShareSql(raw('l'), cost)} * 100 else 0 end)::float8 as share,
      coalesce(p."charged", 0)::float8 as charged, p."idTx", coalesce(p."idOrganization", k."idOrganization") as "idOrganization"
    from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment"
      join services s on s."id" = l."idService" left join payer_lines p on p."idLine" = l."id"
      left join insured_persons i on i."id" = l."idInsured" left join payer_contracts k on k."id" = i."idContract"
    where a."id" = ${idAppointment} and (l."insurer" > 0 or p."charged" > 0) and not exists (
      select 1 from payer_registries_lines z join payer_registries y on y."id" = z."idRegistry"
      where z."idCouponService" = l."id" and y."state" <> 'draft' and not y."deleted") order by l."id"`)
  for (const line of lines) {
    const { id, share, charged, idTx, name } = line
    const idPayer = line.idPayer
    if (share === charged) continue
    const localDate = await dayOf(tx, line.idFilial)
    const idOrganization = line.idOrganization ?? (await organizationOf(tx, line.idFilial))
    if (idOrganization === undefined) continue
    if (charged > 0 && idTx !== null)
      await reverse(records, tx, idTx, {
        key: `storno:${idTx}`,
        localDate,
        comment: `${name}: доля плательщика изменена`,
      })
    const made =
      share > 0 && idPayer !== null
        ? await post(records, tx, {
            ...{
              key: `payer:${id}:${idTx ?? 0}`,
              kind: 'insurerCharged',
              localDate,
              idCouponService: id,
              comment: name,
            },
            entries: [
              { account: { kind: 'insurer', idInsurer: idPayer, idOrganization }, amount: share },
              { account: { kind: 'revenue', idOrganization }, amount: -share },
            ],
          })
        : idTx
    await tx.query(sql`insert into payer_lines ("idLine", "idOrganization", "idPayer", "charged", "idTx")
      values (${id}, ${idOrganization}, ${idPayer}, ${share}, ${made ?? null})
      on conflict ("idLine") do update set "charged" = excluded."charged", "idTx" = excluded."idTx",
        "idPayer" = coalesce(excluded."idPayer", payer_lines."idPayer")`)
  }
}
