import { stageTypes, WORK } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { formatMoney } from '@ordinator/model/format'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { records } from '#base/client.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { CardColumn } from '#kit/board/CardColumn.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { QuickAdd } from '#records/board/QuickAdd.tsx'
import { useColumnCards } from '#records/board/useColumnCards.tsx'
import { dealLabel } from './DealCard.tsx'
import type { DealStore } from './dealStore.ts'
import type { Deal, StageRow } from './deals.ts'

interface Props {
  stage: StageRow
  store: DealStore
  /** Number and rubles of the stage, from the server. */
  totals: { count: number; sum: number } | undefined
  mayEdit: boolean
  filtered: boolean
  renderCard: (deal: Deal) => ReactNode
}

/** A stage's column: endless list, count and sum. */
export function StageColumn({ stage, store, totals, mayEdit, filtered, renderCard }: Props) {
  const cards = useColumnCards<Deal>(store, stage.id)
  const [adding, setAdding] = useState(false)
  // The count changes at once with the card; the server's totals correct it later.
  useEffect(() => {
    if (totals) store.cards.setTotal(stage.id, totals.count)
  }, [totals, store, stage.id])
  const mayAdd = mayEdit && stage.idType === WORK

  const create = async (title: string) => {
    const made = await records.create(Lead, { title, idStage: stage.id })
    store.refresh([made.id])
    store.changed()
    return made.id
  }

  return (
    <CardColumn
      {...cards}
      name={stage.name}
      color={stage.color}
      sum={
        <span title={`${stageTypes[stage.idType as keyof typeof stageTypes]}: сумма сделок этапа`}>
          {totals ? formatMoney(totals.sum) : '…'}
        </span>
      }
      renderCard={renderCard}
      cardLabel={dealLabel}
      actions={
        mayAdd && (
          <IconButton
            icon={IconPlus}
            size={28}
            label={`Добавить сделку на этап «${stage.name}»`}
            onClick={() => setAdding(true)}
          />
        )
      }
      top={
        adding && (
          <QuickAdd
            draft={`deal:${stage.id}`}
            label={`Новая сделка на этапе «${stage.name}»`}
            placeholder="Название сделки"
            create={create}
            onClose={() => setAdding(false)}
          />
        )
      }
      empty={
        filtered ? (
          'Под фильтр ничего не подходит'
        ) : mayAdd && !adding ? (
          <ActionButton
            label="Добавить сделку"
            size="compact-sm"
            variant="subtle"
            icon={IconPlus}
            onClick={() => setAdding(true)}
          />
        ) : adding ? null : (
          'Сделок нет'
        )
      }
    />
  )
}
