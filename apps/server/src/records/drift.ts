/**
 * Difference between a database and the declared entities. The declarations are created temporarily in a schema of their
 * own, so that PostgreSQL describes both sides in the same form and they can be compared as text.
 */
import type { Entity } from '@ordinator/model/entity'
import type { Db, Queryable } from '#platform/db.ts'
import { MigrationError } from '#platform/migrate.ts'
import { createTable, creation, type Schema, schemaOf } from './schema.ts'

/** The temporary schema; rolled back before anybody sees it. */
const WANTED = 'wanted_by_entities'

/** Number of missing columns named in an error. */
const SHOWN = 3

interface Column {
  type: string
  required: boolean
  /** The default expression, or how an identity is generated; null: none. */
  initial: string | null
}

/** A database's tables, constraints and indexes as described by PostgreSQL. */
interface Catalogue {
  tables: Map<string, Map<string, Column>>
  constraints: Map<string, { table: string; definition: string }>
  indexes: Map<string, string>
}

/** The schema the entities need, as declared and as described by PostgreSQL. */
export interface Wanted {
  schema: Schema
  catalogue: Catalogue
}

/** Takes a second: a hundred tables are created and rolled back. */
export async function wantedBy(entities: readonly Entity[], db: Db): Promise<Wanted> {
  const schema = schemaOf(entities)
  let made: Catalogue | undefined
  const undo = new Error('rolled back')
  try {
    await db.tx(async (tx) => {
      await tx.query({ text: `create schema ${WANTED}; set local search_path = ${WANTED}, public` })
      await tx.query({ text: creation(schema) })
      made = await catalogueOf(tx, WANTED)
      throw undo
    })
  } catch (error) {
    if (error !== undo) throw error
  }
  return { schema, catalogue: made as Catalogue }
}

/**
 * SQL that brings the database to the declarations; empty when nothing is missing. Extra objects are left alone, except
 * columns, which are listed as comments.
 */
export async function drift(db: Queryable, wanted: Wanted): Promise<string> {
  return difference(wanted.schema, wanted.catalogue, await catalogueOf(db, 'public'))
}

/**
 * Checks at the start that the database has all declared columns.
 * @throws MigrationError that names what is missing and how to fix it
 */
export async function checkColumns(db: Queryable, entities: readonly Entity[]): Promise<void> {
  const rows = await db.query<{ name: string }>({
    text: `select table_name || '.' || column_name as "name" from information_schema.columns where table_schema = current_schema()`,
  })
  const there = new Set(rows.map((row) => row.name))
  const missing = [...schemaOf(entities).tables].flatMap(([table, columns]) =>
    [...columns.keys()].map((column) => `${table}.${column}`).filter((name) => !there.has(name)),
  )
  if (missing.length === 0) return
  const more = missing.length > SHOWN ? ` и ещё ${missing.length - SHOWN}` : ''
  throw new MigrationError(
    `В базе данных нет столбцов, которые описаны в программе: ${missing.slice(0, SHOWN).join(', ')}${more}. Составьте изменение базы командой npm run migration имя, прочитайте его и запустите программу снова.`,
  )
}

async function catalogueOf(db: Queryable, namespace: string): Promise<Catalogue> {
  const columns = await db.query<Column & { table: string; column: string }>({
    text: `select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as "type",
        a.attnotnull as "required",
        case a.attidentity when '' then pg_get_expr(d.adbin, d.adrelid) when 'd' then 'identity' else 'identity always' end as "initial"
      from pg_attribute a join pg_class c on c.oid = a.attrelid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      order by c.relname, a.attnum`,
    values: [namespace],
  })
  // NOT NULL is part of the column.
  const constraints = await db.query<{ table: string; name: string; definition: string }>({
    text: `select c.relname as "table", o.conname as "name", pg_get_constraintdef(o.oid) as "definition"
      from pg_constraint o join pg_class c on c.oid = o.conrelid
      where o.connamespace = $1::regnamespace and o.contype in ('p', 'f', 'u', 'c', 'x')`,
    values: [namespace],
  })
  const indexes = await db.query<{ name: string; definition: string }>({
    text: `select indexname as "name", indexdef as "definition" from pg_indexes where schemaname = $1`,
    values: [namespace],
  })
  const tables: Catalogue['tables'] = new Map()
  for (const { table, column, type, required, initial } of columns) {
    const there = tables.get(table) ?? new Map()
    tables.set(table, there.set(column, { type, required, initial }))
  }
  const own = (definition: string) => definition.replaceAll(`${namespace}.`, '')
  return {
    tables,
    constraints: new Map(constraints.map((c) => [c.name, { table: c.table, definition: own(c.definition) }])),
    indexes: new Map(indexes.map((i) => [i.name, own(i.definition)])),
  }
}

function difference(schema: Schema, wanted: Catalogue, present: Catalogue): string {
  const lines: string[] = []
  for (const [table, columns] of schema.tables) {
    const there = present.tables.get(table)
    if (!there) {
      lines.push(createTable(table, columns))
      continue
    }
    for (const [column, text] of columns) {
      const is = there.get(column)
      if (is) lines.push(...columnChanges(table, column, is, wanted.tables.get(table)?.get(column) as Column))
      else lines.push(`alter table "${table}" add column "${column}" ${text};${needsValue(text)}`)
    }
    for (const column of there.keys())
      if (!columns.has(column)) lines.push(`-- alter table "${table}" drop column "${column}";`)
  }
  for (const [name, { table, definition }] of wanted.constraints) {
    const is = present.constraints.get(name)
    if (is?.definition === definition || (!is && !present.tables.has(table) && !schema.constraints.has(name))) continue
    if (is) lines.push(`alter table "${is.table}" drop constraint "${name}";`)
    lines.push(schema.constraints.get(name) ?? `alter table "${table}" add constraint "${name}" ${definition};`)
  }
  for (const [name, text] of schema.indexes) {
    const is = present.indexes.get(name)
    if (is === wanted.indexes.get(name)) continue
    if (is) lines.push(`drop index "${name}";`)
    lines.push(text)
  }
  return lines.length ? `${lines.join('\n')}\n` : ''
}

function columnChanges(table: string, column: string, is: Column, wanted: Column): string[] {
  const alter = `alter table "${table}" alter column "${column}"`
  const changes: string[] = []
  if (is.type !== wanted.type) changes.push(`${alter} type ${wanted.type};`)
  if (is.initial !== wanted.initial) changes.push(`${alter} ${initialChange(is, wanted)};`)
  if (is.required !== wanted.required) changes.push(`${alter} ${wanted.required ? 'set' : 'drop'} not null;`)
  return changes
}

function initialChange(is: Column, wanted: Column): string {
  if (wanted.initial === 'identity') {
    return is.initial?.startsWith('identity') ? 'set generated by default' : 'add generated by default as identity'
  }
  return wanted.initial === null ? 'drop default' : `set default ${wanted.initial}`
}

/** A NOT NULL column without a default cannot be added to a table with rows. */
const needsValue = (text: string): string =>
  text.includes(' not null') && !text.includes(' default ') ? ' -- the rows that are there need a value first' : ''
