import { Customer, phoneFields } from '@ordinator/model/areas/customers/customer'
import type { Filter } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { phoneText } from '@ordinator/model/phone'
import { recordsWith } from '#base/client.ts'
import { AJAX_LIMIT, type AjaxOption } from '#kit/useAjaxOptions.ts'
import { searchFilter } from '#records/conditions.ts'

export type CustomerRow = Row<typeof Customer>
type CustomerFilter = Filter<typeof Customer>

/** Phones per request, to keep the URL short. */
const PHONES_AT_ONCE = 20

/** Customers by name, phone in any spelling, e-mail or postal address (spec §3), as select options. */
export async function searchCustomers(text: string, signal: AbortSignal): Promise<AjaxOption[]> {
  const { items } = await quiet.list(
    Customer,
    {
      filter: searchFilter(Customer, text) as CustomerFilter | undefined,
      limit: AJAX_LIMIT,
      sort: ['surname', 'name', 'id'],
    },
    { signal },
  )
  return items.map((customer) => ({ value: customer.id, label: customer.fio, hint: hintOf(customer) }))
}

const hintOf = ({ phone, phoneMother, birthday }: CustomerRow): string =>
  [phone ? phoneText(phone) : phoneMother && `мать: ${phoneText(phoneMother)}`, birthday].filter(Boolean).join(' · ')

/** Customer ids by phone; several may share one. */
export async function findByPhones(phones: readonly string[]): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>()
  for (let at = 0; at < phones.length; at += PHONES_AT_ONCE) {
    const some = phones.slice(at, at + PHONES_AT_ONCE)
    const { items } = await quiet.list(Customer, {
      filter: { or: some.map((phone) => ({ text: { ilike: phone } })) },
      fields: [...phoneFields],
      limit: 500,
    })
    for (const customer of items)
      for (const phone of new Set(phoneFields.map((field) => customer[field])))
        if (phone && some.includes(phone)) found.set(phone, [...(found.get(phone) ?? []), customer.id])
  }
  return found
}

const quiet = recordsWith({ forbidden: 'silent' })
