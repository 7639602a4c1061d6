/** The wrap-up of a call: from its end until the employee is ready for the next one. */
import { Call, INCOMING, OUTGOING, WRAP_MAX_S } from '@ordinator/model/areas/calls/call'
import { callCalls } from '@ordinator/model/areas/calls/calls'
import sql, { type Sql } from 'sql-template-tag'
import { notFound } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'

/** SQL condition: the wrap-up of call `row` is in progress at a moment. */
export const wrapsSql = (
  row: Sql,
  at: Sql,
): Sql => sql`(${row}."dateReady" is null and ${row}."callType" in (${INCOMING}, ${OUTGOING})
  and ${row}."dateAnswer" is not null and ${row}."dateEnd" <= ${at} and ${row}."dateEnd" > ${at} - make_interval(secs => ${WRAP_MAX_S}))`

/**
 * Ends the wrap-up of an employee's call, or of all calls before another one.
 * @param at the moment, ISO; absent: now
 * @param idBut the employee's next call
 */
export async function endWrap(
  records: Records,
  { idUser, idCall, idBut, at }: { idUser: number; idCall?: number; idBut?: number; at?: string },
): Promise<void> {
  const moment = at === undefined ? sql`now()` : sql`${at}::timestamptz`
  await records.asSystem.updateWhere(
    Call,
    ({ row }) => sql`${row}."idUser" = ${idUser} and ${wrapsSql(row, moment)}
      and ${idCall === undefined ? sql`${row}."id" <> ${idBut ?? 0}` : sql`${row}."id" = ${idCall}`}`,
    { dateReady: moment },
    { pastHooks: 'no number is written' },
  )
}

export const ready = operation(callCalls.ready, async ({ app, records, actor, params: { id } }) => {
  const own = await app.db.one(sql`select 1 from calls where "id" = ${id} and "idUser" = ${actor.id}`)
  if (!own) throw notFound()
  await endWrap(records, { idUser: actor.id, idCall: id })
})
