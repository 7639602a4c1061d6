import { holds } from '@ordinator/model/access'
import { Call, CallCheck, CallLeg, callTypes } from '@ordinator/model/areas/calls/call'
import { checkItems } from '@ordinator/model/areas/calls/checkList'
import { phoneOf } from '@ordinator/model/phone'
import sql, { join, raw } from 'sql-template-tag'
import { forbidden } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { records } from '#records/define.ts'
import { labelSql } from '#records/labels.ts'
import type { Records } from '#records/records.ts'
import { searchTarget } from '#records/searchTarget.ts'
import { removeFiles } from '#records/trash.ts'
import { byHand } from './byHand.ts'

export const callRecords = records(Call, {
  async parted(app, tx, ids) {
    const recorded = await tx.query<{ key: string }>(sql`
      select "fileLink" as key from calls where "id" = any (${ids as number[]}::bigint[]) and "fileLink" is not null`)
    await removeFiles(
      app,
      tx,
      recorded.map(({ key }) => key),
    )
  },
  found: searchTarget('calls', {
    by: ['contactPhone'],
    hint: ({ row }) => sql`${labelSql(sql`${row}."callType"`, callTypes)}`,
  }),
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
    talkS: ({ row }) => sql`(extract(epoch from ${row}."dateEnd" - ${row}."dateAnswer")::int)`,
    hasRecord: ({ row }) => sql`(${row}."fileLink" is not null)`,
  },
  hooks: {
    ...byHand,
    // Numbers are normalized; a short one is kept unchanged.
    prepare(value) {
      if (value.destPhone) value.destPhone = phoneOf(value.destPhone) ?? value.destPhone
    },
  },
})

/** Everyone sees own legs: the screen of a ringing call uses them. */
export const callLegs = records(CallLeg, {
  scope: { unless: 'viewCallJournal', view: ({ row, me }) => sql`${row}."idUser" = ${me}` },
})

const marks = Object.keys(checkItems)

/** Marked by the participant, and by users who may listen to others. */
export const callChecks = records(CallCheck, {
  computed: {
    score: ({ row }) => {
      const times = (answers: string) =>
        join(
          marks.map((mark) => sql`(coalesce(${row}.${raw(`"${mark}"`)}, '') in (${raw(answers)}))::int`),
          ' + ',
        )
      return sql`(round(100.0 * (${times("'yes'")}) / nullif(${times("'yes', 'no'")}, 0))::int)`
    },
  },
  hooks: {
    beforeCreate: ({ records: all, actor }, { idCall }) => assertOwn(all, actor, idCall),
    beforeUpdate: ({ records: all, actor }, _value, { idCall }) => assertOwn(all, actor, idCall),
  },
})

async function assertOwn(all: Records, actor: ServerActor, idCall: number): Promise<void> {
  if (actor.system || holds(actor, 'listenCalls')) return
  const { idUser } = await all.row(Call, idCall)
  // A ringing call has no participant yet: anyone it rings may start.
  const isOwn =
    idUser === actor.id ||
    (idUser === null &&
      (await all.rows(CallLeg, { 'filter[idCall]': idCall, 'filter[idUser]': actor.id, limit: 1 })).length > 0)
  if (!isOwn) throw forbidden('Чек-лист заполняет тот, кто говорил')
}
