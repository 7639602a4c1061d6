import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, errorMessage } from '../../../app/apiError.ts'
import { type CardCache, cardCache } from '../../../kit/board/cardCache.ts'
import { type ColumnData, type Place, shortened } from '../../../kit/board/pages.ts'
import { notify } from '../../../kit/notify.tsx'
import { records } from '../../../records/client.ts'
import type { CardOrder } from '../address.ts'
import { type Card, type CardFilter, compareBy, countColumn, readCards } from '../cards.ts'

/** Events of one burst are read together. */
const COALESCE_MS = 60
const COUNT_AFTER_MS = 700
const RESET_AFTER_MS = 300
/** Pages of a column that are read again; those below come by scrolling. */
const KEPT_PAGES = 4

export interface BoardScope {
  idBoard: number
  filter: CardFilter
  /** None: as people have put them. */
  order?: CardOrder
  columns: readonly { id: number; name: string }[]
}

interface Move {
  from: Place
  to: Place
  /** A later wish, sent when this one is answered. */
  next?: Place
}

/**
 * The cards of one open board under one filter: optimistic moves, their saving and undoing, and the re-reading of what
 * others changed. Reads only the changed cards, never a column anew.
 */
export class BoardStore {
  readonly prefix: unknown[]
  readonly cards: CardCache<Card>
  readonly scope: BoardScope
  #held: number | null = null
  /** What the server has said of the held card meanwhile is read when it is let go. */
  private heldIsDue = false
  /** Cards told of while the columns are being read again: the answers may be older than what was told. */
  private told: Set<number> | undefined
  private readonly moves = new Map<number, Move>()
  private readonly dueCards = new Set<number>()
  private readonly dueTasks = new Set<number>()
  private timer: ReturnType<typeof setTimeout> | undefined
  private countTimer: ReturnType<typeof setTimeout> | undefined
  private resetTimer: ReturnType<typeof setTimeout> | undefined
  private closed = false
  private readonly client: QueryClient

  constructor(client: QueryClient, scope: BoardScope) {
    this.client = client
    this.scope = scope
    this.prefix = [...cardsKey(scope)]
    this.cards = cardCache<Card>(client, this.prefix, {
      columnOf: (card) => card.idColumn,
      compare: compareBy(scope.order),
      moved: (card, idColumn) => ({ ...card, idColumn }),
    })
  }

  /** A card that the person holds in the air; the server's word waits. */
  get held(): number | null {
    return this.#held
  }

  set held(id: number | null) {
    const before = this.#held
    this.#held = id
    if (before === null || before === id || !this.heldIsDue) return
    this.heldIsDue = false
    this.refresh([before])
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    clearTimeout(this.countTimer)
    clearTimeout(this.resetTimer)
  }

  /** Saves a move that the board already shows. */
  async save(id: number, from: Place, to: Place): Promise<void> {
    const running = this.moves.get(id)
    if (running) {
      running.next = to
      return
    }
    const move: Move = { from, to }
    this.moves.set(id, move)
    try {
      for (let place: Place | undefined = to; place; ) {
        const { column, ...where } = place
        await records.move(Assigned, id, { ...where, to: { idColumn: column } })
        move.to = place
        place = move.next
        move.next = undefined
      }
      this.moves.delete(id)
      this.offerUndo(id, move)
      this.refresh([id])
    } catch (error) {
      this.moves.delete(id)
      this.cards.move(id, this.standing(move.from))
      refused(error)
      this.refresh([id])
    }
  }

  private offerUndo(id: number, move: Move): void {
    const column = this.scope.columns.find((c) => c.id === move.to.column)?.name ?? ''
    const text = move.from.column === move.to.column ? 'Порядок изменён' : `Перемещено в «${column}»`
    notify.hide(UNDO)
    notify.undo(
      text,
      async () => {
        const back = this.standing(move.from)
        const { column: idColumn, ...where } = back
        this.cards.move(id, back)
        try {
          await records.move(Assigned, id, { ...where, to: { idColumn } })
        } catch (error) {
          refused(error)
        }
        this.refresh([id])
      },
      { id: UNDO },
    )
  }

  /** The place as it can be named now: its neighbour may have gone meanwhile. */
  private standing(place: Place): Place {
    const neighbour = place.before ?? place.after
    if (neighbour === undefined || this.cards.find(neighbour)?.column === place.column) return place
    return { column: place.column, at: 'first' }
  }

