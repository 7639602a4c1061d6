import { relationOf } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import type { Definition, Registry } from './define.ts'

/** @throws Error at start-up for an inconsistent reference, relation, computed field or scope */
export function createRegistry(definitions: readonly Definition[]): Registry {
  const byPath = new Map<string, Definition>()
  for (const d of definitions) {
    if (byPath.has(d.entity.path)) throw new Error(`entity ${d.entity.path} is defined twice`)
    byPath.set(d.entity.path, d)
  }
  const find = (path: string) => byPath.get(path)
  const at = (path: string) => {
    const d = find(path)
    if (!d) throw new Error(`no entity at ${path}`)
    return d
  }
  for (const d of definitions) checkDefinition(d, at)
  return {
    definitions,
    get people() {
      return at(writersPath(definitions))
    },
    at,
    find,
    relation(entity, name) {
      const relation = relationOf(entity, name)
      if (!relation) return undefined
      const { through } = relation
      return { ...relation, target: at(relation.to), ...(through && { link: at(through.path) }) }
    },
  }
}

function writersPath(definitions: readonly Definition[]): string {
  const fields = definitions.flatMap(({ entity }) => Object.values(entity.fields))
  const paths = new Set(fields.flatMap((f) => (f.options.auto === 'actor' && isRef(f) ? [f.to] : [])))
  const [path, other] = paths
  if (path === undefined || other !== undefined) throw new Error(`writers must be of one entity: ${[...paths].join()}`)
  return path
}

function checkDefinition(
  { entity, scope, found, computed = {}, expandByCode = {} }: Definition,
  at: (path: string) => Definition,
): void {
  const fail = (what: string): never => {
    throw new Error(`${entity.path}: ${what}`)
  }
  for (const [name, f] of Object.entries(entity.fields)) {
    if (isRef(f)) at(f.to)
    if (f.options.computed && !computed[name]) fail(`no SQL for the computed field ${name}`)
    if (/[^A-Za-z0-9_]/.test(name)) fail(`${name} is no field name`)
  }
  for (const name of Object.keys(expandByCode))
    if (entity.all[name] || relationOf(entity, name)) fail(`${name} is expanded by code, and a field or a relation`)
  for (const name of Object.keys(computed)) if (!entity.fields[name]?.options.computed) fail(`${name} is not computed`)
  for (const [name, { to, by, where, through }] of Object.entries(entity.many)) {
    if (through) {
      const link = at(through.path).entity.fields
      for (const field of [through.from, through.by, ...Object.keys(where ?? {})])
        if (!link[field]) fail(`${name}: ${through.path} has no ${field}`)
      continue
    }
    const back = at(to).entity.fields[by]
    if (where) {
      for (const field of [by, ...Object.keys(where)])
        if (!at(to).entity.fields[field]) fail(`${name}: ${to} has no ${field}`)
    } else if (!back || !isRef(back) || back.to !== entity.path) fail(`${name}: ${to}.${by} does not lead back`)
  }
  if (entity.within && !isRef(entity.fields[entity.within] as never)) fail(`within: ${entity.within} is no reference`)
  for (const name of found ? [entity.title, ...found.by, found.day ?? found.by[0]] : [])
    if (name === undefined || !entity.fields[name]) fail(`found: there is no field ${name}`)
  // A physically deleted row can only be judged by its parent, so that subscribers get only deletes they may see. Entities
  // without history send no events.
  if (scope?.view && !entity.soft && !entity.within && !entity.unrecorded)
    fail('an entity with a row scope must be soft or stand within another')
}
