import { CheckListItem } from '@ordinator/model/areas/tasks/checkList'
import { ClientListItem } from '@ordinator/model/areas/tasks/clientList'
import { TaskFile } from '@ordinator/model/areas/tasks/file'
import { type LinkType, TaskLink } from '@ordinator/model/areas/tasks/link'
import type { Entity } from '@ordinator/model/entity'
import { recordsWith } from '#base/client.ts'
import { useLive } from '#realtime/useLive.ts'
import type { LiveEvent } from '#realtime/wire.ts'
import type { BoardStore } from './boardStore.ts'

/** Updates counters of cards when parts of their tasks change. */
export function useThingEvents(store: BoardStore): void {
  const ofBoard = { filter: { 'task.assigned.column.idBoard': store.scope.idBoard } }
  useLive(TaskLink.path, (batch) => void refresh(store, batch, TaskLink, 'idTask'), ofBoard)
  useLive(TaskFile.path, (batch) => void refresh(store, batch, TaskFile, 'idTask'), ofBoard)
  useLive(CheckListItem.path, (batch) => void refresh(store, batch, CheckListItem, 'idCheckList', 'checklist'))
  useLive(ClientListItem.path, (batch) => void refresh(store, batch, ClientListItem, 'idClientList', 'clientlist'))
}

/** Events contain only the part's id: tasks are found by its reference, or through the links of a list. */
async function refresh(
  store: BoardStore,
  batch: LiveEvent[],
  entity: Entity,
  field: string,
  type?: LinkType,
): Promise<void> {
  try {
    const isGone = (event: LiveEvent) => event.action === 'delete'
    const of = [
      ...(await idsOf(batch.filter(isGone), entity, field, true)),
      ...(await idsOf(
        batch.filter((event) => !isGone(event)),
        entity,
        field,
        false,
      )),
    ]
    const tasks = type ? await tasksOf(type, of) : of
    const shown = new Set(store.cards.all().map((card) => card.idTask))
    store.refreshTasks(tasks.filter((id) => shown.has(id)))
  } catch {
    // Retried by the next event or opening.
  }
}

async function idsOf(events: LiveEvent[], entity: Entity, field: string, deleted: boolean): Promise<number[]> {
  const ids = [...new Set(events.map((event) => event.id))]
  if (ids.length === 0) return []
  const { items } = await quiet.list(entity, {
    filter: { id: { in: ids } },
    fields: [field],
    limit: ids.length,
    deleted,
  })
  return [...new Set(items.map((item) => item[field] as number))]
}

async function tasksOf(type: LinkType, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const { items } = await quiet.list(TaskLink, {
    filter: { type, idEntity: { in: ids } },
    fields: ['idTask'],
    limit: 500,
  })
  return items.map((link) => link.idTask)
}

const quiet = recordsWith({ forbidden: 'silent', quiet: true })
