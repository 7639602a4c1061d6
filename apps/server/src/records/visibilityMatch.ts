/** Statements of visibility.ts: which of many users see which of many records. */
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Lane } from '#platform/db.ts'
import { branchFate, branchScope, isLimited } from './branches.ts'
import type { Definition, Registry, Sight } from './define.ts'
import { filterShape, filterSql } from './filter.ts'
import { parseListQuery } from './params.ts'
import { aliases, and, name } from './plan.ts'
import { type Env, visible } from './scope.ts'
import type { AskedFilter, FilterParams, PastEvent, Viewer, VisibleIds } from './sight.ts'

const u = sql`u."id"`

/** Users with equal permissions share the conditions, which differ only in ids: one statement per group. */
export async function forEqual(
  registry: Registry,
  users: Viewer[],
  ask: (env: Env, equal: Viewer[], see: See, principals: Principals) => Promise<void>,
): Promise<VisibleIds> {
  const visible = new Map<number, Set<number>>()
  const see: See = (idUser, id) => {
    const ids = visible.get(idUser)
    if (ids) ids.add(id)
    else visible.set(idUser, new Set([id]))
  }
  const rights = ({ actor }: Viewer) => `${Object.keys(actor.permissions).sort().join()} ${isLimited(actor)}`
  for (const equal of Map.groupBy(users, rights).values()) {
    const [first] = equal
    if (!first) continue
    const principals: Principals = new Map()
    const env: Env = {
      registry,
      actor: first.actor,
      me: u,
      alias: aliases(),
      principals: (sight) => {
        const column = principals.get(sight.principals) ?? raw(`"p${principals.size}"`)
        principals.set(sight.principals, column)
        return sql`u.${column}`
      },
    }
    await ask(env, equal, see, principals)
  }
  return visible
}

/** Principals of each user are computed once, whatever the number of records. */
export async function match(
  events: Lane,
  principals: Principals,
  from: Sql,
  ids: Sql,
  condition: Sql | undefined,
  viewers: Viewer[],
  see: See,
): Promise<void> {
  const users = viewers.map((v) => v.id)
  if (!condition) {
    const rows = await events.query<{ id: number }>(sql`select distinct ${ids} as "id" from ${from}`)
    for (const { id } of rows) for (const idUser of users) see(idUser, id)
    return
  }
  const rows = await events.query<{ idUser: number; id: number }>(sql`select distinct ${u} as "idUser", ${ids} as "id"
    from ${askers(principals, users)} cross join ${from} and ${condition}`)
  for (const { idUser, id } of rows) see(idUser, id)
}

/** Deleted records by their branch: the last state is in their history rows. */
export function matchLast(
  events: Lane,
  env: Env,
  path: string,
  past: readonly PastEvent[],
  principals: Principals,
  equal: Viewer[],
  see: See,
): Promise<void> {
  const d = env.registry.at(path)
  const t = env.alias()
  const from = sql`history h cross join lateral (select h."idEntity" as "_gone", r.* from jsonb_populate_record(
      null::${name(d.entity.table)},
      (select jsonb_object_agg(c.key, c.value -> 0) from jsonb_each(h."changes") c where c.key = any(${branchFate(env.registry, d).by}::text[]))
    ) r) ${t} where h."id" = any(${past.map(({ seq }) => seq)}::bigint[])`
  return match(events, principals, from, sql`${t}."_gone"`, branchScope(env, d, t), equal, see)
}

/** The condition of filters of a shape, whose values are a table `f`; `n` is the number of the filter. */
function filtersOf(env: Env, d: Definition, t: Sql, asked: AskedFilter[]): { condition: Sql | undefined; table: Sql } {
  const values = new Map<string, { column: Sql; read: (given: unknown) => unknown }>()
  const valueAt: Env['valueAt'] = (place, read) => {
    const { column } = values.get(place) ?? { column: raw(`f."v${values.size}"`) }
    values.set(place, { column, read })
    return column
  }
  const condition = filterOf({ ...env, valueAt, few: true }, d, (asked[0] as AskedFilter).filter, t)
  const columns = [...values].map(([place, { read }]) =>
    asked.map(({ filter }) => {
      const { places, texts } = knownOf(filter)
      const text = texts.get(place) ?? textOf(read(places[place]))
      texts.set(place, text)
      return text
    }),
  )
  const names = ['n', ...columns.map((_, i) => `v${i}`)].map(name)
  const table = sql`unnest(${join([sql`${asked.map((_, n) => n)}::int[]`, ...columns.map((column) => sql`${column}::text[]`)], ', ')})
    f(${join(names, ', ')})`
  return { condition, table }
}

