/** Journals of ЕГИСЗ: events without patient data, and operations of the register. */
import type { EgiszEvent, EgiszOperation } from '@ordinator/model/areas/egisz/semd'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { clean } from '#platform/exchange.ts'

type Event = Pick<Row<typeof EgiszEvent>, 'kind' | 'text'> &
  Partial<Pick<Row<typeof EgiszEvent>, 'level' | 'idSemd' | 'idUser'>>

export const logEvent = (db: Queryable, { kind, text, level = 'info', idSemd = null, idUser = null }: Event) =>
  db.query(sql`insert into egisz_events ("dateCreate", "kind", "level", "text", "idSemd", "idUser")
    values (clock_timestamp(), ${kind}, ${level}, ${clean(text, 1000)}, ${idSemd}, ${idUser})`)

/** Adds a line to the journal of operations. */
export const beginOperation = (
  db: Queryable,
  idSemd: number,
  operation: Row<typeof EgiszOperation>['operation'],
  status: 'queued' | 'done' = 'queued',
) =>
  db.query(sql`insert into egisz_operations ("dateCreate", "operation", "idSemd", "title", "idCustomer", "idUser", "idFilial", "status", "seconds")
    select clock_timestamp(), ${operation}, s."id", s."title", s."idCustomer", s."idUser", s."idFilial", ${status},
      case when ${status} = 'done' then 0 end from egisz_semds s where s."id" = ${idSemd}`)

/** Stores the result of a document's latest operation. */
export const settleOperation = (
  db: Queryable,
  idSemd: number,
  operation: Row<typeof EgiszOperation>['operation'],
  {
    status,
    emdrId = null,
    errorCode = null,
    error = null,
  }: Pick<Row<typeof EgiszOperation>, 'status'> & Partial<Row<typeof EgiszOperation>>,
) =>
  db.query(sql`update egisz_operations set "status" = ${status}, "emdrId" = coalesce(${emdrId}, "emdrId"),
      "errorCode" = ${clean(errorCode, 64)}, "error" = ${clean(error, 1000)}, "_version" = "_version" + 1,
      "seconds" = case when ${status} in ('done', 'rejected') then extract(epoch from clock_timestamp() - "dateCreate")::int end
    where "id" = (select max("id") from egisz_operations where "idSemd" = ${idSemd} and "operation" = ${operation})`)
