import { salesCalls } from '@ordinator/model/areas/sales/calls'
import { Company, Contact } from '@ordinator/model/areas/sales/contact'
import { Stage } from '@ordinator/model/areas/sales/funnel'
import { Lead, LossReason, SalesSource } from '@ordinator/model/areas/sales/lead'
import { type HistoryLine, leadLogWords } from '@ordinator/model/areas/sales/leadLog'
import { Offer } from '@ordinator/model/areas/sales/offer'
import { User } from '@ordinator/model/areas/staff/user'
import type { ListMeta } from '@ordinator/model/client'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '../../platform/db.ts'
import { history } from '../../records/history.ts'
import { operation } from '../../records/operation.ts'
import { fioSql } from '../staff/index.ts'

interface Line extends HistoryLine {
  id: number
  idEntity: number
  idUser: number | null
  dateCreate: string
  user: { id: number; fio?: string } | null
}

export const leadLogs = operation(salesCalls.leadLogs, async ({ app, records, actor, params, query }) => {
  const text = await history(app, app.registry, app.registry.at(Lead.path), records, params.id, {
    limit: query.limit,
    page: query.page,
    parts: '1',
  })
  const { items, _meta } = JSON.parse(text) as { items: Line[]; _meta: ListMeta }
  const names = await namesOf(app.db, items)
  const nameOf = (field: string, id: number) => names.get(`${named[field]?.table} ${id}`)
  return {
    items: items.map((line) => {
      const { id, path, idEntity, action, changes, idUser, user, dateCreate } = line
      const title = titled[path] && names.get(`${titled[path]?.table} ${idEntity}`)
      return {
        id,
        idLead: params.id,
        idUser,
        user,
        dateCreate,
        data: { path, idEntity, action, changes },
        ...leadLogWords({ path, action, changes, title: title ?? null }, nameOf, actor.timeZone),
      }
    }),
    _meta,
  }
})

interface Source {
  table: string
  name: Sql
}

/** What the deal's changes refer to by id. */
const named: Record<string, Source> = {
  idStage: { table: Stage.table, name: raw('n."name"') },
  idSource: { table: SalesSource.table, name: raw('n."name"') },
  idCompany: { table: Company.table, name: raw('n."name"') },
  idLossReason: { table: LossReason.table, name: raw('n."name"') },
  idUser: { table: User.table, name: fioSql(raw('n')) },
}
/** Parts whose later lines do not say what they are called. */
const titled: Record<string, Source> = {
  [Contact.path]: { table: Contact.table, name: fioSql(raw('n')) },
  [Offer.path]: { table: Offer.table, name: raw('n."name"') },
}

/** Names by «table id», in one statement. */
async function namesOf(db: Queryable, lines: readonly Line[]): Promise<Map<string, string>> {
  const wanted = new Map<string, { source: Source; ids: Set<number> }>()
  const want = (source: Source | undefined, id: unknown) => {
    if (!source || typeof id !== 'number') return
    const there = wanted.get(source.table) ?? { source, ids: new Set() }
    there.ids.add(id)
    wanted.set(source.table, there)
  }
  for (const { path, idEntity, changes } of lines) {
    want(titled[path], idEntity)
    for (const [field, ids] of Object.entries(changes)) for (const id of ids) want(named[field], id)
  }
  if (wanted.size === 0) return new Map()
  const parts = [...wanted.values()].map(
    ({ source, ids }) => sql`select ${source.table}::text as "table", n."id", ${source.name} as name
      from ${raw(`"${source.table}"`)} n where n."id" in (${join([...ids])})`,
  )
  const found = await db.query<{ table: string; id: number; name: string }>(join(parts, ' union all '))
  return new Map(found.map(({ table, id, name }) => [`${table} ${id}`, name]))
}
