import { isRef } from '@ordinator/model/fields/ref'
import sql from 'sql-template-tag'
import type { Db } from '#platform/db.ts'
import { badRequest } from '#platform/errors.ts'
import { branchScope } from './branches.ts'
import type { Registry } from './define.ts'
import { filterSql } from './filter.ts'
import { aliases, and, name } from './plan.ts'
import { type Env, visible } from './scope.ts'
import { openSql, sealOf } from './sealed.ts'
import type { FilterParams, PastEvent, Visibility } from './sight.ts'
import { forEqual, knownOf, type Met, match, matchFilters, matchLast, treeOf } from './visibilityMatch.ts'

/** Answers the realtime hub with the same row scopes as lists and views, over the hub's own connections. */
export function createVisibility(
  { events, filters }: Pick<Db, 'events' | 'filters'>,
  registry: Registry,
): Required<Visibility> {
  const shownOf = new Map(
    registry.definitions.flatMap(({ entity, sealed }) =>
      sealed ? [[entity.path, new Set(sealed.shown)] as const] : [],
    ),
  )

  return {
    checkVisibility: (path, ids, users) =>
      forEqual(registry, users, async (env, equal, see, principals) => {
        const d = registry.at(path)
        const t = env.alias()
        const from = sql`${name(d.entity.table)} ${t} where ${t}."id" = any(${ids}::bigint[])`
        await match(events, principals, from, sql`${t}."id"`, visible(env, d, t, 'any'), equal, see)
      }),

    async checkFilters(path, ids, asked) {
      const visible = asked.map(() => new Map<number, Set<number>>())
      const met = new Map<string, Promise<Met[]>>()
      const users = new Map(asked.flatMap(({ viewers }) => viewers.map((viewer) => [viewer.id, viewer])))
      await forEqual(registry, [...users.values()], async (env, equal, _see, principals) => {
        const alike = new Set(equal.map(({ id }) => id))
        const theirs = asked.map((one) => ({ ...one, viewers: one.viewers.filter(({ id }) => alike.has(id)) }))
        for (const { n, idUser, id } of await matchFilters(
          filters,
          env,
          registry.at(path),
          ids,
          theirs,
          principals,
          met,
        )) {
          const ofFilter = visible[n] as Map<number, Set<number>>
          ofFilter.set(idUser, (ofFilter.get(idUser) ?? new Set()).add(id))
        }
      })
      return visible
    },

    shapeOf: (filter) => knownOf(filter).shape,

    visibleFields: (path) => shownOf.get(path),

    deletedVisibility: (path, gone, users) =>
      forEqual(registry, users, async (env, equal, see, principals) => {
        const { entity } = registry.at(path)
        const reference = entity.within && entity.fields[entity.within]
        // Without a scope: anyone who may see the entity may know that one of its records is gone.
        if (!reference || !isRef(reference)) {
          if (branchScope(env, registry.at(path), env.alias()))
            return matchLast(events, env, path, gone, principals, equal, see)
          for (const { id } of equal) for (const event of gone) see(id, event.id)
          return
        }
        const parent = registry.at(reference.to)
        const t = env.alias()
        const parents = gone.flatMap((e) => (e.idParent === null ? [] : [e.idParent]))
        const from = sql`${name(parent.entity.table)} ${t} where ${t}."id" = any(${parents}::bigint[])`
        const sees = and([visible(env, parent, t, 'any'), sealOf(env, parent) && openSql(env, parent, t)])
        await match(events, principals, from, sql`${t}."id"`, sees, equal, (idUser, idParent) => {
          for (const event of gone) if (event.idParent === idParent) see(idUser, event.id)
        })
      }),

    visibleBefore: (path, past, users) =>
      forEqual(registry, users, async (env, equal, see, principals) => {
        const d = registry.at(path)
        const t = env.alias()
        const condition = visible({ ...env, past: true }, d, t, 'any')
        if (!condition) return
        const deciding = Object.entries(d.entity.fields).flatMap(([field, f]) => (f.decides ? [field] : []))
        const table = name(d.entity.table)
        const from = sql`history h cross join lateral (
            select (jsonb_populate_record(r, coalesce((
              select jsonb_object_agg(c.key, c.value -> 0) from jsonb_each(h."changes") c where c.key = any(${deciding}::text[])
            ), '{}'))).* from ${table} r where r."id" = h."idEntity"
          ) ${t} where h."id" = any(${past.map((e: PastEvent) => e.seq)}::bigint[])`
        await match(events, principals, from, sql`${t}."id"`, condition, equal, see)
      }),

    checkFilter(path: string, filter: FilterParams, actor) {
      for (const key of Object.keys(filter)) {
        if (!key.startsWith('filter')) throw badRequest(`Неизвестный параметр: ${key.slice(0, 80)}`)
      }
      const env: Env = { registry, actor, me: sql`${actor.id}`, alias: aliases() }
      filterSql(env, registry.at(path), treeOf(filter), env.alias())
    },
  }
}
