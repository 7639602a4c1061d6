import { SEARCH_TOP, searchCalls } from '@ordinator/model/areas/search/calls'
import { dayIn } from '@ordinator/model/zone'
import type { Area } from '../../records/area.ts'
import { journalActor } from '../../records/journal.ts'
import { operation } from '../../records/operation.ts'
import { askedOf } from '../../records/search.ts'

const find = operation(searchCalls.search, async ({ app, records, actor, query }) => {
  const rows = await records.search(askedOf(query.q, dayIn(actor.timeZone, Date.now())), SEARCH_TOP)
  // Whose names and phones an answer tells stands in the journal of access.
  const told = new Set(rows.map(({ path }) => path).filter((path) => app.registry.at(path).entity.personal))
  await app.journal(
    ...[...told].map((entityType) => ({ ...journalActor(actor), action: 'search' as const, entityType })),
  )
  return {
    groups: [...Map.groupBy(rows, ({ path }) => path)].map(([path, found]) => ({
      path,
      name: app.registry.at(path).found?.group ?? '',
      items: found.slice(0, SEARCH_TOP).map(({ id, title, hint, link }) => ({ id, title, hint, link })),
      hasMore: found.length > SEARCH_TOP,
    })),
  }
})

/** One search over the records of all areas, which say themselves how they are found. */
export const search: Area = { name: 'search', title: 'Поиск', records: [], operations: [find] }
