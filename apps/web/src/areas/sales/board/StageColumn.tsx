import { stageTypes, WORK } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { formatMoney } from '@ordinator/model/format'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { errorMessage } from '../../../base/apiError.ts'
import { records } from '../../../base/client.ts'
import { ActionButton } from '../../../kit/ActionButton.tsx'
import { CardColumn } from '../../../kit/board/CardColumn.tsx'
import { type CardPage, type ColumnData, cardsOf, totalOf } from '../../../kit/board/pages.ts'
import { IconButton } from '../../../kit/IconButton.tsx'
import { QuickAdd } from '../../../records/board/QuickAdd.tsx'
import { retries } from '../../../records/reads.ts'
import { dealLabel } from './DealCard.tsx'
import type { DealStore } from './dealStore.ts'
import type { Deal, StageRow } from './deals.ts'

interface Props {
  stage: StageRow
  store: DealStore
  /** Number and rubles of the stage as the server reckons them. */
  totals: { count: number; sum: number } | undefined
  mayEdit: boolean
  filtered: boolean
  renderCard: (deal: Deal) => ReactNode
}

/** A stage of a funnel: its endless list, its count and its sum. */
export function StageColumn({ stage, store, totals, mayEdit, filtered, renderCard }: Props) {
  const query = useInfiniteQuery<CardPage<Deal>, Error, ColumnData<Deal>, readonly unknown[], string | undefined>({
    queryKey: [...store.prefix, stage.id],
    queryFn: ({ pageParam, signal }) => store.page(stage.id, pageParam, signal),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.next,
    // Events keep the list right; what a closed board has missed it reads anew.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    retry: retries,
  })
  const [adding, setAdding] = useState(false)
  const items = useMemo(() => cardsOf(query.data), [query.data])
  const total = totalOf(query.data)
  // The count moves with the card at once; the server's sum follows, and its count puts right what was missed.
  useEffect(() => {
    if (totals) store.cards.setTotal(stage.id, totals.count)
  }, [totals, store, stage.id])
  const mayAdd = mayEdit && stage.idType === WORK

  const create = async (title: string) => {
    const made = await records.create(Lead, { title, idStage: stage.id })
    store.refresh([made.id])
    store.changed()
  }

  return (
    <CardColumn
      id={stage.id}
      name={stage.name}
      color={stage.color}
      items={items}
      total={total}
      sum={
        <span title={`${stageTypes[stage.idType as keyof typeof stageTypes]}: сумма сделок этапа`}>
          {totals ? formatMoney(totals.sum) : '…'}
        </span>
      }
      loading={query.isPending}
      error={
        query.isError && items.length === 0 ? (
          <>
            <p>{errorMessage(query.error)}</p>
            <ActionButton label="Повторить" size="compact-sm" variant="light" onClick={() => void query.refetch()} />
          </>
        ) : undefined
      }
      hasMore={query.hasNextPage}
      loadingMore={query.isFetchingNextPage}
      onMore={query.fetchNextPage as () => void}
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
