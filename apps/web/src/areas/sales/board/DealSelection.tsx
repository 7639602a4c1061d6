import { Lead } from '@ordinator/model/areas/sales/lead'
import type { BoardController } from '#kit/board/controller.ts'
import { BoardSelection, SelectionBar } from '#records/board/BoardSelection.tsx'
import { useBulkDeals } from '../views/useBulkDeals.tsx'
import type { DealStore, MoveDeal } from './dealStore.ts'
import type { StageRow } from './deals.ts'

interface Props {
  controller: BoardController
  store: DealStore
  stages: readonly StageRow[]
  move: MoveDeal
}

/** Bulk actions on selected deals. */
export function DealSelection(props: Props) {
  return <BoardSelection controller={props.controller}>{(ids) => <Bar {...props} ids={ids} />}</BoardSelection>
}

function Bar({ controller, store, stages, move, ids }: Props & { ids: number[] }) {
  const actions = useBulkDeals(stages, move, { removable: true, changed: (deals) => store.refresh(deals) })
  const cards = ids.flatMap((id) => store.cards.find(id)?.card ?? [])
  return <SelectionBar entity={Lead} cards={cards} actions={actions} controller={controller} />
}
