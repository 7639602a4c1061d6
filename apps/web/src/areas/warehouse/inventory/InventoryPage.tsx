import { documentStatuses, WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { documentColumns } from '../DocumentsPage.tsx'
import { NewDocumentDialog } from '../NewDocumentDialog.tsx'

const inventoryFilters = filters(WarehouseDocument, {
  status: choice('status', { options: documentStatuses, any: 'Любой статус' }),
  from: refs('idFrom', { label: 'Склад', any: 'Любой склад' }),
})

const NewInventory = (props: { onClose: () => void; onMade: (id: number) => void }) => (
  <NewDocumentDialog {...props} only="inventory" />
)
const columns = documentColumns
  .filter(({ key }) => key !== 'kind' && key !== 'idFrom' && key !== 'mdlp')
  .map((column) => (column.key === 'idTo' ? { ...column, label: 'Склад' } : column))

/** Инвентаризации: open and completed. */
export default function InventoryPage() {
  return (
    <RegistryPage
      page={pageByKey('inventory')}
      entity={WarehouseDocument}
      pageOf={(id) => pagePath('inventoryCount', { id })}
      filter={{ kind: 'inventory' }}
      expand={['from.filial', 'to.filial', 'supplier']}
      columns={columns}
      filters={inventoryFilters}
      create={NewInventory}
      empty={{
        title: 'Инвентаризаций пока нет',
        text: 'Начните с одного склада или одной группы товаров: склад при этом продолжает работать.',
      }}
    />
  )
}
