import { formatDay, formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { useAddress } from '#base/address.ts'
import { id, text } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import type { Search } from '#base/redirect.ts'
import { today } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { MonthField } from '#kit/MonthField.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { TableScroll } from './TableScroll.tsx'
import { useStock } from './useCall.ts'
import classes from './Warehouse.module.css'

const page = pageByKey('pkuJournal')
const read = (search: Search) => ({
  product: id(search.product),
  warehouse: id(search.warehouse),
  month: text(search.month),
})

/** Журнал ПКУ: subject-quantity accounting of a product by days of a month. */
export default function PkuPage() {
  const [address, setAddress] = useAddress(read)
  const { product, warehouse } = address
  const month = /^\d{4}-\d\d$/.test(address.month ?? '') ? (address.month as string) : today().slice(0, 7)
  const isAsked = product !== undefined && warehouse !== undefined
  return (
    <>
      <PageHead title={page.title} help={page.help}>
        <div className={classes.filters}>
          <div style={{ width: 320 }}>
            <RefSelect
              to="services"
              filter={{ serviceCategory: 1, isPku: true }}
              aria-label="Препарат"
              placeholder="Препарат"
              value={product ?? null}
              onChange={(value) => setAddress({ product: value ?? undefined })}
            />
          </div>
          <div style={{ width: 220 }}>
            <RefSelect
              to="warehouses"
              filter={{ active: true }}
              aria-label="Склад"
              placeholder="Склад"
              value={warehouse ?? null}
              onChange={(value) => setAddress({ warehouse: value ?? undefined })}
            />
          </div>
          <MonthField label="Месяц" value={month} onChange={(next) => setAddress({ month: next }, { replace: true })} />
        </div>
      </PageHead>
      <div className={classes.page}>
        {isAsked ? (
          <Days product={product} warehouse={warehouse} month={month} />
        ) : (
          <EmptyState
            title="Выберите препарат и склад"
            text="В журнале стоят товары с пометкой «Предметно-количественный учёт» в карточке."
          />
        )}
      </div>
    </>
  )
}

function Days({ product, warehouse, month }: { product: number; warehouse: number; month: string }) {
  const found = useStock(['pku', product, warehouse, month], (signal) =>
    api('GET /warehouse/pku', { query: { idProduct: product, idWarehouse: warehouse, month } }, { signal }),
  )
  if (found.isError && !found.data)
    return <ErrorState title="Журнал не загрузился" error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <LinesSkeleton lines={6} />
  return (
    <section className={classes.part}>
      <h2>Остаток на начало месяца: {formatNumber(found.data.opening)}</h2>
      <TableScroll label="Журнал по дням">
        <table className={classes.table}>
          <thead>
            <tr>
              <th>Дата</th>
              <th>Документы</th>
              <th data-number>Приход</th>
              <th data-number>Расход</th>
              <th data-number>Остаток</th>
            </tr>
          </thead>
          <tbody>
            {found.data.days.map((day) => (
              <tr key={day.localDate}>
                <td className="tabular">{formatDay(day.localDate)}</td>
                <td>
                  {day.documents.map(({ id: idDocument, number, qty }) => (
                    <div key={idDocument}>
                      <PageLink page="warehouseDocument" params={{ id: idDocument }}>
                        № {number}
                      </PageLink>
                      : {formatNumber(qty)}
                    </div>
                  ))}
                </td>
                <td data-number>{formatNumber(day.came)}</td>
                <td data-number>{formatNumber(day.went)}</td>
                <td data-number>{formatNumber(day.left)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
      {found.data.days.length === 0 && <EmptyState title="За месяц движений не было" />}
    </section>
  )
}
