/** Keeps the outcome of a portion: ids of the other program, records made and changed, fates of rows. */
import { entityAt } from '@ordinator/model/entities'
import sql, { raw } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { FieldError } from '#platform/errors.ts'
import type { Fate } from './compare.ts'
import type { Checked, Group, MovingContext, MovingTable } from './table.ts'

export interface Result {
  group: Group
  fate: Fate
  errors: FieldError[]
  notes: FieldError[]
  isDuplicate: boolean
  checked: Checked<unknown>
}

export async function keepKeys(
  { tx, source, file }: MovingContext,
  table: MovingTable,
  keys: readonly { key: string; id: number; file: unknown; fields: string[] }[],
): Promise<void> {
  if (keys.length === 0) return
  const entity = entityAt(table.path)
  const given = keys.map(({ key, id, file: values, fields }) => ({ key, id, file: values, fields }))
  const list = sql`jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g(key text, id bigint, file jsonb, fields jsonb)`
  await tx.query(sql`insert into moving_keys ("idFile", "path", "externalId", "before")
    select ${file.id}, ${table.path}, g.key, case when e."externalId" is not null then
        jsonb_build_object('idEntity', e."idEntity", 'file', e."file", 'here', e."here") end
    from ${list} left join external_ids e on e."source" = ${source} and e."path" = ${table.path} and e."externalId" = g.key`)
  const here =
    !entity || table.compare === 'sum'
      ? sql`null::jsonb`
      : table.compare === 'whole'
        ? sql`jsonb_build_object('_version', (select x."_version" from ${raw(`"${entity.table}"`)} x where x."id" = g.id))`
        : sql`(select jsonb_object_agg(f.name, to_jsonb(x)->f.name) from ${raw(`"${entity.table}"`)} x
          cross join jsonb_array_elements_text(g.fields) f(name) where x."id" = g.id)`
  await tx.query(sql`insert into external_ids ("source", "path", "externalId", "idEntity", "file", "here")
    select distinct on (g.key) ${source}, ${table.path}, g.key, g.id, g.file, ${here} from ${list}
    on conflict ("source", "path", "externalId") do update set "idEntity" = excluded."idEntity", "file" = excluded."file",
      "here" = coalesce(external_ids."here", '{}') || coalesce(excluded."here", '{}')`)
}

export async function noteMade(
  tx: Tx,
  idFile: number,
  made: readonly { row: number; path: string; id: number }[],
): Promise<void> {
  if (made.length === 0) return
  // Records of one entity are together, so that a revert takes them in one statement.
  const paths = [...new Set(made.map(({ path }) => path))]
  const sorted = made.toSorted((a, b) => paths.indexOf(a.path) - paths.indexOf(b.path))
  await tx.query(sql`insert into moving_made ("idFile", "row", "path", "idEntity")
    select ${idFile}, m."row", m.path, m.id from rows from (jsonb_to_recordset(${JSON.stringify(sorted)}::jsonb)
      as ("row" integer, path text, id bigint)) with ordinality m order by m.ordinality`)
}

/** Entities whose former values a revert restores. */
const CHANGED = [
  'customers',
  'users',
  'services',
  'service-performers',
  'customers/relations',
  'customers/policies',
  'customers/past-visits',
  'customer-plans',
] as const

/** What this portion has changed in records of before, by its history. */
export async function noteChanged(
  tx: Tx,
  idFile: number,
  made: readonly { path: string; id: number }[],
): Promise<void> {
  const own = new Set(made.map(({ path, id }) => `${path} ${id}`))
  const rows = await tx.query<{ path: string; idEntity: number; changes: unknown }>(sql`
    select h."path", h."idEntity"::int as "idEntity", h."changes" from history h
    where h."xid" = pg_current_xact_id() and h."action" = 'update' and h."path" = any (${[...CHANGED]}::text[]) order by h."id"`)
  const changed = rows.filter(({ path, idEntity }) => !own.has(`${path} ${idEntity}`))
  if (changed.length === 0) return
  await tx.query(sql`insert into moving_made ("idFile", "row", "path", "idEntity", "changes")
    select ${idFile}, 0, m.path, m."idEntity", m.changes from rows from (jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
      as (path text, "idEntity" bigint, changes jsonb)) with ordinality m order by m.ordinality`)
}

/** Stores the state of the rows: fate, notes and sums. Mostly it equals the rehearsal. */
export async function noteRows(tx: Tx, idFile: number, results: readonly Result[]): Promise<void> {
  const given = results.flatMap(({ group, fate, errors, notes, isDuplicate, checked }) =>
    group.rows.map(({ row }, at) => {
      const rowNotes = [
        ...(at === 0
          ? errors.map((one) => ({ ...one, error: true }))
          : fate === 'wrong'
            ? [{ field: '', message: `Вместе со строкой ${group.rows[0]?.row}`, error: true }]
            : []),
        ...(at === 0 ? notes.map((one) => ({ ...one, error: false })) : []),
      ]
      return {
        row,
        fate: fate === 'new' && isDuplicate ? 'twin' : fate,
        notes: rowNotes.length > 0 ? rowNotes : null,
        sums: at === 0 && checked.sums?.length ? checked.sums : null,
        unknown: at === 0 && checked.unknown?.length ? checked.unknown : null,
      }
    }),
  )
  await tx.query(sql`update moving_rows r set "fate" = g.fate, "notes" = g.notes, "sums" = g.sums, "unknown" = g.unknown
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g("row" integer, fate text, notes jsonb, sums jsonb, unknown jsonb)
    where r."idFile" = ${idFile} and r."row" = g."row"
      and (r."fate", r."notes", r."sums", r."unknown") is distinct from (g.fate, g.notes, g.sums, g.unknown)`)
}

/** Keeps which names of the file match no employee, for the page of the plan. */
export async function countUnknown(tx: Tx, idFile: number): Promise<void> {
  await tx.query(sql`delete from moving_unknown where "idFile" = ${idFile}`)
  await tx.query(sql`insert into moving_unknown ("idFile", "kind", "name", "rows")
    select ${idFile}::bigint, u.kind, u.name, count(*) from moving_rows r
      cross join jsonb_to_recordset(r."unknown") as u(kind text, name text)
    where r."idFile" = ${idFile} and r."unknown" is not null group by 2, 3`)
}

export const countsOf = async (tx: Tx, idFile: number) =>
  (await tx.one<Record<string, number>>(sql`select
      count(*) filter (where "fate" in ('new', 'twin'))::int as created,
      count(*) filter (where "fate" = 'changed')::int as updated,
      count(*) filter (where "fate" = 'same')::int as same,
      count(*) filter (where "fate" <> 'wrong' and "notes" is not null)::int as doubted,
      count(*) filter (where "fate" = 'twin')::int as twin,
      count(*) filter (where "fate" = 'both')::int as both,
      count(*) filter (where "fate" = 'wrong')::int as wrong
    from moving_rows where "idFile" = ${idFile}`)) ?? {}
