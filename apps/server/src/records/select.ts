import { type AnyField, isVisible } from '@ordinator/model/entity'
import { isReadable, isUsual } from '@ordinator/model/fields/field'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { badRequest, forbidden } from '#platform/errors.ts'
import type { Definition } from './define.ts'
import { columnSql } from './filter.ts'
import { shown } from './params.ts'
import { partOf, visiblePart } from './parts.ts'
import { BRANCH_KEY, branchApart } from './places.ts'
import { and, name } from './plan.ts'
import { type Env, mayDo, visible } from './scope.ts'
import { isHidden, openSql, sealOf } from './sealed.ts'
import { orderBy, parseSort } from './sort.ts'

/** Limits of nested data in one answer. */
const MAX_EXPAND_DEPTH = 4
const MAX_EXPANDS = 30
/** Maximum records of one nested list. */
const MAX_NESTED = 500

/** Dotted names as a tree: `a,b.c,b.d` → { a: {}, b: { c: {}, d: {} } }. */
export interface NameTree {
  [name: string]: NameTree
}

export function nameTree(names: readonly string[]): NameTree {
  const tree: NameTree = Object.create(null)
  for (const dotted of names) {
    let node = tree
    for (const step of dotted.split('.')) {
      node[step] ??= Object.create(null) as NameTree
      node = node[step]
    }
  }
  return tree
}

/**
 * The select list of a record in the wire format: its fields, then expanded relations, each as JSON.
 * @param fields requested names; undefined: all that the actor may see
 * @throws HttpError 400 that names an unknown field or relation; 403 for a forbidden entity
 */
export function selectList(env: Env, d: Definition, row: Sql, fields: NameTree | undefined, expand: NameTree): Sql {
  return join(columns(env, d, row, fields, expand, { expands: MAX_EXPANDS }, 1), ', ')
}

function columns(
  env: Env,
  d: Definition,
  row: Sql,
  fields: NameTree | undefined,
  expand: NameTree,
  left: { expands: number },
  depth: number,
): Sql[] {
  if (fields) for (const field of Object.keys(fields)) if (!(field in expand)) known(env, d, field)
  const single = depth === 1 && env.single === true
  const wanted = Object.entries(d.entity.all).filter(
    ([field, f]) =>
      readable(env, f) &&
      (isComputedIn(expand, field, f) ||
        (fields ? field === 'id' || field === '_version' || field in fields : isUsual(f, single))),
  )
  const list = wanted.map(([field, f]) => {
    const value = wireSql(f, columnSql(env, d, field, f, row))
    return sql`${masks(env) && isHidden(env, d, field) ? sql`case when ${openSql(env, d, row)} then ${value} end` : value} as ${name(field)}`
  })
  for (const [relation, inner] of Object.entries(expand)) {
    if (wanted.some(([field, f]) => field === relation && isComputedIn(expand, field, f))) continue
    left.expands--
    if (left.expands < 0) throw badRequest(`В expand больше ${MAX_EXPANDS} связей`)
    if (depth > MAX_EXPAND_DEPTH) throw badRequest(`expand глубже ${MAX_EXPAND_DEPTH} уровней`)
    const nested = fields?.[relation]
    const asked = nested && Object.keys(nested).length > 0 ? nested : undefined
    const value = expandSql(env, d, row, relation, asked, inner, left, depth)
    const open = masks(env) && sealOf(env, d) ? openSql(env, d, row) : undefined
    const none = env.registry.relation(d.entity, relation)?.kind === 'many' ? raw(`'[]'::json`) : raw('null')
    list.push(sql`${open ? sql`case when ${open} then ${value} else ${none} end` : value} as ${name(relation)}`)
  }
  // Of a record that is shown by its name.
  const branch = depth > 1 && !fields ? branchApart(env.registry, d, row) : undefined
  if (branch) list.push(sql`${branch} as ${name(BRANCH_KEY)}`)
  return list
}

/** The creator of a record gets back everything given. */
const masks = (env: Env) => env.isNew !== true

/** A computed field may be named in `expand` too (spec §7: `expand=fio`): it is then included as it is. */
const isComputedIn = (expand: NameTree, field: string, f: AnyField): boolean =>
  f.options.computed === true && field in expand && Object.keys(expand[field] as NameTree).length === 0

const readable = (env: Env, f: AnyField) => isReadable(f) && (env.actor.system === true || isVisible(f, env.actor))

function known(env: Env, d: Definition, field: string): AnyField {
  const f = Object.hasOwn(d.entity.all, field) ? d.entity.all[field] : undefined
  if (!f || !readable(env, f)) throw badRequest(`Неизвестное поле: ${shown(field)}`)
  return f
}

/** SQL of a column or computed field in the wire format. */
export function wireSql(f: AnyField, column: Sql): Sql {
  if (!f.readSql) return column
  const [before, after] = f.readSql('\0').split('\0')
  return sql`${raw(before ?? '')}${column}${raw(after ?? '')}`
}

function expandSql(
  env: Env,
  d: Definition,
  row: Sql,
  relationName: string,
  fields: NameTree | undefined,
  expand: NameTree,
  left: { expands: number },
  depth: number,
): Sql {
  const relation = env.registry.relation(d.entity, relationName)
  if (!relation) throw badRequest(`Неизвестная связь: ${shown(relationName)}`)
  const { target } = relation
  if (!mayDo(env.actor, 'view', target.entity)) throw forbidden()
  const alias = env.alias()
  const table = name(target.entity.table)
  const list = join(columns(env, target, alias, fields, expand, left, depth + 1), ', ')
  if (relation.kind === 'one') {
    known(env, d, relation.by)
    // A parent is visible with its record; a deleted one is still shown (a former colleague, an old column).
    const condition = and([
      sql`${alias}."id" = ${row}.${name(relation.by)}`,
      d.entity.within === relation.by ? undefined : visible(env, target, alias, 'any'),
    ])
    return sql`(select row_to_json(x) from (select ${list} from ${table} ${alias} where ${condition}) x)`
  }
  const condition = and([partOf(env, relation, alias, row), visiblePart(env, target, relation.by, alias)])
  const order = orderBy(env, target, parseSort(env, target, undefined), alias)
  return sql`(select coalesce(json_agg(x), '[]') from (select ${list} from ${table} ${alias} where ${condition} order by ${order} limit ${raw(String(MAX_NESTED))}) x)`
}
