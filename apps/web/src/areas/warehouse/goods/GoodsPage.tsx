import { pageByKey } from '@ordinator/model/pages'
import { CountingRun } from '#areas/reports/index.ts'
import { useAddress } from '#base/address.ts'
import { id, text, word } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import type { Search } from '#base/redirect.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { SearchField } from '#kit/SearchField.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Muted } from '#kit/Words.tsx'
import { BalanceTable } from '../BalanceTable.tsx'
import { onlyWords, StockFilters } from '../StockFilters.tsx'
import { useStock } from '../useCall.ts'
import classes from '../Warehouse.module.css'
import { GoodCard } from './GoodCard.tsx'

const page = pageByKey('warehouseGoods')

const read = (search: Search) => ({
  good: id(search.good),
  warehouse: id(search.warehouse),
  group: id(search.group),
  q: text(search.q),
  only: word(onlyWords, search.only),
})

/** Товары и остатки: products with balances, and batches of the selected one. */
export default function GoodsPage() {
  const [address, setAddress] = useAddress(read)
  const { good, warehouse, group, q, only } = address
  const found = useStock(['balance', warehouse, group, q, only], (signal) =>
    api('GET /warehouse/balance', { query: { idWarehouse: warehouse, idGroup: group, q, only } }, { signal }),
  )
  return (
    <>
      <PageHead title={page.title} help={page.help}>
        <div className={classes.filters}>
          <SearchField
            aria-label="Найти товар"
            placeholder="Товар, артикул, МНН"
            value={q ?? ''}
            onChange={(value) => setAddress({ q: value || undefined }, { replace: true })}
          />
          <StockFilters {...{ warehouse, group, only }} onChange={setAddress} />
        </div>
      </PageHead>
      <div className={classes.page} aria-busy={found.isFetching || undefined}>
        {found.isError && !found.data ? (
          <ErrorState title="Остатки не загрузились" error={found.error} onRetry={() => void found.refetch()} />
        ) : !found.data ? (
          <LinesSkeleton lines={12} />
        ) : found.data.run !== undefined ? (
          <CountingRun id={found.data.run} />
        ) : (
          <div className={classes.split} data-alone={good === undefined || undefined}>
            {found.data.items.length === 0 ? (
              <EmptyState title="Товаров не найдено" text="Измените условия или введите остатки первым документом." />
            ) : (
              <section className={classes.part} aria-label="Остатки">
                <BalanceTable
                  rows={found.data.items}
                  chosen={good}
                  onChoose={(value) => setAddress({ good: value === good ? undefined : value })}
                />
                {found.data.hasMore && <Muted>Показаны первые {found.data.items.length}: уточните поиск</Muted>}
              </section>
            )}
            {good !== undefined && (
              <GoodCard key={good} id={good} idWarehouse={warehouse} onClose={() => setAddress({ good: undefined })} />
            )}
          </div>
        )}
      </div>
    </>
  )
}
