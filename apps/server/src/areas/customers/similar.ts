import { customerCalls } from '@ordinator/model/areas/customers/calls'
import { Customer, phoneFields } from '@ordinator/model/areas/customers/customer'
import type { SameBecause } from '@ordinator/model/areas/customers/similar'
import { schemes } from '@ordinator/model/identifiers'
import { phoneOf } from '@ordinator/model/phone'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { literal } from '../../records/filter.ts'
import { journalActor } from '../../records/journal.ts'
import { operation } from '../../records/operation.ts'
import { fioSql } from '../staff/index.ts'
import { textSql } from './customers.ts'

const MOST = 10
const row = raw('c')

/**
 * Cards that may be of the same patient: certainly by СНИЛС or policy, likely by names and birthday, or by a phone and
 * the first name. A phone alone is a family's.
 */
export const similar = operation(customerCalls.similar, async ({ app, records, query }) => {
  const word = (text: string | undefined) => text?.trim().toLowerCase() || undefined
  const [surname, name, middleName] = [word(query.surname), word(query.name), word(query.middleName)]
  const phones = [query.phone, query.phoneMother].flatMap((written) => (written && phoneOf(written)) || [])
  const snils = kept('snils', query.snils)
  const policy = kept('enp', query.policy)
  const iso = /^\d{2}\.\d{2}\.\d{4}$/.test(query.birthday ?? '')
  const because: Partial<Record<SameBecause, Sql>> = {
    ...(snils ? { snils: sql`${has(snils)} and c."snils" = ${snils}` } : {}),
    ...(policy
      ? {
          policy: sql`exists (select 1 from customers_policies p where p."idCustomer" = c."id" and p."number" = ${policy} and not p."deleted")`,
        }
      : {}),
    ...(surname && name && iso
      ? {
          fio: sql`${has(`${surname} ${name}`)} and lower(c."surname") = ${surname} and lower(c."name") = ${name}
            and (lower(c."middleName") = ${middleName ?? null} or c."middleName" is null or ${middleName ?? null}::text is null)
            and c."birthday" = to_date(${query.birthday}, 'DD.MM.YYYY')`,
        }
      : {}),
    ...(phones.length && name
      ? {
          phone: sql`(${join(
            phones.map(
              (phone) => sql`${has(phone)} and ${phone} in (${join(phoneFields.map((f) => raw(`c."${f}"`)))})`,
            ),
            ' or ',
          )}) and lower(c."name") = ${name}`,
        }
      : {}),
  }
  const found = Object.entries(because)
  if (found.length === 0) return { items: [] }
  const parts = found.map(
    ([why, condition]) => sql`select c."id", ${why}::text as why from customers c
      where not c."deleted" and c."id" <> ${query.except ?? 0} and (${condition}) limit ${raw(String(MOST * 2))}`,
  )
  const rows = await app.db.query<Found>(sql`
    select c."id"::int as "id", ${fioSql(row)} as fio, to_char(c."birthday", 'DD.MM.YYYY') as birthday, c."phone",
      c."cardNumber", array_agg(distinct f.why) as because
    from (${join(
      parts.map((part) => sql`(${part})`),
      ' union all ',
    )}) f join customers c on c."id" = f."id"
    group by c."id" order by bool_or(f.why in ('snils', 'policy')) desc, count(*) desc, c."id" limit ${raw(String(MOST))}`)
  await app.journal(
    ...rows.map(({ id }) => ({
      ...journalActor(records.actor),
      action: 'view' as const,
      entityType: Customer.path,
      idEntity: id,
      idCustomer: id,
      basis: 'Поиск карт того же клиента',
    })),
  )
  return {
    items: rows.map((one) => ({ ...one, certain: one.because.some((why) => why === 'snils' || why === 'policy') })),
  }
})

interface Found {
  id: number
  fio: string
  birthday: string | null
  phone: string | null
  cardNumber: string | null
  because: SameBecause[]
}

/** By the index of the text, before the exact comparison. */
const has = (text: string): Sql => sql`${textSql(row)} ilike ${`%${literal(text)}%`}`

function kept(scheme: 'snils' | 'enp', written: string | undefined): string | undefined {
  const read = written ? schemes[scheme].read(written) : undefined
  return read?.ok ? read.value : undefined
}
