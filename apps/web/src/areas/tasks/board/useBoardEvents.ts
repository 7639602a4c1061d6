import { TaskComment } from '@ordinator/model/areas/tasks/comment'
import { Assigned, Executor, Responsible, Task, TaskTag } from '@ordinator/model/areas/tasks/task'
import type { Entity } from '@ordinator/model/entity'
import { recordsWith } from '#base/client.ts'
import { useLive } from '#realtime/useLive.ts'
import type { LiveEvent } from '#realtime/wire.ts'
import type { Card } from '../cards.ts'
import type { BoardStore } from './boardStore.ts'
import { useThingEvents } from './useThingEvents.ts'

/** What others change on the board, taken in card by card. What the socket missed and cannot replay is read anew. */
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

/** The counters on the faces of the cards that something has been said of. */
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
    // The next event or the next opening reads them again.
  }
}

/** An event names the part alone: whose it is stands on the board, or is asked. */
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
    // The next event or the next opening reads them again.
  }
}

const quiet = recordsWith({ forbidden: 'silent', quiet: true })
