import { Call, CallLeg, callTypes } from '@ordinator/model/areas/calls/call'
import { phoneOf } from '@ordinator/model/phone'
import sql from 'sql-template-tag'
import { records } from '../../records/define.ts'
import { labelSql } from '../../records/labels.ts'

export const callRecords = records(Call, {
  thread: {
    of: 'customers',
    kind: 'calls',
    name: 'Звонки',
    when: 'dateCreate',
    belongs: ({ row }, id) => sql`${row}."idCustomer" = ${id}`,
    title: ({ row }) => labelSql(sql`${row}."callType"`, callTypes),
    hint: ({ row }) => sql`to_char(${row}."dateEnd" - ${row}."dateCreate", 'MI:SS')`,
    opens: ({ row }) => sql`'/journal/calls?open=' || ${row}."id"`,
    author: ({ row }) => sql`${row}."idUser"`,
  },
  computed: {
    duration: ({ row }) => sql`(extract(epoch from ${row}."dateEnd" - ${row}."dateCreate")::int)`,
    hasRecord: ({ row }) => sql`(${row}."fileLink" is not null)`,
  },
  hooks: {
    // One number has one spelling; a short one is kept as it is.
    prepare(value) {
      if (value.destPhone) value.destPhone = phoneOf(value.destPhone) ?? value.destPhone
    },
  },
})

/** One's own legs are seen by everyone: the card of a call that rings stands on them. */
export const callLegs = records(CallLeg, {
  scope: { unless: 'viewCallJournal', view: ({ row, me }) => sql`${row}."idUser" = ${me}` },
})
