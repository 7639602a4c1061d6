import type { Entity, Many } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import type { ServerActor } from './actor.ts'
import type { AppContext } from './context.ts'
import type { Registry } from './define.ts'
import { type JournalAction, type JournalEntry, journalActor } from './journal.ts'
import { namesOf, type RawParams } from './params.ts'
import { type NameTree, nameTree } from './select.ts'

/** Above this many records of an entity in one answer the journal tells of one search instead of each. */
const MAX_LINES = 100

/** Lines on records of an entity with personal data that were asked for by name, or, without ids, on the list of them. */
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

/** Lines on a record's contents (of a stored file) for each patient whose records it hangs at. */
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

/** Whose data each of the records is, by its id. */
async function patientsOf(app: AppContext, entity: Entity, ids: readonly number[]): Promise<Map<number, number>> {
  if (entity.personal === 'id') return new Map(ids.map((id) => [id, id]))
  const rows = await app.db.query<{ id: number; patient: number | null }>(sql`
    select "id", ${raw(`"${entity.personal}"`)} as patient from ${raw(`"${entity.table}"`)}
    where "id" = any (${ids}::bigint[])`)
  return new Map(rows.flatMap(({ id, patient }) => (patient === null ? [] : [[id, patient] as const])))
}

/**
 * Personal records that an answer holds inside others (`expand=customer`) go to the journal of access as if they had
 * been asked for themselves.
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

/** The records of an answer: of a list, of the lists of groups, or the one that was asked for. */
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
