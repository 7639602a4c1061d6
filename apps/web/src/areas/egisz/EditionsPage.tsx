import { EgiszEdition } from '@ordinator/model/areas/egisz/setUp'
import { pageByKey } from '@ordinator/model/pages'
import { Muted } from '#kit/Words.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { EditionFiles } from './EditionFiles.tsx'

/** Схемы и шаблоны ЭМД: files of each edition. */
export default function EditionsPage() {
  return (
    <RegistryPage
      page={pageByKey('egiszEditions')}
      entity={EgiszEdition}
      columns={[
        { key: 'name', width: 340 },
        { key: 'code', label: 'Код', width: 90 },
        {
          key: 'hasTemplate',
          label: 'Шаблон',
          width: 150,
          cell: ({ hasTemplate, ready }) =>
            hasTemplate ? 'Свой' : ready && ready !== 'none' ? 'Готовый' : <Muted>Нет</Muted>,
        },
        { key: 'schemaFiles', width: 140, cell: ({ schemaFiles }) => schemaFiles || <Muted>Нет</Muted> },
        { key: 'schematronRules', width: 180, cell: ({ schematronRules }) => schematronRules || <Muted>Нет</Muted> },
        { key: 'dateChange', width: 150 },
      ]}
      tabs={{ files: { label: 'Файлы', panel: (edition) => <EditionFiles key={edition.id} edition={edition} /> } }}
      wide
    />
  )
}
