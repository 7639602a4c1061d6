import { Call } from '@ordinator/model/areas/calls/call'
import { callCalls } from '@ordinator/model/areas/calls/calls'
import { Customer, phoneFields } from '@ordinator/model/areas/customers/customer'
import { phoneOf } from '@ordinator/model/phone'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { operation } from '#records/operation.ts'
import { assertVisible } from '#records/reference.ts'

/** More owners of one number than these are not offered: it is a number of a firm. */
const MAX_CANDIDATES = 5

/** SQL of the phones of a card, as the index `customers_phones_idx` has them to the letter. */
const phonesSql = (row: Sql): Sql => sql`array[${join(phoneFields.map((field) => sql`${row}.${raw(`"${field}"`)}`))}]`

/**
 * Whose number it is, of all cards: the card whose own it is first, then whose next visit is the nearest, then who was
 * changed last. At most MAX_CANDIDATES.
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

/** The one card of a number; null where there is none or several: then a person chooses. */
export async function ownerOf(db: Queryable, phone: string | null): Promise<number | null> {
  const [first, second] = await candidatesOf(db, phone)
  return first !== undefined && second === undefined ? first : null
}

/**
 * What the journal knows of a number and of the line that was dialled.
 * @param phone E.164 or as it came
 * @param line what was dialled, in any spelling
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
