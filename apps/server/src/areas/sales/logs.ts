import { Service } from '@ordinator/model/areas/catalogue/service'
import { salesCalls } from '@ordinator/model/areas/sales/calls'
import { Company, Contact } from '@ordinator/model/areas/sales/contact'
import { Stage } from '@ordinator/model/areas/sales/funnel'
import { Lead, LossReason, SalesSource } from '@ordinator/model/areas/sales/lead'
import { leadLogWords } from '@ordinator/model/areas/sales/leadLog'
import { Offer, OfferService, OfferServiceReason, OfferServiceStatus } from '@ordinator/model/areas/sales/offer'
import { User } from '@ordinator/model/areas/staff/user'
import type { ListMeta } from '@ordinator/model/client'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { fioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import type { ServerActor } from '#records/actor.ts'
import type { ExpandByCode } from '#records/define.ts'
import { history, type Line, latestLines } from '#records/history.ts'
import { operation } from '#records/operation.ts'

/** Maximum number of log lines in a response about the deal itself. */
const LATEST = 100

export const leadLogs = operation(salesCalls.leadLogs, async ({ app, records, params, query }) => {
  const text = await history(app, app.registry, app.registry.at(Lead.path), records, params.id, {
    limit: query.limit,
    page: query.page,
    parts: '1',
  })
  const { items, _meta } = JSON.parse(text) as { items: Line[]; _meta: ListMeta }
  const inWords = await worded(app.db, records.actor, items)
  return { items: items.map((line) => inWords(params.id, line)), _meta }
})

/** `expand=logs` of deals (spec §3). */
export const logsOfLeads: ExpandByCode = async ({ db, registry, records: { actor } }, ids) => {
  const found = await latestLines(db, registry, registry.at(Lead.path), actor, ids, LATEST)
  const inWords = await worded(db, actor, [...found.values()].flat())
  return new Map([...found].map(([id, lines]) => [id, lines.map((line) => inWords(id, line))]))
}

/** Formats history lines for the log (spec §3 Lead log). */
async function worded(db: Queryable, actor: ServerActor, lines: readonly Line[]) {
  const names = await namesOf(db, lines)
  const nameOf = (field: string, id: number) => names.get(`${named[field]?.table} ${id}`)
  return (idLead: number, { id, path, idEntity, action, changes, idUser, user, dateCreate }: Line) => {
    const title = titled[path] && names.get(`${titled[path]?.table} ${idEntity}`)
    const words = leadLogWords({ path, action, changes, title: title ?? null }, nameOf, actor.timeZone)
    return { id, idLead, idUser, user, dateCreate, data: { path, idEntity, action, changes }, ...words }
  }
}

interface Source {
  table: string
  name: Sql
}

/** Records that a deal's changes refer to by id. */
const named: Record<string, Source> = {
  idStage: { table: Stage.table, name: raw('n."name"') },
  idSource: { table: SalesSource.table, name: raw('n."name"') },
  idCompany: { table: Company.table, name: raw('n."name"') },
  idLossReason: { table: LossReason.table, name: raw('n."name"') },
  idUser: { table: User.table, name: fioSql(raw('n')) },
  idService: { table: Service.table, name: raw('n."nameService"') },
  idStatus: { table: OfferServiceStatus.table, name: raw('n."name"') },
  idReason: { table: OfferServiceReason.table, name: raw('n."name"') },
}
/** Parts whose later history lines lack their name. */
const titled: Record<string, Source> = {
  [Contact.path]: { table: Contact.table, name: fioSql(raw('n')) },
  [Offer.path]: { table: Offer.table, name: raw('n."name"') },
  [OfferService.path]: {
    table: OfferService.table,
    name: sql`(select s."nameService" from ${raw(`"${Service.table}"`)} s where s."id" = n."idService")`,
  },
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
