import { LabComponent, LabTest } from '@ordinator/model/areas/laboratory/catalogue'
import { biomaterials, sections } from '@ordinator/model/areas/laboratory/words'
import type { Expanded } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { ImportDialog } from '#areas/imports/index.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { PartList } from '#records/registry/PartList.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { TubeCap } from './words.tsx'

type Line = Expanded<typeof LabTest, 'laboratory' | 'container' | 'service'>

const columns: readonly ColumnSpec<Line>[] = [
  { key: 'name', width: 300 },
  { key: 'code', width: 90 },
  { key: 'section', width: 150, cell: ({ section, isPanel }) => (isPanel ? 'Панель' : sections[section]) },
  { key: 'idLaboratory', width: 160, cell: ({ laboratory }) => laboratory?.name },
  {
    key: 'idContainer',
    width: 170,
    cell: ({ container, biomaterial, isPanel }) =>
      isPanel ? (
        <Muted>по исследованиям</Muted>
      ) : (
        <TubeCap cap={container?.cap ?? null} name={container?.name ?? biomaterials[biomaterial]} />
      ),
  },
  { key: 'termDays', width: 110, align: 'right' },
  {
    key: 'price',
    width: 110,
    align: 'right',
    cell: ({ price }) =>
      price === null ? <Muted>нет услуги</Muted> : <span className="tabular">{formatMoney(price)}</span>,
  },
  {
    key: 'cost',
    width: 120,
    align: 'right',
    cell: ({ cost }) => (cost === null ? <Muted>—</Muted> : <span className="tabular">{formatMoney(cost)}</span>),
  },
  { key: 'medicalCode', width: 130 },
]

const testFilters = filters(LabTest, {
  section: choice('section', { options: sections, any: 'Любой отдел' }),
  laboratory: refs('idLaboratory', { label: 'Лаборатория', any: 'Любая лаборатория' }),
  panel: flag('Панели', { isPanel: true }, { panel: 'Только панели', toggle: true }),
  free: flag('Без услуги', { idService: { null: true } }, { panel: 'Только без услуги' }),
})

const tabs: RecordParts<typeof LabTest>['tabs'] = { parts: { label: 'Состав', panel: (test) => <Parts test={test} /> } }

/** Каталог исследований: tests, their parts and prices. */
export default function CatalogPage() {
  return (
    <RegistryPage
      page={pageByKey('labCatalog')}
      entity={LabTest}
      expand={['laboratory', 'container', 'service']}
      columns={columns}
      filters={testFilters}
      tabs={tabs}
      isMuted={({ active }) => !active}
      wide
      tools={<ImportTests />}
    />
  )
}

/** Imports a file in the format of the list's export. */
function ImportTests() {
  const [open, setOpen] = useState(false)
  if (!useCan('create', LabTest)) return null
  return (
    <>
      <ActionButton label="Загрузить из файла" variant="default" icon={IconUpload} onClick={() => setOpen(true)} />
      {open && (
        <ImportDialog
          kind="laboratory"
          title="Каталог исследований"
          hint="CSV или XLSX с колонками «Название», «Лаборатория», «Код» и другими, как в выгрузке этого списка. Исследование узнаём по коду, коду лаборатории или названию; пустая ячейка ничего не меняет"
          template
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

const Parts = ({ test }: { test: Row<typeof LabTest> }) => (
  <PartList
    entity={LabComponent}
    title={test.isPanel ? 'Исследования панели' : 'Показатели'}
    of={{ idTest: test.id }}
    fields={test.isPanel ? ['idPart'] : ['idAnalyte']}
    expand={['analyte', 'part']}
    face={({ analyte, part }) => (
      <>
        {part?.name ?? analyte?.name}
        <Fine component="div">{part ? part.code : [analyte?.code, analyte?.unit].filter(Boolean).join(', ')}</Fine>
      </>
    )}
  />
)
