import type { Funnel } from '@ordinator/model/areas/sales/funnel'
import type { Row } from '@ordinator/model/entity'
import { ImportDialog } from '#areas/imports/index.ts'

/** Imports deals from a table into a funnel. */
export function ImportDeals({ funnel, onClose }: { funnel: Row<typeof Funnel>; onClose: () => void }) {
  return (
    <ImportDialog
      kind="leads"
      title={`Импорт сделок в «${funnel.name}»`}
      hint="CSV или XLSX до 10 000 строк, в первой строке — названия колонок"
      params={{ idFunnel: funnel.id }}
      options={[
        { param: 'skipDuplicates', label: 'Пропускать строки, телефон которых уже есть в открытой сделке' },
        { param: 'createSources', label: 'Создавать источники, которых ещё нет' },
      ]}
      template
      onClose={onClose}
    />
  )
}
