import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { CheckList } from '@ordinator/model/areas/tasks/checkList'
import { ClientList } from '@ordinator/model/areas/tasks/clientList'
import { type LinkType, TaskLink } from '@ordinator/model/areas/tasks/link'
import { Poll } from '@ordinator/model/areas/tasks/poll'
import { Task } from '@ordinator/model/areas/tasks/task'
import type { Create, Entity } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { forbidden, notFound } from '#platform/errors.ts'
import { type About, type Hooks, type RowCondition, records, type WriteContext } from '#records/define.ts'
import { assertVisible } from '#records/reference.ts'
import { linkedScope } from './scope.ts'
import { isBypass } from './standing.ts'

const linkedEntities: Record<LinkType, Entity> = {
  checklist: CheckList,
  clientlist: ClientList,
  poll: Poll,
  liveassist: LiveAssist,
  lead: Lead,
}

/** Parts of tasks: created and deleted with their links, and changed by editors of those tasks. */
type PartType = 'checklist' | 'clientlist' | 'poll'
const partTypes: readonly string[] = ['checklist', 'clientlist', 'poll'] satisfies PartType[]
const isPart = (type: LinkType): type is PartType => partTypes.includes(type)

/** A part is deleted with its last link, and restored with it. */
export const links = records(TaskLink, {
  hooks: {
    async beforeCreate(context, { type, idEntity }) {
      const { records, tx } = context
      if (isPart(type)) await lockPart(tx, type, idEntity)
      await assertVisible(records, linkedEntities[type], idEntity, 'idEntity')
      if (isPart(type)) await checkSharing(context, type, idEntity)
    },
    async afterDelete({ records, tx }, { type, idEntity }) {
      if (!isPart(type)) return
      await lockPart(tx, type, idEntity)
      const orphan = await tx.one(sql`select 1 from ${tableOf(type)} where "id" = ${idEntity} and not "deleted"
        and not exists (${livingLinks(type, idEntity)})`)
      if (orphan) await records.asSystem.remove(linkedEntities[type], idEntity)
    },
    async afterRestore({ records, tx }, { type, idEntity }) {
      if (!isPart(type)) return
      await lockPart(tx, type, idEntity)
      const part = await tx.one<{ deleted: boolean }>(
        sql`select "deleted" from ${tableOf(type)} where "id" = ${idEntity}`,
      )
      if (!part) throw notFound('Срок хранения в корзине истёк')
      if (part.deleted) await records.asSystem.restore(linkedEntities[type], idEntity)
    },
  },
})

/** Deleting or restoring a part itself applies to its links; a new one is linked to the task it is created in. */
export const partHooks = (
  type: PartType,
): Required<Pick<Hooks<typeof CheckList>, 'afterCreate' | 'afterDelete' | 'afterRestore'>> => ({
  async afterCreate({ records }, row, value: Create<typeof CheckList>) {
    if (value.idTask) await records.create(TaskLink, { idTask: value.idTask, type, idEntity: row.id })
  },
  async afterDelete({ records, tx }, row) {
    for (const { id } of await tx.query<{ id: number }>(livingLinks(type, row.id)))
      await records.asSystem.remove(TaskLink, id)
  },
  async afterRestore({ records, tx }, row) {
    if (await tx.one(livingLinks(type, row.id))) return
    const last = await tx.query<{ id: number }>(sql`select "id" from (
        select "id", "_deletedAt" = max("_deletedAt") over () as last from tasks_management_entities
        where "type" = ${type} and "idEntity" = ${row.id}
      ) l where last order by "id"`)
    for (const { id } of last) await records.asSystem.restore(TaskLink, id)
  },
})

/** The task of a linked record, for its history. */
export const taskOfLinked = (type: LinkType, id: Sql): Sql => sql`(select le."idTask" from tasks_management_entities le
  where le."type" = ${raw(`'${type}'`)} and le."idEntity" = ${id} and not le."deleted" order by le."id" limit 1)`

export const aboutTask = (id: (row: Sql) => Sql): About => ({ path: Task.path, id: ({ row }) => id(row) })

/** Whether the actor may change this part: editors of a linked task may. */
export async function mayChangePart({ actor, tx }: WriteContext, type: PartType, id: number): Promise<boolean> {
  if (isBypass(actor)) return true
  const mayUpdate = linkedScope(type).update as RowCondition
  const found = await tx.one(sql`select 1 from ${tableOf(type)} part where part."id" = ${id} and not part."deleted"
    and ${mayUpdate({ row: raw('part'), me: sql`${actor.id}::bigint` })}`)
  return found !== undefined
}

/** A link grants the rights of the other task's people: a viewer of a part may not add one. */
async function checkSharing(context: WriteContext, type: PartType, id: number): Promise<void> {
  if (!(await mayChangePart(context, type, id))) throw forbidden('Вам нельзя связывать эту запись с другой задачей')
}

/** Serializes linking and unlinking of a part, so that the last link is determined reliably. */
const lockPart = (tx: Tx, type: PartType, id: number) =>
  tx.query(sql`select 1 from ${tableOf(type)} where "id" = ${id} for no key update`)

const tableOf = (type: PartType): Sql => raw(linkedEntities[type].table)

const livingLinks = (type: PartType, id: number): Sql =>
  sql`select "id" from tasks_management_entities where "type" = ${type} and "idEntity" = ${id} and not "deleted"`
