import { TaskComment } from '@ordinator/model/areas/tasks/comment'
import { Assigned, Executor, Responsible, Task, TaskTag } from '@ordinator/model/areas/tasks/task'
import type { Entity } from '@ordinator/model/entity'
import { recordsWith } from '#base/client.ts'
import { useLive } from '#realtime/useLive.ts'
import type { LiveEvent } from '#realtime/wire.ts'
import type { Card } from '../cards.ts'
import type { BoardStore } from './boardStore.ts'
import { useThingEvents } from './useThingEvents.ts'

/** Applies live events to the cards. After a gap that cannot be replayed, reloads. */
export function useBoardEvents(store: BoardStore): void {
  const { idBoard } = store.scope
  const onReset = () => store.readAgain()
  const of = (relation: string) => ({ filter: { [`${relation}column.idBoard`]: idBoard }, onReset })

  useLive(Assigned.path, (batch) => store.refresh(batch.map((event) => event.id)), of(''))
  useLive(Task.path, (batch) => store.refreshTasks(batch.map((event) => event.id)), of('assigned.'))
  useLive(Executor.path, (batch) => void takeParts(store, Executor, 'executors', batch), of('task.assigned.'))
  useLive(Responsible.path, (batch) => void takeParts(store, Responsible, 'responsible', batch), of('task.assigned.'))
  useLive(TaskTag.path, (batch) => void takeParts(store, TaskTag, 'tags', batch), of('task.assigned.'))
  useThingEvents(store)
  useLive(TaskComment.path, (batch) => void takeComments(store, batch), { filter: { type: 'task' }, onReset })
}

/** Comment counters of affected cards. */
async function takeComments(store: BoardStore, batch: LiveEvent[]): Promise<void> {
  const shown = new Set(store.cards.all().map((card) => card.idTask))
  const read = async (of: LiveEvent[], deleted: boolean) => {
    if (!of.length) return
    const ids = [...new Set(of.map((event) => event.id))]
    const { items } = await quiet.list(TaskComment, {
      filter: { id: { in: ids } },
      fields: ['idEntity'],
      limit: ids.length,
      deleted,
    })
    store.refreshTasks(items.map((comment) => comment.idEntity).filter((id) => shown.has(id)))
  }
  try {
    const isGone = (event: LiveEvent) => event.action === 'delete'
    await read(
      batch.filter((event) => !isGone(event)),
      false,
    )
    await read(batch.filter(isGone), true)
  } catch {
    // Retried by the next event or opening.
  }
}

/** Events contain only the part's id: its task is looked up on the board, or requested. */
async function takeParts(
  store: BoardStore,
  entity: Entity,
  list: 'executors' | 'responsible' | 'tags',
  batch: LiveEvent[],
): Promise<void> {
  const ids = new Set(batch.map((event) => event.id))
  const holders = store.cards
    .all()
    .filter((card) => (card.task[list] as Card['task']['tags']).some((part) => ids.has(part.id)))
  if (holders.length) store.refreshTasks(holders.map((card) => card.idTask))
  const living = [...new Set(batch.filter((event) => event.action !== 'delete').map((event) => event.id))]
  if (!living.length) return
  try {
    const { items } = await quiet.list(entity, {
      filter: { id: { in: living } },
      fields: ['idTask'],
      limit: living.length,
    })
    store.refreshTasks(items.map((part) => part.idTask as number))
  } catch {
    // Retried by the next event or opening.
  }
}

const quiet = recordsWith({ forbidden: 'silent', quiet: true })
