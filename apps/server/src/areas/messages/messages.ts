import { messageEvents, messageStatuses } from '@ordinator/model/areas/messages/events'
import { Message } from '@ordinator/model/areas/messages/message'
import sql from 'sql-template-tag'
import { records } from '#records/define.ts'
import { labelSql } from '#records/labels.ts'

export const messageRecords = records(Message, {
  thread: {
    of: 'customers',
    kind: 'messages',
    name: 'Сообщения',
    when: 'dateCreate',
    belongs: ({ row }, id) => sql`${row}."idCustomer" = ${id}`,
    title: ({ row }) => labelSql(sql`${row}."event"`, messageEvents),
    hint: ({ row }) =>
      sql`concat_ws(' · ', ${labelSql(sql`${row}."status"`, messageStatuses)}, ${row}."reason", ${row}."text", 'Ответ: ' || ${row}."reply")`,
    opens: ({ row }) => sql`'/journal/messages?open=' || ${row}."id"`,
    author: ({ row }) => sql`${row}."idAuthor"`,
  },
})
