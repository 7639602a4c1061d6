import { Badge } from '@mantine/core'
import { Service } from '@ordinator/model/areas/catalogue/service'
import { documentKinds } from '@ordinator/model/areas/warehouse/document'
import { batchStates } from '@ordinator/model/areas/warehouse/stock'
import { isDay } from '@ordinator/model/fields/date'
import { formatDay, formatMoney, formatNumber } from '@ordinator/model/format'
import { IconX } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Dotted, Fine, Muted } from '#kit/Words.tsx'
import { retries, useRecord } from '#records/reads.ts'
import { TableScroll } from '../TableScroll.tsx'
import { stockPaths } from '../useCall.ts'
import classes from '../Warehouse.module.css'
import { amount, Expiry } from '../words.tsx'

interface Props {
  id: number
  idWarehouse: number | undefined
  onClose: () => void
}

/** A product: warehouses, batches, and moves. */
export function GoodCard({ id, idWarehouse, onClose }: Props) {
  const good = useRecord(Service, id, {}, { forbidden: 'silent' }).data
  const [on, setOn] = useState<string | null>(null)
  const day = on !== null && isDay(on) ? on : undefined
  const found = useInfiniteQuery({
    queryKey: ['warehouse', 'card', id, idWarehouse, day],
    queryFn: ({ signal, pageParam }) =>
      api(
        'GET /warehouse/goods/:id/card',
        { params: { id }, query: { idWarehouse, before: pageParam, on: day } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: (before) => before,
    retry: retries,
    meta: { live: [...stockPaths] },
  })
  const [first] = found.data?.pages ?? []
  const moves = found.data?.pages.flatMap((one) => one.moves) ?? []
  return (
    <section className={classes.part} aria-label={good?.nameService ?? 'Товар'}>
      <HStack align="start" justify="space-between">
        <div>
          <h2>{good?.nameService ?? 'Товар'}</h2>
          <Fine>
            <Dotted>
              {[
                good?.article && `арт. ${good.article}`,
                good?.gtin && `GTIN ${good.gtin}`,
                good?.inn,
                good?.storage,
                good?.isMarked && 'маркируется',
                good?.isPku && 'ПКУ',
              ]}
            </Dotted>
          </Fine>
        </div>
        <HStack gap={4}>
          <ActionButton
            label="Карточка"
            size="xs"
            variant="default"
            renderRoot={(props) => <PageLink {...props} page="service" search={{ id }} />}
          />
          <IconButton label="Закрыть" icon={IconX} onClick={onClose} />
        </HStack>
      </HStack>
      {found.isError && !first ? (
        <ErrorState title="Карточка не загрузилась" error={found.error} onRetry={() => void found.refetch()} />
      ) : !first ? (
        <LinesSkeleton lines={6} />
      ) : (
        <>
          <HStack my={8}>
            <DateField label="Остаток на день" placeholder="сейчас" w={180} max={today()} value={on} onChange={setOn} />
          </HStack>
          <TableScroll label="Партии">
            <table className={classes.table}>
              <thead>
                <tr>
                  <th>Склад, серия</th>
                  <th>Годен до</th>
                  <th data-number>Остаток</th>
                  <th data-number>Цена</th>
                </tr>
              </thead>
              <tbody>
                {first.batches.map((batch) => (
                  <tr key={`${batch.idBatch}-${batch.idWarehouse}`}>
                    <td>
                      {batch.warehouse}
                      <br />
                      <PageLink page="batches" search={{ open: batch.idBatch }}>
                        {batch.series ?? `партия ${batch.idBatch}`}
                      </PageLink>{' '}
                      {batch.state !== 'free' && (
                        <Badge color="red" variant="light" size="sm">
                          {batchStates[batch.state]}
                        </Badge>
                      )}
                    </td>
                    <td>
                      <Expiry day={batch.expiry} />
                    </td>
                    <td data-number>
                      {amount(batch.qty, good?.unit)}
                      {batch.reserved > 0 && (
                        <>
                          <br />
                          <Muted>отложено {formatNumber(batch.reserved)}</Muted>
                        </>
                      )}
                    </td>
                    <td data-number>{batch.cost === null ? '—' : formatMoney(batch.cost)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableScroll>
          {first.batches.length === 0 && <Muted>На складах этого товара {day ? 'в этот день не было' : 'нет'}</Muted>}
          <h2 style={{ marginTop: 16 }}>Движения</h2>
          <TableScroll label="Движения: таблица">
            <table className={classes.table}>
              <thead>
                <tr>
                  <th>Дата</th>
                  <th>Документ</th>
                  <th data-number>Количество</th>
                  <th data-number>Осталось</th>
                </tr>
              </thead>
              <tbody>
                {moves.map((move) => (
                  <tr key={move.id}>
                    <td className="tabular">{formatDay(move.localDate)}</td>
                    <td>
                      <PageLink page="warehouseDocument" params={{ id: move.idDocument }}>
                        {documentKinds[move.kind]} {move.number}
                      </PageLink>
                      <br />
                      <Muted>
                        <Dotted>{[move.warehouse, move.series && `серия ${move.series}`]}</Dotted>
                      </Muted>
                    </td>
                    <td data-number>
                      {move.qty > 0 ? '+' : ''}
                      {formatNumber(move.qty)}
                    </td>
                    <td data-number>{formatNumber(move.after)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableScroll>
          {moves.length === 0 && <Muted>Движений ещё не было</Muted>}
          {found.hasNextPage && (
            <ActionButton
              label="Показать раньше"
              variant="default"
              size="xs"
              loading={found.isFetchingNextPage}
              onClick={() => void found.fetchNextPage()}
            />
          )}
        </>
      )}
    </section>
  )
}
