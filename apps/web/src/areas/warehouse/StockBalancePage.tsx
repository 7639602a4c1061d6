import { holds } from '@ordinator/model/access'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconDownload } from '@tabler/icons-react'
import { CountingRun } from '#areas/reports/index.ts'
import { useAddress, useGo } from '#base/address.ts'
import { day, id, word } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import type { Search } from '#base/redirect.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { isDay } from '#kit/dateText.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { BalanceTable } from './BalanceTable.tsx'
import { onlyWords, StockFilters } from './StockFilters.tsx'
import { useStock } from './useCall.ts'
import classes from './Warehouse.module.css'

const page = pageByKey('stockBalance')
const read = (search: Search) => ({
  from: day(search.from),
  to: day(search.to),
  warehouse: id(search.warehouse),
  group: id(search.group),
  only: word(onlyWords, search.only),
})

/** Остатки товаров: opening, in, out and closing of a period, with days of stock and turnover. */
export default function StockBalancePage() {
  const go = useGo()
  const actor = useActor()
  const [address, setAddress] = useAddress(read)
  const now = today()
  const from = address.from ?? `${now.slice(0, 8)}01`
  const to = address.to ?? now
  // Users with only the report on consumables see these.
  const only = address.only ?? (holds(actor, 'viewStockReport') ? undefined : 'consumable')
  const { warehouse, group } = address
  const found = useStock(['report', from, to, warehouse, group, only], (signal) =>
    api('GET /warehouse/balance', { query: { from, to, idWarehouse: warehouse, idGroup: group, only } }, { signal }),
  )
  const setDay = (name: 'from' | 'to') => (value: string | null) => {
    if (value === null || isDay(value)) setAddress({ [name]: value ?? undefined }, { replace: true })
  }
  const data = found.data
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          data &&
          data.items.length > 0 && (
            <ActionButton
              label="Скачать CSV"
              variant="default"
              icon={IconDownload}
              onClick={() => save(data.items, from, to)}
            />
          )
        }
      >
        <div className={classes.filters}>
          <DateField aria-label="Период с" w={150} value={from} max={to} onChange={setDay('from')} />
          <DateField aria-label="Период по" w={150} value={to} min={from} max={now} onChange={setDay('to')} />
          <StockFilters
            {...{ warehouse, group, only }}
            clearable={holds(actor, 'viewStockReport')}
            onChange={setAddress}
          />
        </div>
      </PageHead>
      <div className={classes.page} aria-busy={found.isFetching || undefined}>
        {found.isError && !data ? (
          <ErrorState title="Отчёт не построился" error={found.error} onRetry={() => void found.refetch()} />
        ) : !data ? (
          <LinesSkeleton lines={12} />
        ) : data.run !== undefined ? (
          <CountingRun id={data.run} />
        ) : (
          <>
            <div className={classes.tiles}>
              {(
                [
                  ['Товаров', formatNumber(data.totals.goods)],
                  ['На начало', formatMoney(data.totals.opening)],
                  ['Приход', formatMoney(data.totals.came)],
                  ['Расход', formatMoney(data.totals.went)],
                  ['На конец', formatMoney(data.totals.closing)],
                ] as const
              ).map(([label, value]) => (
                <div key={label} className={classes.tile}>
                  <b className="tabular">{value}</b>
                  <span>{label}</span>
                </div>
              ))}
            </div>
            {data.items.length === 0 ? (
              <EmptyState title="Движений и остатков нет" text="Измените период или условия." />
            ) : (
              <section className={classes.part} aria-label="Остатки и обороты">
                <BalanceTable
                  rows={data.items}
                  full
                  onChoose={(good) => void go({ page: 'warehouseGoods', search: { good } })}
                />
              </section>
            )}
          </>
        )}
      </div>
    </>
  )
}

type Rows = NonNullable<
  ReturnType<typeof useStock<{ items: readonly Parameters<typeof BalanceTable>[0]['rows'][number][] }>>['data']
>['items']

/** CSV for spreadsheets: semicolons, decimal commas. */
function save(rows: Rows, from: string, to: string): void {
  const cell = (value: string | number | null) => {
    const text = typeof value === 'number' ? String(value).replace('.', ',') : (value ?? '')
    return /[;"\n]/.test(text) || (/^[=+\-@]/.test(text) && typeof value !== 'number')
      ? `"${text.replaceAll('"', '""')}"`
      : text
  }
  const head = [
    'Товар',
    'Группа',
    'Единица',
    'Начало',
    'Приход',
    'Расход',
    'Конец',
    'Себестоимость',
    'Запас, дней',
    'Оборачиваемость',
    'Ближайший срок',
  ]
  const lines = rows.map((row) =>
    [
      row.name,
      row.group,
      row.unit,
      row.opening,
      row.came,
      row.went,
      row.closing,
      row.cost,
      row.days,
      row.turnover,
      row.nearestExpiry,
    ]
      .map(cell)
      .join(';'),
  )
  const url = URL.createObjectURL(new Blob([`\uFEFF${[head.join(';'), ...lines].join('\r\n')}`], { type: 'text/csv' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: `Остатки ${from} ${to}.csv` })
  link.click()
  URL.revokeObjectURL(url)
}
