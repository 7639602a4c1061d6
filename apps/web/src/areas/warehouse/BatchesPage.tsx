import { Badge } from '@mantine/core'
import { Batch, batchStates } from '@ordinator/model/areas/warehouse/stock'
import type { Expanded } from '@ordinator/model/client'
import { formatDay } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { period } from '#records/filters/period.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { TableScroll } from './TableScroll.tsx'
import { useStock } from './useCall.ts'
import classes from './Warehouse.module.css'
import { amount, Expiry } from './words.tsx'

type Line = Expanded<typeof Batch, 'product' | 'supplier'>

const batchFilters = filters(Batch, {
  state: choice('state', { options: batchStates, any: 'Любое состояние' }),
  product: refs('idProduct', { label: 'Товар', any: 'Любой товар' }),
  expiry: period('expiry', { label: 'Годен до' }),
})

const columns: readonly ColumnSpec<Line>[] = [
  { key: 'series', label: 'Серия', width: 140, cell: ({ series, id }) => series ?? `партия ${id}` },
  { key: 'idProduct', width: 320, cell: ({ product }) => product?.nameService },
  { key: 'expiry', width: 120, cell: ({ expiry }) => <Expiry day={expiry} /> },
  {
    key: 'state',
    width: 130,
    cell: ({ state }) => (
      <Badge color={state === 'free' ? 'teal' : 'red'} variant="light">
        {batchStates[state]}
      </Badge>
    ),
  },
  {
    key: 'onHand',
    width: 110,
    align: 'right',
    sort: false,
    cell: ({ onHand, product }) => amount(onHand ?? 0, product?.unit),
  },
  { key: 'cost', width: 110, align: 'right' },
  { key: 'idSupplier', width: 190, cell: ({ supplier }) => supplier?.shortName },
]

/** Партии: series and expiry, quarantine and recall; recipients are on a tab. */
export default function BatchesPage() {
  return (
    <RegistryPage
      page={pageByKey('batches')}
      entity={Batch}
      expand={['product', 'supplier']}
      columns={columns}
      filters={batchFilters}
      tabs={{ patients: { label: 'Кто получил', any: ['viewCustomers'], panel: ({ id }) => <Patients id={id} /> } }}
    />
  )
}

function Patients({ id }: { id: number }) {
  const found = useStock(
    ['patients', id],
    (signal) => api('GET /warehouse/batches/:id/patients', { params: { id } }, { signal }),
    [],
  )
  if (found.isError)
    return <ErrorState title="Список не загрузился" error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <LinesSkeleton lines={4} />
  if (found.data.items.length === 0)
    return (
      <EmptyState title="Пациенты эту партию не получали" text="Сюда попадает то, что списано по оказанным услугам." />
    )
  return (
    <TableScroll label="Кто получил: таблица">
      <table className={classes.table}>
        <thead>
          <tr>
            <th>Пациент</th>
            <th>Когда</th>
            <th>Услуга</th>
            <th data-number>Количество</th>
          </tr>
        </thead>
        <tbody>
          {found.data.items.map((row) => (
            <tr key={`${row.idAppointment}-${row.service}`}>
              <td>
                <PageLink page="customer" search={{ id: row.idCustomer }}>
                  {row.name}
                </PageLink>
              </td>
              <td className="tabular">{formatDay(row.localDate)}</td>
              <td>{row.service ?? '—'}</td>
              <td data-number>{row.qty}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  )
}