/**
 * Filters of a shape with the people who have them. A condition that is the same for everybody is compared once with the
 * records, whatever the number of people, and `met` keeps the answer for further groups of them; only who has a filter that
 * lets a record through is then asked for. Another condition is compared for each person.
 */
export async function matchFilters(
  filters: Lane,
  env: Env,
  d: Definition,
  ids: number[],
  asked: AskedFilter[],
  principals: Principals,
  met: Map<string, Promise<Met[]>>,
): Promise<(Met & { idUser: number })[]> {
  const t = env.alias()
  const among = (of: number[]) => sql`${name(d.entity.table)} ${t} on ${t}."id" = any(${of}::bigint[])`
  const { condition, table } = filtersOf(env, d, t, asked)
  const seen = visible(env, d, t, 'any')
  if (!condition || OF_PERSON.test(condition.text)) {
    const pairs = asked.flatMap(({ viewers }, n) => viewers.map(({ id }) => [n, id] as const))
    return filters.query(sql`select f."n", ${u} as "idUser", ${t}."id"
      from unnest(${pairs.map(([n]) => n)}::int[], ${pairs.map(([, id]) => id)}::bigint[]) a("n", "idUser")
        join ${askers(principals, [...new Set(pairs.map(([, id]) => id))])} on ${u} = a."idUser"
        join ${table} on f."n" = a."n"
        join ${among(ids)} and ${and([seen, condition]) ?? sql`true`}`)
  }
  const key = `${condition.text} ${JSON.stringify(condition.values)}`
  const asking =
    met.get(key) ?? filters.query<Met>(sql`select f."n", ${t}."id" from ${table} join ${among(ids)} and ${condition}`)
  met.set(key, asking)
  const found = (await asking).flatMap(({ n, id }) =>
    (asked[n] as AskedFilter).viewers.map((viewer) => ({ n, id, idUser: viewer.id })),
  )
  if (!seen || found.length === 0) return found
  const users = [...new Set(found.map(({ idUser }) => idUser))]
  const visibleTo = await filters.query<{ idUser: number; id: number }>(sql`select ${u} as "idUser", ${t}."id"
    from ${askers(principals, users)} join ${among([...new Set(found.map(({ id }) => id))])} and ${seen}`)
  const pairs = new Set(visibleTo.map(({ idUser, id }) => `${idUser} ${id}`))
  return found.filter(({ idUser, id }) => pairs.has(`${idUser} ${id}`))
}

/** SQL that names the user: a value or a principal of theirs. */
const OF_PERSON = /\bu\."/

/** Parts of a deleted record are invisible with it, yet subscribers that filter by parts need its delete. */
function filterOf(env: Env, d: Definition, filter: FilterParams, row: Sql): Sql | undefined {
  const tree = treeOf(filter)
  const living = filterSql(env, d, tree, row)
  if (!d.entity.soft || !living || !Object.keys(filter).some((key) => key.includes('.'))) return living
  return sql`(${living} or ${row}."deleted" and ${filterSql({ ...env, inTrash: true }, d, tree, row) as Sql})`
}

/** A subscriber's parsed filter, evaluated for every event: its shape, and the values by place. */
interface Known {
  shape: string
  places: Record<string, unknown>
  /** As sent to PostgreSQL. */
  texts: Map<string, string | null>
}
const known = new WeakMap<FilterParams, Known>()

export function knownOf(filter: FilterParams): Known {
  const found = known.get(filter)
  if (found) return found
  const places: Record<string, unknown> = {}
  const made = { shape: filterShape(treeOf(filter), places), places, texts: new Map() }
  known.set(filter, made)
  return made
}

export const treeOf = (filter: FilterParams) => parseListQuery({ ...filter }).filter

/** Table of the users in question, each with their principals, computed once. */
function askers(principals: Principals, users: number[]): Sql {
  const w = raw('asking."id"')
  const columns = [...principals].map(([of, column]) => sql`${of(w)} as ${column}`)
  return sql`(select ${join([w, ...columns], ', ')} from unnest(${users}::bigint[]) asking("id") offset 0) u`
}

/** Text form of a value for PostgreSQL. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return `{${value.map((one) => `"${String(one).replace(/["\\]/g, '\\$&')}"`).join()}}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

type Principals = Map<Sight['principals'], Sql>
/** A record that passes a filter: the number of the filter, and the id of the record. */
export interface Met {
  n: number
  id: number
}
type See = (idUser: number, id: number) => void
