import { chatStatuses, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { Customer } from '@ordinator/model/areas/customers/customer'
import sql from 'sql-template-tag'
import type { Area } from '../../records/area.ts'
import { records } from '../../records/define.ts'
import { labelSql } from '../../records/labels.ts'
import { demoChats } from './demoChats.ts'

/** Chats with visitors. */
export const chats: Area = {
  name: 'chats',
  title: 'Чаты',
  records: [
    records(LiveAssist, {
      thread: {
        of: 'customers',
        kind: 'chats',
        name: 'Чаты',
        when: 'dateCreate',
        belongs: ({ row }, id) => sql`${row}."idCustomer" = ${id}`,
        title: ({ row }) => sql`coalesce(${row}."sourceName", 'Чат на сайте')`,
        hint: ({ row }) => labelSql(sql`${row}."status"`, chatStatuses),
        author: ({ row }) => sql`${row}."idUser"`,
      },
    }),
  ],
  async demo(records, _app, tx) {
    const operator = await tx.one<{ id: number }>({ text: `select id from users where login = 'operator'` })
    const known = await records.rows(Customer, { 'filter[phone][null]': '0', sort: 'id', limit: demoChats.length })
    for (const [at, { own, ...chat }] of demoChats.entries()) {
      const customer = own ? undefined : known[at]
      await records.create(LiveAssist, {
        ...chat,
        name: own?.name ?? customer?.name ?? 'Гость',
        phone: own?.phone ?? customer?.phone ?? null,
        ...(customer ? { idCustomer: customer.id } : {}),
        ...(chat.status === 'active' ? {} : { idUser: operator?.id ?? null }),
      })
    }
  },
}