  /** All columns may be stale: the socket began to listen after they were read, or has missed too much. */
  readAgain(): void {
    clearTimeout(this.resetTimer)
    this.resetTimer = setTimeout(() => {
      this.client.setQueriesData<ColumnData<Card>>(
        { queryKey: this.prefix },
        (data) => data && shortened(data, KEPT_PAGES),
      )
      this.told ??= new Set()
      void this.client.invalidateQueries({ queryKey: this.prefix }).then(() => {
        const told = this.told ?? []
        this.told = undefined
        this.refresh(told)
      })
    }, RESET_AFTER_MS)
  }

  /** Reads these cards again, soon and together with others. */
  refresh(ids: Iterable<number>): void {
    for (const id of ids) this.dueCards.add(id)
    if (this.dueCards.size) this.schedule()
  }

  refreshTasks(ids: Iterable<number>): void {
    for (const id of ids) this.dueTasks.add(id)
    this.schedule()
  }

  private schedule(): void {
    if (this.closed) return
    this.timer ??= setTimeout(() => void this.read(), COALESCE_MS)
  }

  private async read(): Promise<void> {
    this.timer = undefined
    const cards = [...this.dueCards]
    const tasks = [...this.dueTasks]
    this.dueCards.clear()
    this.dueTasks.clear()
    const columns = this.scope.columns.map((c) => c.id)
    if (!columns.length) return
    try {
      const [byId, byTask] = await Promise.all([
        cards.length ? readCards(this.scope.filter, columns, 'id', cards) : [],
        tasks.length ? readCards(this.scope.filter, columns, 'idTask', tasks) : [],
      ])
      if (!this.closed) this.take(cards, tasks, [...byId, ...byTask])
    } catch {
      // The next event or the next opening reads them; a board must not fail for a background read.
    }
  }

  private take(cards: number[], tasks: number[], found: Card[]): void {
    const known = new Map(found.map((card) => [card.id, card]))
    const gone = new Set(cards)
    for (const card of this.cards.all()) if (tasks.includes(card.idTask)) gone.add(card.id)
    let uncertain = false
    for (const card of known.values()) {
      gone.delete(card.id)
      this.told?.add(card.id)
      if (this.isHeld(card.id) || this.moves.has(card.id)) continue
      uncertain ||= !this.cards.find(card.id)
      this.cards.put(card)
    }
    for (const id of gone) {
      if (this.isHeld(id) || this.moves.has(id)) continue
      uncertain ||= !this.cards.find(id)
      this.cards.remove(id)
    }
    if (uncertain) this.recount()
  }

  private isHeld(id: number): boolean {
    if (this.#held !== id) return false
    this.heldIsDue = true
    return true
  }

  /** A card that was not loaded came or went, so the counts are asked for. */
  private recount(): void {
    clearTimeout(this.countTimer)
    this.countTimer = setTimeout(async () => {
      for (const { id } of this.scope.columns) {
        const total = await countColumn(this.scope.filter, id).catch(() => undefined)
        if (this.closed) return
        if (total !== undefined && !this.moves.size) this.cards.setTotal(id, total)
      }
    }, COUNT_AFTER_MS)
  }

  /** Changes the task of a card: shown at once, put back when refused. */
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
      refused(error)
    }
    this.refresh([id])
  }

  async archive(id: number, isArchive: boolean): Promise<void> {
    const card = this.cards.find(id)?.card
    this.cards.remove(id)
    try {
      await records.update(Assigned, id, { isArchive })
      // Archived as a whole by its task: bringing back the card alone would show nothing.
      if (!isArchive && card?.task.isArchive) await records.update(Task, card.idTask, { isArchive: false })
      notify.undo(isArchive ? 'Задача в архиве' : 'Задача возвращена из архива', async () => {
        await records.update(Assigned, id, { isArchive: !isArchive }).catch(refused)
        this.refresh([id])
      })
    } catch (error) {
      refused(error)
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
        await records.restore(Task, idTask).catch(refused)
        this.refreshTasks([idTask])
      })
    } catch (error) {
      refused(error)
      this.refresh([id])
    }
  }
}

const UNDO = 'board-move'

export const cardsKey = ({ idBoard, filter, order }: BoardScope) =>
  ['board-cards', idBoard, JSON.stringify(filter), order ?? ''] as const

/** A refusal by rights and a lost connection have their toasts already (app/http.ts). */
export function refused(error: unknown): void {
  if (error instanceof ApiError && (error.status === 403 || error.status === 401 || error.code === 'network')) return
  notify.error(errorMessage(error))
}
