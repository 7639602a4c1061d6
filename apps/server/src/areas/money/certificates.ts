/** Certificates: a ledger account each, filled by a sale, debited by a payment and emptied by a return. */
import { Certificate } from '@ordinator/model/areas/money/certificate'
import { AWAITING, IN_WORK } from '@ordinator/model/areas/money/payment'
import { kopecks } from '@ordinator/model/areas/money/rules'
import { formatDay } from '@ordinator/model/format'
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { records } from '#records/define.ts'
import { moneyText } from '#records/labels.ts'
import type { Account } from './ledger.ts'

/** The ledger account that holds the rest of a certificate. */
export const certificateAccount = (id: number, idOrganization: number): Account => ({
  kind: 'certificate',
  idOrganization,
  mark: String(id),
})

/** SQL of the kopecks of a certificate in the ledger. @param c its row */
const heldSql = (c: Sql): Sql => sql`(select coalesce(-sum(e."amount"), 0) from ledger_accounts a
  join ledger_entries e on e."idAccount" = a."id"
  where a."kind" = 'certificate' and a."idOrganization" = ${c}."idOrganization" and a."mark" = ${c}."id"::text)`

/** SQL of the reserved kopecks: of payments pending at the terminal, and of refunds pending approval. */
const promisedSql = (c: Sql): Sql => sql`(
  (select coalesce(sum(t."sum"), 0) from payments_parts t join payments p on p."id" = t."idPayment"
    where t."idCertificate" = ${c}."id" and p."kind" = 'payment' and p."idStatus" = ${raw(String(IN_WORK))})
  + (select coalesce(sum(p."sum"), 0) from payments p
    where p."idCertificate" = ${c}."id" and p."kind" = 'refund' and p."idStatus" in (${raw(`${IN_WORK}, ${AWAITING}`)}))) * 100`

/** SQL of the rubles that are left on a certificate. */
const restSql = (c: Sql): Sql => sql`((${heldSql(c)} - ${promisedSql(c)}) / 100)::numeric(14,2)`

export const certificates = records(Certificate, {
  thread: {
    of: 'customers',
    kind: 'certificates',
    name: 'Сертификаты',
    rare: true,
    when: 'dateCreate',
    belongs: ({ row }, id) => sql`(${row}."idBuyer" = ${id} or ${row}."idCustomer" = ${id})`,
    title: ({ row }) => sql`'Сертификат ' || ${row}."number" || ' на ' || ${moneyText(sql`${row}."sum"`)}`,
    hint: ({ row }) =>
      sql`'осталось ' || ${moneyText(restSql(row))} || ', по ' || to_char(${row}."dateTo", 'DD.MM.YYYY')`,
    opens: ({ row }) => sql`'/customers/edit?id=' || ${row}."idBuyer" || '&tab=account'`,
  },
  computed: {
    rest: ({ row }) => restSql(row),
    state: ({ row }) => sql`case
      when exists (select 1 from payments p where p."idCertificate" = ${row}."id" and p."kind" = 'payment'
        and p."idStatus" = ${raw(String(IN_WORK))}) then 'pending'
      when ${restSql(row)} <= 0 then case when exists (select 1 from payments p where p."idCertificate" = ${row}."id"
        and p."kind" = 'refund' and not p."deleted" and p."idStatus" <> 3) then 'returned' else 'spent' end
      when ${row}."dateTo" < ${clinicToday} then 'expired' else 'active' end`,
  },
})

interface Found {
  id: number
  room: number
}

/**
 * Kopecks that a certificate still pays for a customer on the day, locked until the transaction ends; otherwise the
 * reason in Russian why it does not.
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

/** Kopecks left on a certificate, locked until the transaction ends. */
export async function lockRest(tx: Tx, id: number): Promise<number> {
  await tx.query(sql`select 1 from certificates where "id" = ${id} for update`)
  const row = await tx.one<{ rest: string }>(
    sql`select ${restSql(raw('c'))}::text as rest from certificates c where c."id" = ${id}`,
  )
  return kopecks(Number(row?.rest ?? 0))
}
