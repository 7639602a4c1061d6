import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import type { QueryClient } from '@tanstack/react-query'
import { records } from '#base/client.ts'
import { notify } from '#kit/notify.tsx'
import { type CardCalls, CardStore, notifyBoardFailure } from '#records/board/cardStore.ts'
import type { CardOrder } from '../address.ts'
import { type Card, type CardFilter, compareBy, countColumn, readCards, readColumn, readFirst } from '../cards.ts'

export { notifyBoardFailure } from '#records/board/cardStore.ts'

export interface BoardScope {
  idBoard: number
  filter: CardFilter
  /** Absent: manual order. */
  order?: CardOrder
  columns: readonly { id: number; name: string }[]
}

/** Store of a workspace's cards under one filter. */
export class BoardStore extends CardStore<Card> {
  readonly scope: BoardScope
  protected readonly calls: CardCalls<Card> = {
    page: (column, after, signal) => readColumn(this.scope, column, after, signal),
    firstPages: (columns) => readFirst(this.scope, columns),
    read: (ids) => readCards(this.scope.filter, this.columns(), 'id', ids),
    count: (column) => countColumn(this.scope.filter, column),
    move: async (id, { column: idColumn, ...where }) => {
      await records.move(Assigned, id, { ...where, to: { idColumn } })
    },
  }
  private readonly dueTasks = new Set<number>()

  constructor(client: QueryClient, scope: BoardScope) {
    super(client, cardsKey(scope), {
      columnOf: (card) => card.idColumn,
      compare: compareBy(scope.order),
      moved: (card, idColumn) => ({ ...card, idColumn }),
    })
    this.scope = scope
  }

  refreshTasks(ids: Iterable<number>): void {
    for (const id of ids) this.dueTasks.add(id)
    this.schedule()
  }

  protected override async read(ids: number[]): Promise<void> {
    const tasks = [...this.dueTasks]
    this.dueTasks.clear()
    try {
      const [byId, byTask] = await Promise.all([
        ids.length ? this.calls.read(ids) : [],
        tasks.length ? readCards(this.scope.filter, this.columns(), 'idTask', tasks) : [],
      ])
      if (this.closed) return
      const shown = this.cards.all().filter((card) => tasks.includes(card.idTask))
      this.take([...ids, ...shown.map((card) => card.id)], [...byId, ...byTask])
    } catch (error) {
      for (const id of tasks) this.dueTasks.add(id)
      throw error
    }
  }

  private columns(): number[] {
    return this.scope.columns.map((column) => column.id)
  }

  /** Updates a card's task, optimistically. */
  async saveTask(
    id: number,
    values: Partial<Pick<Card['task'], 'name' | 'importance' | 'dateEnd' | 'isCompleted'>>,
  ): Promise<void> {
    const card = this.cards.find(id)?.card
    if (!card) return
    this.cards.patch(id, (c) => ({ ...c, task: { ...c.task, ...values } }))
    try {
      await records.update(Task, card.idTask, values)
    } catch (error) {
      notifyBoardFailure(error)
    }
    this.refresh([id])
  }

  async archive(id: number, isArchive: boolean): Promise<void> {
    const card = this.cards.find(id)?.card
    this.cards.remove(id)
    try {
      await records.update(Assigned, id, { isArchive })
      // If the whole task is archived, restores it, too: the card alone would stay hidden.
      if (!isArchive && card?.task.isArchive) await records.update(Task, card.idTask, { isArchive: false })
      notify.undo(isArchive ? 'Задача в архиве' : 'Задача возвращена из архива', async () => {
        await records.update(Assigned, id, { isArchive: !isArchive }).catch(notifyBoardFailure)
        this.refresh([id])
      })
    } catch (error) {
      notifyBoardFailure(error)
    }
    this.refresh([id])
  }

  async remove(id: number): Promise<void> {
    const found = this.cards.find(id)
    const idTask = found?.card.idTask ?? (await records.view(Assigned, id)).idTask
    this.cards.remove(id)
    try {
      await records.remove(Task, idTask)
      notify.undo('Задача удалена', async () => {
        await records.restore(Task, idTask).catch(notifyBoardFailure)
        this.refreshTasks([idTask])
      })
    } catch (error) {
      notifyBoardFailure(error)
      this.refresh([id])
    }
  }
}

export const cardsKey = ({ idBoard, filter, order }: BoardScope) =>
  ['board-cards', idBoard, JSON.stringify(filter), order ?? ''] as const
