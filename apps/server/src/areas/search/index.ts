import { can } from '@ordinator/model/access'
import { SEARCH_OF_KIND, SEARCH_TOP, searchCalls } from '@ordinator/model/areas/search/calls'
import { isRef } from '@ordinator/model/fields/ref'
import { dayIn } from '@ordinator/model/zone'
import type { Area } from '#records/area.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { askedOf } from '#records/sought.ts'

const find = operation(searchCalls.search, async ({ app, records, actor, query }) => {
  const { kind, from, to, person } = query
  const most = kind === undefined ? SEARCH_TOP : SEARCH_OF_KIND
  const rows = await records.search(askedOf(query.q, dayIn(actor.timeZone, Date.now())), most, {
    kind,
    from,
    to,
    person: person === undefined ? undefined : Number(person),
  })
  // Responses with names and phones are recorded in the access journal.
  const personal = new Set(rows.map(({ path }) => path).filter((path) => app.registry.at(path).entity.personal))
  await app.journal(
    ...[...personal].map((entityType) => ({ ...journalActor(actor), action: 'search' as const, entityType })),
  )
  return {
    groups: [...Map.groupBy(rows, ({ path }) => path)].map(([path, found]) => ({
      path,
      name: app.registry.at(path).found?.group ?? '',
      items: found.slice(0, most).map(({ id, title, hint, link }) => ({ id, title, hint, link })),
      hasMore: found.length > most,
    })),
  }
})

/** Maximum number of distinct tags per kind. */
const MOST_TAGS = 500

/** Tags of all kinds: entities whose path ends so, with a name and a tagged record. */
const tags = operation(searchCalls.tags, async ({ app, records, actor, query }) => {
  const type = query.entityType ?? query['filter[entityType]']
  const text = query.q ?? query['filter[name][ilike]']
  const kinds = app.registry.definitions.filter(({ entity }) => {
    const of = entity.within && entity.fields[entity.within]
    return (
      entity.path.endsWith('/tags') &&
      of &&
      isRef(of) &&
      can(actor, 'view', entity) &&
      (type === undefined || type === of.to)
    )
  })
  const items = await Promise.all(
    kinds.map(async ({ entity }) => {
      const of = entity.fields[entity.within as string] as unknown as { to: string }
      const rows = await records.rows(entity, {
        fields: ['name', 'color', 'icon'].filter((field) => Object.hasOwn(entity.fields, field)).join(),
        sort: '-id',
        limit: String(MOST_TAGS),
        ...(text && { 'filter[name][ilike]': text }),
        ...(query['filter[name]'] && { 'filter[name]': query['filter[name]'] }),
      })
      const named = Map.groupBy(rows as unknown as TagRow[], ({ name }) => name)
      return [...named].map(([name, [first, ...others]]) => ({
        name,
        color: first?.color ?? null,
        icon: first?.icon ?? null,
        entityType: of.to,
        count: others.length + 1,
      }))
    }),
  )
  const all = items.flat().toSorted(bySort(query.sort))
  const { limit, page } = query
  const counted =
    query.count === undefined || query.count === '0'
      ? {}
      : { totalCount: all.length, pageCount: limit ? Math.ceil(all.length / limit) : 0 }
  return {
    items: all.slice((page - 1) * limit, page * limit),
    _meta: { currentPage: page, perPage: limit, hasMore: all.length > page * limit, ...counted },
  }
})

type TagLine = { name: string; entityType: string; count: number }

/** Order of a list by its `sort`: `-count,name`. */
function bySort(sort: string): (a: TagLine, b: TagLine) => number {
  const keys = sort
    .split(',')
    .map((key) => ({ way: key.startsWith('-') ? -1 : 1, field: key.replace(/^[-+]/, '') as keyof TagLine }))
  const compare = (a: string | number, b: string | number) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'ru')
  return (a, b) => keys.reduce((order, { way, field }) => order || way * compare(a[field], b[field]), 0)
}
interface TagRow {
  name: string
  color: string | null
  icon: string | null
}

/** One search over the records of all areas, which declare how they are found. */
export const search: Area = { name: 'search', title: 'Поиск', records: [], operations: [find, tags] }
