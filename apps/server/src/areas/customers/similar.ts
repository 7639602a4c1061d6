import { customerCalls } from '@ordinator/model/areas/customers/calls'
import { Customer, phoneFields } from '@ordinator/model/areas/customers/customer'
import type { SameReason } from '@ordinator/model/areas/customers/similar'
import { schemes } from '@ordinator/model/identifiers'
import { phoneOf } from '@ordinator/model/phone'
import sql, { raw } from 'sql-template-tag'
import { fioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { ifOpen } from './customers.ts'
import { becauseSql, keysSql, soughtBecause } from './keys.ts'

const MOST = 10
const row = raw('c')
const given = raw('g')
const texts = ['surname', 'name', 'middleName', 'snils', ...phoneFields]

/**
 * Cards that may be of the same patient: certainly by СНИЛС or policy, likely by names and birthday, or by a phone and
 * the first name. A phone alone means a family.
 */
export const similar = operation(customerCalls.similar, async ({ app, records, query }) => {
  const policy = kept('enp', query.policy)
  const typed = {
    ...Object.fromEntries(
      (['surname', 'name', 'middleName'] as const).map((field) => [field, query[field]?.trim() || undefined]),
    ),
    phone: query.phone && phoneOf(query.phone),
    phoneMother: query.phoneMother && phoneOf(query.phoneMother),
    snils: kept('snils', query.snils),
    birthday: checkedDay(query.birthday),
  }
  const table = sql`given as materialized (select g.*, ${keysSql(given)} as keys from jsonb_to_record(${JSON.stringify(typed)}::jsonb)
    as g("birthday" date, ${raw(texts.map((field) => `"${field}" text`).join(', '))}))`
  const others = sql`not c."deleted" and c."id" <> ${query.except ?? 0}`
  const rows = await app.db.query<Found>(sql`with ${table}
    select c."id"::int as "id", ${fioSql(row)} as fio, ${ifOpen(records.actor, row, raw(`to_char(c."birthday", 'DD.MM.YYYY')`))} as birthday,
      ${ifOpen(records.actor, row, raw('c."phone"'))} as phone,
      c."cardNumber", array_agg(distinct f.why) as because
    from (
      select c."id", unnest(${soughtBecause(becauseSql(row, given))}) as why from given g join customers c on ${keysSql(row)} && g.keys and ${others}
      union all
      select c."id", 'policy' from customers_policies p join customers c on c."id" = p."idCustomer" and ${others}
        where p."number" = ${policy ?? null} and not p."deleted"
    ) f join customers c on c."id" = f."id"
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

/**
 * The card of this phone that matches the person, by the rules of the search above: the first name and the phone, or
 * names and birthday, unless the birthday or the patronymic differs. Undefined if there is none, or more than one.
 */
export async function sameOfPhone(
  db: Queryable,
  person: {
    surname: string
    name: string
    middleName?: string | undefined
    birthday?: string | undefined
    phone: string
  },
): Promise<number | undefined> {
  const table = sql`given as materialized (select g.* from jsonb_to_record(${JSON.stringify(person)}::jsonb)
    as g("birthday" date, ${raw(texts.map((field) => `"${field}" text`).join(', '))}))`
  const found = await db.query<{ id: number }>(sql`with ${table}
    select c."id"::int as id from given g join customers c on c."phone" = g."phone" and not c."deleted" and c."dateDeath" is null
    where cardinality(${becauseSql(row, given)}) > 0 limit 2`)
  return found.length === 1 ? found[0]?.id : undefined
}

interface Found {
  id: number
  fio: string
  birthday: string | null
  phone: string | null
  cardNumber: string | null
  because: SameReason[]
}

function kept(scheme: 'snils' | 'enp', written: string | undefined): string | undefined {
  const read = written ? schemes[scheme].read(written) : undefined
  return read?.ok ? read.value : undefined
}

/** `DD.MM.YYYY` as SQL reads it; undefined if incomplete or invalid. */
function checkedDay(written: string | undefined): string | undefined {
  const read = Customer.fields.birthday.parse(written ?? '')
  return read.ok ? String(read.value) : undefined
}
