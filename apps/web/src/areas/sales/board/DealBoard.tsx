import type { AnyFilter } from '@ordinator/model/client'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { Board } from '#kit/board/Board.tsx'
import type { BoardRules } from '#kit/board/controller.ts'
import { useBoardKeys } from '#kit/board/useBoardKeys.ts'
import type { CardActionsHandle } from '#records/board/cardActions.tsx'
import { useBoardController } from '#records/board/useBoardController.ts'
import type { DealsAddress } from '../address.ts'
import { dealFilters } from '../dealFilters.ts'
import { useStageMove } from '../useStageMove.tsx'
import { DealActions } from './DealActions.tsx'
import { DealCard } from './DealCard.tsx'
import { DealSelection } from './DealSelection.tsx'
import { DealStore } from './dealStore.ts'
import type { Deal, StageRow } from './deals.ts'
import { StageColumn } from './StageColumn.tsx'
import { useDealEvents } from './useDealEvents.ts'
import type { Totals } from './useFunnelData.ts'

interface Props {
  idFunnel: number
  label: string
  stages: readonly StageRow[]
  filter: AnyFilter
  totals: Totals | undefined
  address: DealsAddress
  mayEdit: boolean
  open: (id: number) => void
}

/** Board of a funnel's deals by stage. */
export function DealBoard({ idFunnel, label, stages, filter, totals, address, mayEdit, open }: Props) {
  const client = useQueryClient()
  const filterText = JSON.stringify(filter)
  const store = useMemo(
    () => new DealStore(client, { idFunnel, filter: JSON.parse(filterText), columns: [] }),
    [client, idFunnel, filterText],
  )
  store.scope.columns = stages
  const { move, dialog } = useStageMove()
  store.moveDeal = move
  useEffect(() => () => store.close(), [store])
  useDealEvents(store)

  const latest = useRef({ mayEdit, open })
  latest.current = { mayEdit, open }
  const given = useMemo((): BoardRules => {
    const deal = (id: number) => store.cards.find(id)?.card
    return {
      items: (column) => store.cards.cards(column),
      total: (column) => store.cards.total(column),
      cardName: (id) => deal(id)?.title ?? '',
      canMove: () => latest.current.mayEdit,
      canSelect: () => latest.current.mayEdit,
      whyNot: () => 'У вас нет права изменять сделки',
      preview: (id, place) => store.cards.move(id, place),
      save: (id, from, to) => void store.save(id, from, to),
      open: (id) => latest.current.open(id),
    }
  }, [store])
  const opened = address.lead
  const { controller, rules } = useBoardController(given, store, opened)

  const keys = { enabled: opened === undefined && dialog === undefined, group: 'Доска' }
  useBoardKeys(controller, keys)

  const actions = useRef<CardActionsHandle>(null)
  const byId = useMemo(() => new Map<number | null, StageRow>(stages.map((stage) => [stage.id, stage])), [stages])
  const renderCard = useCallback(
    (deal: Deal) => (
      <DealCard
        deal={deal}
        stage={byId.get(deal.idStage)}
        onMenu={(id, button) => actions.current?.menu(id, button.getBoundingClientRect())}
      />
    ),
    [byId],
  )
  const ofStage = useMemo(() => new Map(totals?.items.map((item) => [item.idStage, item])), [totals])

  return (
    <>
      <Board
        label={label}
        columns={stages}
        rules={rules}
        controller={controller}
        onKey={(pressed, id) => actions.current?.press(pressed, id) ?? false}
      >
        {stages.map((stage) => (
          <StageColumn
            key={stage.id}
            stage={stage}
            store={store}
            totals={ofStage.get(stage.id)}
            mayEdit={mayEdit}
            filtered={dealFilters.count(address) > 0}
            renderCard={renderCard}
          />
        ))}
      </Board>
      <DealActions
        ref={actions}
        controller={controller}
        store={store}
        stages={stages}
        mayEdit={mayEdit}
        enabled={keys.enabled}
      />
      <DealSelection controller={controller} store={store} stages={stages} move={move} />
      {dialog}
    </>
  )
}
