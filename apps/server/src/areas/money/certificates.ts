/** Certificates: an account of the ledger each, that a sale fills, a payment takes from and a return empties. */
import { Certificate } from '@ordinator/model/areas/money/certificate'
import { AWAITING, IN_WORK } from '@ordinator/model/areas/money/payment'
import { kopecks } from '@ordinator/model/areas/money/rules'
import { formatDay } from '@ordinator/model/format'
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { records } from '#records/define.ts'
import type { Account } from './ledger.ts'

/** The account that holds what is left of a certificate. */
export const certificateAccount = (id: number, idOrganization: number): Account => ({
  kind: 'certificate',
  idOrganization,
  mark: String(id),
})

/** SQL of the kopecks that the ledger holds of a certificate. @param c its row */
const heldSql = (c: Sql): Sql => sql`(select coalesce(-sum(e."amount"), 0) from ledger_accounts a
  join ledger_entries e on e."idAccount" = a."id"
  where a."kind" = 'certificate' and a."idOrganization" = ${c}."idOrganization" and a."mark" = ${c}."id"::text)`

/** SQL of the kopecks that are promised already: to payments that wait for the terminal, to returns that wait for somebody. */
const promisedSql = (c: Sql): Sql => sql`(
  (select coalesce(sum(t."sum"), 0) from payments_parts t join payments p on p."id" = t."idPayment"
    where t."idCertificate" = ${c}."id" and p."kind" = 'payment' and p."idStatus" = ${raw(String(IN_WORK))})
  + (select coalesce(sum(p."sum"), 0) from payments p
    where p."idCertificate" = ${c}."id" and p."kind" = 'refund' and p."idStatus" in (${raw(`${IN_WORK}, ${AWAITING}`)}))) * 100`

/** SQL of the rubles that a certificate may still pay. */
const restSql = (c: Sql): Sql => sql`((${heldSql(c)} - ${promisedSql(c)}) / 100)::numeric(14,2)`

export const certificates = records(Certificate, {
  computed: {
    rest: ({ row }) => restSql(row),
    state: ({ row }) => sql`case
      when exists (select 1 from payments p where p."idCertificate" = ${row}."id" and p."kind" = 'payment'
        and p."idStatus" = ${raw(String(IN_WORK))}) then 'pending'
      when ${restSql(row)} <= 0 then case when exists (select 1 from payments p where p."idCertificate" = ${row}."id"
        and p."kind" = 'refund' and not p."deleted" and p."idStatus" <> 3) then 'returned' else 'spent' end
      when ${row}."dateTo" < (now() at time zone ${clinicZone})::date then 'expired' else 'active' end`,
  },
})

interface Found {
  id: number
  room: number
}

/**
 * Kopecks that a certificate still pays for a customer on the day, and that nobody else takes until the transaction ends;
 * or why it does not, in Russian.
 */
export async function certificateRoom(
  tx: Tx,
  {
    number,
    idCustomer,
    idOrganization,
    day,
  }: { number: string | undefined; idCustomer: number; idOrganization: number; day: string },
): Promise<Found | string> {
  if (!number) return 'Укажите номер сертификата'
  const found = await tx.one<{ id: number; idCustomer: number | null; idOrganization: number; dateTo: string }>(
    sql`select "id", "idCustomer", "idOrganization", "dateTo"::text as "dateTo" from certificates
      where lower("number") = lower(${number}) and not "deleted" for update`,
  )
  if (!found) return 'Такого сертификата нет'
  if (found.idOrganization !== idOrganization) return 'Этот сертификат продала другая организация: нужна её касса'
  if (found.idCustomer !== null && found.idCustomer !== idCustomer) return 'Этот сертификат продан для другого клиента'
  if (found.dateTo < day) return `Сертификат действовал по ${formatDay(found.dateTo)}`
  return { id: found.id, room: await lockRest(tx, found.id) }
}

/** Kopecks that are left of a certificate; nobody else takes them until the transaction ends. */
export async function lockRest(tx: Tx, id: number): Promise<number> {
  await tx.query(sql`select 1 from certificates where "id" = ${id} for update`)
  const row = await tx.one<{ rest: string }>(
    sql`select ${restSql(raw('c'))}::text as rest from certificates c where c."id" = ${id}`,
  )
  return kopecks(Number(row?.rest ?? 0))
}
