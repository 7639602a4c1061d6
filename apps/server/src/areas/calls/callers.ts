import { Call } from '@ordinator/model/areas/calls/call'
import { callCalls } from '@ordinator/model/areas/calls/calls'
import { Customer, phoneFields } from '@ordinator/model/areas/customers/customer'
import { phoneOf } from '@ordinator/model/phone'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { operation } from '#records/operation.ts'
import { assertVisible } from '#records/reference.ts'

/** Maximum number of card candidates for a number: more means a company's number. */
const MAX_CANDIDATES = 5

/** SQL of the phones of a card; must match the expression of the index `customers_phones_idx` exactly. */
const phonesSql = (row: Sql): Sql => sql`array[${join(phoneFields.map((field) => sql`${row}.${raw(`"${field}"`)}`))}]`

/**
 * Cards with this number: first as their own phone, then by the nearest visit, then by the last change. At most
 * MAX_CANDIDATES.
 * @param phone E.164
 */
export async function candidatesOf(db: Queryable, phone: string | null): Promise<number[]> {
  if (phone === null) return []
  const rows = await db.query<{ id: number }>(sql`
    select c."id" from customers c where not c."deleted" and ${phonesSql(raw('c'))} @> array[${phone}::text]
    order by (c."phone" = ${phone}) desc nulls last,
      (select min(a."dateFrom") from appointments a where a."idCustomer" = c."id" and not a."deleted"
        and a."dateFrom" > now()) nulls last, c."dateChange" desc nulls last, c."id" limit ${MAX_CANDIDATES}`)
  return rows.map(({ id }) => id)
}

/** The single card of a number; null if there is none or several, for a person to choose. */
export async function ownerOf(db: Queryable, phone: string | null): Promise<number | null> {
  const [first, second] = await candidatesOf(db, phone)
  return first !== undefined && second === undefined ? first : null
}

/**
 * Data of the journal about a number and the dialled line.
 * @param phone E.164 or raw
 * @param line the dialled number, in any format
 */
export async function factsOfNumber(
  db: Queryable,
  phone: string | null,
  line: string | null,
): Promise<{ before: boolean; idFilial: number | null }> {
  const facts = await db.one<{ before: boolean; idFilial: number | null }>(sql`select
    exists (select from calls where "contactPhone" = ${phone}) as before,
    (select "id"::int from filials where "filialPhone" = ${phoneOf(line ?? '') ?? null} and not "deleted" order by "id" limit 1) as "idFilial"`)
  return facts ?? { before: false, idFilial: null }
}

export const customer = operation(callCalls.customer, ({ records, params, body }) =>
  records.tx(async (inner) => {
    const call = await inner.row(Call, params.id)
    if (body.idCustomer !== null) await assertVisible(inner, Customer, body.idCustomer, 'idCustomer')
    await inner.asSystem.update(Call, call.id, { idCustomer: body.idCustomer })
  }),
)
