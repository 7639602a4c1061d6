import { Lead } from '@ordinator/model/areas/sales/lead'
import type { Filter } from '@ordinator/model/client'
import type { QueryClient } from '@tanstack/react-query'
import { records } from '#base/client.ts'
import type { Place } from '#kit/board/pages.ts'
import { notify } from '#kit/notify.tsx'
import { type CardCalls, CardStore, MoveCancelled, notifyBoardFailure } from '#records/board/cardStore.ts'
import { invalidateRecords } from '#records/keys.ts'
import { countStage, type Deal, readDeals, readFirst, readStage, type StageRow, stageOf } from './deals.ts'

interface DealScope {
  idFunnel: number
  filter: Filter<typeof Lead>
  columns: readonly StageRow[]
}

/** Moves a deal by the rules; undefined: not moved, and the user was informed. */
export type MoveDeal = (
  deal: Pick<Deal, 'id' | 'title'>,
  stage: StageRow,
  place?: { before?: number; after?: number; at?: 'first' | 'last' },
) => Promise<unknown>

/** Store of a funnel's deals under one filter. */
export class DealStore extends CardStore<Deal> {
  readonly scope: DealScope
  /** Set by the board, which renders the dialogs of a move. */
  moveDeal: MoveDeal | undefined
  protected readonly calls: CardCalls<Deal> = {
    page: (stage, after, signal) => readStage(this.scope.filter, stage, after, signal),
    firstPages: (stages) => readFirst(this.scope, stages),
    read: (ids) =>
      readDeals(
        this.scope.filter,
        this.scope.columns.map((stage) => stage.id),
        ids,
      ),
    count: (idStage) => countStage(this.scope.filter, idStage),
    move: (id, to, from) => this.carry(id, to, from),
  }

  constructor(client: QueryClient, scope: DealScope) {
    super(client, ['deal-cards', scope.idFunnel, JSON.stringify(scope.filter)], {
      columnOf: stageOf,
      compare: (a, b) => a.order - b.order || a.id - b.id,
      moved: (deal, idStage) => ({ ...deal, idStage, dateStage: new Date().toISOString() }),
    })
    this.scope = scope
  }

  private async carry(id: number, { column, ...place }: Place, from: Place): Promise<void> {
    if (column === from.column) {
      await records.move(Lead, id, place)
      return
    }
    const stage = this.scope.columns.find((one) => one.id === column)
    const title = this.cards.find(id)?.card.title ?? ''
    if (!stage || !this.moveDeal || !(await this.moveDeal({ id, title }, stage, place))) throw new MoveCancelled()
  }

  /** Invalidates totals and other lists of deals. */
  changed(): void {
    void invalidateRecords(this.client, Lead.path)
  }

  async rename(id: number, title: string): Promise<void> {
    this.cards.patch(id, (deal) => ({ ...deal, title }))
    await records.update(Lead, id, { title }).catch(notifyBoardFailure)
    this.refresh([id])
  }

  async remove(id: number): Promise<void> {
    this.cards.remove(id)
    try {
      await records.remove(Lead, id)
      this.changed()
      notify.undo('Сделка удалена', async () => {
        await records.restore(Lead, id).catch(notifyBoardFailure)
        this.refresh([id])
        this.changed()
      })
    } catch (error) {
      notifyBoardFailure(error)
      this.refresh([id])
    }
  }
}
