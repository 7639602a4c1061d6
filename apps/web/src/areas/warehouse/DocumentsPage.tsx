import {
  documentKinds,
  documentMdlp,
  documentStatuses,
  WarehouseDocument,
} from '@ordinator/model/areas/warehouse/document'
import type { Expanded } from '@ordinator/model/client'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { period } from '#records/filters/period.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { NewDocumentDialog } from './NewDocumentDialog.tsx'
import { placeOf } from './place.ts'
import { MdlpMark, StatusBadge } from './words.tsx'

type Line = Expanded<typeof WarehouseDocument, 'from.filial' | 'to.filial' | 'supplier'>

/** From where to where, each with its branch; suppliers are the places outside. */
function Way({ from, to, supplier }: Line) {
  const source = placeOf(from) ?? supplier?.shortName
  const target = placeOf(to) ?? (from ? supplier?.shortName : undefined)
  if (!source && !target) return <Muted>—</Muted>
  return (
    <>
      {source && <div>{source}</div>}
      {target && <div>{source ? `→ ${target}` : target}</div>}
    </>
  )
}

const documentFilters = filters(WarehouseDocument, {
  kind: choice('kind', { options: documentKinds, any: 'Любой тип' }),
  status: choice('status', { options: documentStatuses, any: 'Любой статус' }),
  day: period('localDate', { label: 'Дата' }),
  from: refs('idFrom', { label: 'Со склада', any: 'С любого склада' }),
  to: refs('idTo', { label: 'На склад', any: 'На любой склад' }),
  mdlp: choice('mdlp', { options: documentMdlp, any: 'Любое состояние в МДЛП' }),
  supplier: refs('idSupplier', { label: 'Поставщик', any: 'Любой поставщик' }),
})

export const documentColumns: readonly ColumnSpec<Line>[] = [
  {
    key: 'number',
    label: '№',
    width: 136,
    cell: ({ number, status, id }) =>
      number ?? (
        <Muted>
          {status === 'draft' ? 'черновик' : 'без номера'} {id}
        </Muted>
      ),
  },
  { key: 'localDate', label: 'Дата', width: 104, cell: ({ localDate }) => formatDay(localDate) },
  { key: 'kind', width: 150, cell: ({ kind }) => documentKinds[kind] },
  { key: 'status', width: 124, cell: ({ status }) => <StatusBadge status={status} /> },
  { key: 'idTo', label: 'Откуда, куда', width: 240, needed: true, cell: (row) => <Way {...row} /> },
  { key: 'linesCount', width: 80, align: 'right' },
  {
    key: 'sum',
    width: 130,
    align: 'right',
    needed: true,
    cell: ({ sum }) => <span className="tabular">{formatMoney(sum)}</span>,
  },
  {
    key: 'mdlp',
    width: 140,
    needed: true,
    cell: ({ mdlp }) => (mdlp ? <MdlpMark status={mdlp} /> : <Muted>—</Muted>),
  },
  { key: 'idFrom', label: 'Откуда', width: 170, hidden: true },
  { key: 'idAuthor', width: 150 },
]

/** Складские документы: all types, with a button to create one. */
export default function DocumentsPage() {
  return (
    <RegistryPage
      page={pageByKey('warehouseDocuments')}
      entity={WarehouseDocument}
      pageOf={(id) => pagePath('warehouseDocument', { id })}
      expand={['from.filial', 'to.filial', 'supplier']}
      columns={documentColumns}
      filters={documentFilters}
      isMuted={({ status }) => status === 'cancelled'}
      create={NewDocumentDialog}
    />
  )
}
