import { can } from '@ordinator/model/access'
import { Customer, phoneFields } from '@ordinator/model/areas/customers/customer'
import { salesCalls, type sameContacts as sameShape } from '@ordinator/model/areas/sales/calls'
import { WORK } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import type { Row } from '@ordinator/model/entity'
import { phoneOf } from '@ordinator/model/phone'
import type { z } from 'zod'
import type { AppContext } from '#records/context.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import type { RawParams } from '#records/params.ts'
import type { Records } from '#records/records.ts'

/** Maximum number of deals, and of customers, per response. */
const MOST = '20'

export const duplicates = operation(salesCalls.duplicates, ({ app, records, query }) =>
  sameContacts(app, records, query),
)

/**
 * Open deals and, with the right, customers with this phone or e-mail.
 * @param wanted phone in any format; an incomplete number finds nothing
 */
export async function sameContacts(
  app: AppContext,
  records: Records,
  wanted: { phone?: string | null | undefined; email?: string | null | undefined; idLead?: number | undefined },
): Promise<z.output<typeof sameShape>> {
  const phone = wanted.phone ? phoneOf(wanted.phone) : undefined
  const email = wanted.email?.trim().replaceAll('\0', '')
  if (!phone && !email) return { leads: [], customers: [] }
  const leads = await records.rows(Lead, {
    ...anyOf([
      ...(phone ? [['contacts.phone', phone] as const, ['company.phone', phone] as const] : []),
      ...(email ? [['contacts.email][ilike', email] as const, ['company.email][ilike', email] as const] : []),
    ]),
    'filter[and][0][or][0][stage.idType]': String(WORK),
    'filter[and][0][or][1][idStage][null]': '1',
    ...(wanted.idLead ? { 'filter[id][neq]': String(wanted.idLead) } : {}),
    expand: 'contacts,company,stage,responsible.user',
    sort: '-id',
    limit: MOST,
  })
  return {
    leads: (leads as unknown as Expanded[]).filter(({ contacts, company }) =>
      [...contacts, company].some((one) => one && ((phone && one.phone === phone) || isSame(one.email, email))),
    ),
    customers: await customersOf(app, records, phone, email),
  }
}

type Reachable = { phone: string | null; email: string | null }
type Expanded = Row<typeof Lead> & { stage: { name: string } | null; contacts: Reachable[]; company: Reachable | null }

async function customersOf(
  app: AppContext,
  records: Records,
  phone: string | undefined,
  email: string | undefined,
): Promise<Row<typeof Customer>[]> {
  const { actor } = records
  if (!actor.system && !can(actor, 'view', Customer)) return []
  const found = await records.rows(Customer, {
    ...anyOf([...[phone, email].flatMap((sought) => (sought ? [['text][ilike', sought] as const] : []))]),
    fields: ['fio', 'birthday', 'email', ...phoneFields].join(),
    limit: MOST,
  })
  const same = found.filter(
    (customer) => isSame(customer.email, email) || phoneFields.some((f) => phone && customer[f] === phone),
  )
  await app.journal(
    ...same.map(({ id }) => ({
      ...journalActor(actor),
      action: 'view' as const,
      entityType: Customer.path,
      idEntity: id,
      idCustomer: id,
      basis: 'Поиск совпадений контакта сделки',
    })),
  )
  return same
}

const anyOf = (conditions: readonly (readonly [string, string])[]): RawParams =>
  Object.fromEntries(conditions.map(([field, value], i) => [`filter[or][${i}][${field}]`, value]))

/** `ilike` matches parts too: only whole addresses count, case-insensitive. */
const isSame = (a: unknown, b: string | undefined): boolean =>
  b !== undefined && typeof a === 'string' && a.toLowerCase() === b.toLowerCase()
