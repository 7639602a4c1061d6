import { Call, callTypes } from '@ordinator/model/areas/calls/call'
import { phoneOf } from '@ordinator/model/phone'
import sql from 'sql-template-tag'
import type { Area } from '../../records/area.ts'
import { records } from '../../records/define.ts'
import { labelSql } from '../../records/labels.ts'
import { demo } from './demo.ts'

/** Telephone calls. */
export const calls: Area = {
  name: 'calls',
  title: 'Звонки',
  records: [
    records(Call, {
      thread: {
        of: 'customers',
        kind: 'calls',
        name: 'Звонки',
        when: 'dateCreate',
        belongs: ({ row }, id) => sql`${row}."idCustomer" = ${id}`,
        title: ({ row }) => labelSql(sql`${row}."callType"`, callTypes),
        hint: ({ row }) => sql`to_char(${row}."dateEnd" - ${row}."dateCreate", 'MI:SS')`,
        author: ({ row }) => sql`${row}."idUser"`,
      },
      computed: {
        duration: ({ row }) => sql`(extract(epoch from ${row}."dateEnd" - ${row}."dateCreate")::int)`,
      },
      hooks: {
        // One number has one spelling; a short one is kept as it is.
        prepare(value) {
          if (value.destPhone) value.destPhone = phoneOf(value.destPhone) ?? value.destPhone
        },
      },
    }),
  ],
  demo,
}
