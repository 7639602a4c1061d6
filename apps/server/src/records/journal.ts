import { isIP } from 'node:net'
import { OPENED_HOURS } from '@ordinator/model/sealed'
import type { Queryable } from '../platform/db.ts'
import type { ServerActor } from './actor.ts'

export type JournalAction =
  | 'login'
  | 'refused'
  | 'logout'
  | 'password'
  | 'view'
  | 'create'
  | 'update'
  | 'delete'
  | 'restore'
  | 'print'
  | 'export'
  | 'sign'
  | 'search'
  | 'listen'
  /** Of a sealed record, for the reason that `basis` gives. */
  | 'open'

/** One line of the journal of access. Never a token, a password or what somebody typed for a login. */
export interface JournalEntry {
  action: JournalAction
  idUser?: number
  ip?: string
  /** Path of the entity, or `auth`. */
  entityType?: string
  idEntity?: number
  /** The patient whose data it was. */
  idCustomer?: number
  fields?: readonly string[]
  /** Why, in Russian: what was refused, what an export was made for. */
  basis?: string
  requestId?: string
}

const INSERT = `insert into access_log ("idUser", ip, action, "entityType", "idEntity", "idCustomer", fields, basis, "requestId")
  select "idUser", ip, action, "entityType", "idEntity", "idCustomer", fields,
    case when action = 'open' or "idCustomer" is null then basis
      else nullif(concat_ws('; ', basis, opened_because("idUser", "idCustomer", ${OPENED_HOURS})), '') end, "requestId"
  from jsonb_to_recordset($1::jsonb) as e("idUser" bigint, ip text, action text, "entityType" text, "idEntity" bigint,
    "idCustomer" bigint, fields text[], basis text, "requestId" text)`

/**
 * Adds lines to the journal, those on a patient whose sealed card somebody has opened with the reason of it; give it a transaction when they must
 * stand or fall with what they tell of.
 */
export async function journal(db: Queryable, ...entries: JournalEntry[]): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map((e) => ({
    ...e,
    ip: e.ip !== undefined && isIP(e.ip) ? e.ip : undefined,
    basis: e.basis?.slice(0, 500).replaceAll('\0', ''),
    requestId: e.requestId?.slice(0, 100),
  }))
  await db.query({ name: 'journal', text: INSERT, values: [JSON.stringify(rows)] })
}

/** The part of an entry that names who asked. */
export const journalActor = (actor: ServerActor): Pick<JournalEntry, 'idUser' | 'ip' | 'requestId'> => ({
  ...(actor.id > 0 ? { idUser: actor.id } : {}),
  ...(actor.ip === undefined ? {} : { ip: actor.ip }),
  ...(actor.requestId === undefined ? {} : { requestId: actor.requestId }),
})
