import { Customer } from '@ordinator/model/areas/customers/customer'
import { threadCalls } from '@ordinator/model/areas/customers/threadCalls'
import sql from 'sql-template-tag'
import type { Thread } from '#records/define.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'

/** All events of a patient. A view is recorded as access to the patient's data. */
export const thread = operation(threadCalls.thread, async ({ app, records, actor, params: { id }, query }) => {
  const { before, limit } = query
  const { rows, kinds } = await records.thread(Customer, {
    id,
    kinds: query.kinds?.split(',').filter(Boolean),
    before,
    limit,
  })
  await app.journal({ ...journalActor(actor), action: 'view', entityType: Customer.path, idEntity: id, idCustomer: id })
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return {
    items,
    next: rows.length > limit && last ? `${last.at}_${last.kind}_${last.id}` : null,
    kinds,
  }
})

/** Files attached to the card. */
export const fileThread: Thread = {
  of: Customer.path,
  kind: 'files',
  name: 'Файлы',
  when: 'dateCreate',
  belongs: ({ row }, id) => sql`${row}."id" in (select fa."idFile" from customers_attachments fa
    where fa."idCustomer" = ${id} and not fa."deleted")`,
  title: ({ row }) => sql`${row}."name"`,
  author: ({ row }) => sql`${row}."idUser"`,
}
