import { Customer } from '@ordinator/model/areas/customers/customer'
import type { Filter } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { phoneOf, phoneText } from '@ordinator/model/phone'
import { recordsWith } from '../../base/client.ts'
import { AJAX_LIMIT, type AjaxOption } from '../../kit/useAjaxOptions.ts'

export type CustomerRow = Row<typeof Customer>
type CustomerFilter = Filter<typeof Customer>

const phoneFields = ['phone', 'phoneExtended', 'phoneMother', 'phoneFather', 'phoneWork'] as const
/** Fewer digits than this are found in almost every number. */
const FEWEST_DIGITS = 3
/** Words of a name that are looked for; a filter has its limit. */
const MAX_WORDS = 4
/** Phones in one request, so that its address stays short. */
const PHONES_AT_ONCE = 40

/** Customers by name, phone in any spelling, e-mail or post (spec §3), as options of a select. */
export async function searchCustomers(text: string, signal: AbortSignal): Promise<AjaxOption[]> {
  const { items } = await quiet.list(
    Customer,
    { filter: customerFilter(text), limit: AJAX_LIMIT, sort: ['surname', 'name', 'id'] },
    { signal },
  )
  return items.map((customer) => ({ value: customer.id, label: customer.fio, hint: hintOf(customer) }))
}

/** The filter of a search in customers. */
export function customerFilter(text: string): CustomerFilter {
  const words = text.trim().split(/\s+/).slice(0, MAX_WORDS)
  const byName: CustomerFilter = {
    and: words.map((word) => ({
      or: (['surname', 'name', 'middleName'] as const).map((field) => ({ [field]: { ilike: word } })),
    })),
  }
  const digits = digitsOf(text)
  const byPhone = digits ? phoneFields.map((field) => ({ [field]: { ilike: digits } })) : []
  const whole = text.trim()
  return { or: [byName, ...byPhone, { email: { ilike: whole } }, { post: { ilike: whole } }] }
}

/** What is known of a phone's digits as they are stored; a leading 8 is written +7 there. */
function digitsOf(text: string): string | undefined {
  if (!/^[\d\s()+.\-–]+$/.test(text)) return undefined
  const digits = text.replace(/\D/g, '')
  if (digits.length < FEWEST_DIGITS) return undefined
  return phoneOf(text) ?? (/^[78]/.test(digits) && digits.length > FEWEST_DIGITS ? digits.slice(1) : digits)
}

const hintOf = ({ phone, phoneMother, birthday }: CustomerRow): string =>
  [phone ? phoneText(phone) : phoneMother && `мать: ${phoneText(phoneMother)}`, birthday].filter(Boolean).join(' · ')

/** Who has which of these phones; several customers may share one. */
export async function findByPhones(phones: readonly string[]): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>()
  for (let at = 0; at < phones.length; at += PHONES_AT_ONCE) {
    const some = phones.slice(at, at + PHONES_AT_ONCE)
    const { items } = await quiet.list(Customer, {
      filter: { or: phoneFields.map((field) => ({ [field]: { in: some } })) },
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
