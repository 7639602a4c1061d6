import sql, { raw, type Sql } from 'sql-template-tag'
import type { ServerActor } from './actor.ts'

interface Note {
  path: string
  action: 'create' | 'update' | 'delete'
  actor: ServerActor
  /** SQL over `made`: `{ field: [from, to] }`, the id of the record it is within, and of the one it also tells of. */
  changes: Sql
  parent?: Sql
  about?: { path: string; id: Sql }
}

/**
 * History of the rows of the common table `made`, for writes of many rows in one statement: each row gets its line, as
 * the engine's own writes do.
 */
export const noteMade = ({ path, action, actor, changes, parent = raw('null::bigint'), about }: Note): Sql => sql`
  insert into history ("path", "idEntity", "action", "idUser", "changes", "version", "idParent", "requestId", "pathAbout", "idAbout")
  select ${path}::text, made."id", ${action}::text, ${actor.id || null}::bigint, ${changes}, made."_version", ${parent}, ${actor.requestId ?? null}::text,
    case when ${about?.id ?? raw('null::bigint')} is null then null else ${about?.path ?? null}::text end, ${about?.id ?? raw('null::bigint')}
  from made`
