import type { Entity, Many } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import type { ServerActor } from './actor.ts'
import type { AppContext } from './context.ts'
import type { Registry } from './define.ts'
import { type JournalAction, type JournalEntry, journalActor } from './journal.ts'
import { namesOf, type RawParams } from './params.ts'
import { type NameTree, nameTree } from './select.ts'

/** Above this many records of an entity in one answer the journal gets one search line instead of one per record. */
const MAX_LINES = 100

/** Journals access to named records with personal data, or, without ids, to their list. */
export async function journalRecords(
  app: AppContext,
  entity: Entity,
  actor: ServerActor,
  action: JournalAction,
  ids: readonly number[],
): Promise<void> {
  const line = { ...journalActor(actor), action, entityType: entity.path }
  if (ids.length === 0 || ids.length > MAX_LINES) return app.journal(line)
  const patients = await patientsOf(app, entity, ids)
  await app.journal(...ids.map((idEntity): JournalEntry => ({ ...line, idEntity, idCustomer: patients.get(idEntity) })))
}

/** Journals access to the content of a record (a stored file), for each patient it belongs to. */
export async function journalContents(
  app: AppContext,
  entity: Entity,
  actor: ServerActor,
  idEntity: number,
): Promise<void> {
  for (const { to, by } of Object.values<Many>(entity.many)) {
    const part = app.registry.at(to).entity
    if (!part.personal) continue
    const patients = await app.db.query<{ idCustomer: number }>(sql`
      select distinct ${raw(`"${part.personal}"`)}::int as "idCustomer" from ${raw(`"${part.table}"`)}
      where ${raw(`"${by}"`)} = ${idEntity} ${part.soft ? sql`and not "deleted"` : raw('')}`)
    const line = { ...journalActor(actor), action: 'view' as const, entityType: entity.path, idEntity }
    await app.journal(...patients.map(({ idCustomer }) => ({ ...line, idCustomer })))
  }
}

/** Patient of each record, by record id. */
async function patientsOf(app: AppContext, entity: Entity, ids: readonly number[]): Promise<Map<number, number>> {
  if (entity.personal === 'id') return new Map(ids.map((id) => [id, id]))
  const rows = await app.db.query<{ id: number; patient: number | null }>(sql`
    select "id", ${raw(`"${entity.personal}"`)} as patient from ${raw(`"${entity.table}"`)}
    where "id" = any (${ids}::bigint[])`)
  return new Map(rows.flatMap(({ id, patient }) => (patient === null ? [] : [[id, patient] as const])))
}

/**
 * Journals personal records contained in an answer (`expand=customer`) as if they had been requested directly.
 * @param text the answer as sent: a record, or `{ items }`
 */
export async function journalExpanded(
  app: AppContext,
  registry: Registry,
  entity: Entity,
  actor: ServerActor,
  params: RawParams,
  text: string,
): Promise<void> {
  if (params.expand === undefined) return
  const expand = nameTree(namesOf(params, 'expand') ?? [])
  if (!leadsToPersonal(registry, entity, expand)) return
  const answer = JSON.parse(text)
  const found = new Map<Entity, Set<number>>()
  for (const item of itemsOf(answer)) collect(registry, entity, expand, item, found)
  for (const [other, ids] of found)
    await journalRecords(app, other, actor, ids.size > MAX_LINES ? 'search' : 'view', [...ids])
}

/** Records in an answer: of a list, of the lists of groups, or the single record. */
function itemsOf(answer: Record<string, unknown>): Item[] {
  if ('items' in answer && '_meta' in answer) return answer.items as Item[]
  if (Array.isArray(answer.groups) && !('id' in answer)) return answer.groups.flatMap(({ items }) => items)
  return [answer as unknown as Item]
}

function leadsToPersonal(registry: Registry, entity: Entity, expand: NameTree): boolean {
  return Object.entries(expand).some(([relation, inner]) => {
    const target = registry.relation(entity, relation)?.target.entity
    return target !== undefined && (target.personal || leadsToPersonal(registry, target, inner))
  })
}

interface Item {
  id: number
  [relation: string]: unknown
}

function collect(registry: Registry, entity: Entity, expand: NameTree, item: Item, found: Map<Entity, Set<number>>) {
  for (const [relation, inner] of Object.entries(expand)) {
    const target = registry.relation(entity, relation)?.target.entity
    if (!target) continue
    for (const part of [item[relation]].flat() as (Item | null)[]) {
      if (!part) continue
      if (target.personal) found.set(target, (found.get(target) ?? new Set()).add(part.id))
      collect(registry, target, inner, part, found)
    }
  }
}
