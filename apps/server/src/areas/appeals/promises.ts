/**
 * «Никто не забыт»: open promises to patients. A promise is derived from its record: a missed call that waits for a
 * call back (a conversation with that number ends it), a conversation without an outcome, a chat that waits for an
 * answer, any record with a dated next step. So it needs no tracking, and closes with its record.
 */
import { can } from '@ordinator/model/access'
import { appealCalls, type OpenPromise } from '@ordinator/model/areas/appeals/calls'
import { Customer } from '@ordinator/model/areas/customers/customer'
import sql, { empty } from 'sql-template-tag'
import { ifFound, shortFioSql } from '#areas/staff/index.ts'
import { HttpError } from '#platform/errors.ts'
import { inOwnBranch } from '#records/branches.ts'
import { operation } from '#records/operation.ts'
import { promisesSql } from './promiseSql.ts'

/** Promises per page. */
const PAGE = 100

export const promises = operation(appealCalls.promises, async ({ app, actor, query }) => {
  const sees = (entity: Parameters<typeof can>[2]) => can(actor, 'view', entity)
  const after = query.after === undefined ? undefined : placeOf(query.after)
  const found = promisesSql(
    sees,
    sees(Customer),
    (part) => sql`where (${query.mine ?? null}::text is null or f."idOwner" = ${actor.id} or f."idOwner" is null)
      and ${inOwnBranch(actor, sql`f."idFilial"`)}
      and (${query.filial ?? null}::bigint is null or f."idFilial" = ${query.filial ?? null}::bigint)
      and (${query.customer ?? null}::bigint is null or f."idCustomer" = ${query.customer ?? null}::bigint)
      ${after ? sql`and (f.due, ${part.kind}::text, ${part.source}::text, f."id") > (${after.due}::timestamptz, ${after.kind}, ${after.source}, ${after.id}::bigint)` : empty}
      order by f.due, f."id" limit ${PAGE + 1}`,
  )
  const rows = await app.db.reads.query<OpenPromise & { place: string }>(sql`
    select f.what as kind, f.source, f."id"::int as id, f.who, f."idCustomer"::int as "idCustomer", f.phone, left(f.about, 200) as about, f.due as "dueAt",
      f."idOwner"::int as "idOwner", ${ifFound(sql`u`, shortFioSql)} as owner, b."nameFilial" as filial,
      to_char(f.due at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || f.what || '_' || f.source || '_' || f."id" as place
    from (${found}) f left join users u on u."id" = f."idOwner" left join filials b on b."id" = f."idFilial"
    order by f.due, f.what, f.source, f."id" limit ${PAGE + 1}`)
  const items = rows.slice(0, PAGE)
  return {
    items: items.map(({ place: _, ...item }) => item),
    next: rows.length > PAGE ? (items.at(-1)?.place ?? null) : null,
  }
})

/** Position of the previous page's end. @throws HttpError 400 if it is invalid */
function placeOf(after: string) {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_([a-zA-Z]+)_([a-z]+)_(\d{1,15})$/.exec(after)
  const [, due = '', kind = '', source = '', id = ''] = found ?? []
  if (!found || Number.isNaN(Date.parse(due))) throw new HttpError(400, 'Откройте список заново: места after в нём нет')
  return { due, kind, source, id }
}
