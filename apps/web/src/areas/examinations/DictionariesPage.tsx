import { Alert, Badge } from '@mantine/core'
import {
  Dictionary,
  DictionarySynonym,
  DictionaryTerm,
  dictionaryStates,
  ICD10,
} from '@ordinator/model/areas/examinations/dictionary'
import type { Row } from '@ordinator/model/entity'
import { formatDay, formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { ImportDialog } from '#areas/imports/index.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { today } from '#kit/clock.ts'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { useCan } from '#records/Can.tsx'
import { EditableList } from '#records/EditableList.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'

const tabs: RecordParts<typeof Dictionary>['tabs'] = {
  terms: { label: 'Термины', panel: (dictionary) => <Terms dictionary={dictionary} /> },
  synonyms: { label: 'Синонимы', panel: (dictionary) => <Synonyms dictionary={dictionary} /> },
}

const stateColors = { fresh: 'teal', due: 'yellow', empty: 'red', own: 'gray' } as const

/** Медицинские справочники: lists of terms with validity periods. */
export default function DictionariesPage() {
  return (
    <RegistryPage
      page={pageByKey('dictionaries')}
      entity={Dictionary}
      tabs={tabs}
      columns={[
        { key: 'name', width: 200 },
        { key: 'code', width: 110 },
        {
          key: 'termsCount',
          label: 'Терминов',
          width: 110,
          align: 'right',
          sort: false,
          cell: ({ termsCount }) => <span className="tabular">{formatNumber(termsCount)}</span>,
        },
        {
          key: 'state',
          width: 130,
          cell: ({ state }) => (
            <Badge color={stateColors[state]} variant="light">
              {dictionaryStates[state]}
            </Badge>
          ),
        },
        { key: 'edition', width: 110 },
        { key: 'dateLoad', width: 160, sort: false },
        { key: 'oid', width: 210 },
        { key: 'source', width: 320 },
      ]}
    />
  )
}

/** Search synonyms of the terms. */
function Synonyms({ dictionary }: { dictionary: Row<typeof Dictionary> }) {
  const mayEdit = useCan('update', Dictionary)
  return (
    <VStack gap={12}>
      <Alert color="blue" variant="light">
        Слова и сокращения, которыми врачи называют диагноз: «гипертония», «сд 2 типа», «перелом руки». Окончания писать
        не важно. Поиск в осмотре найдёт по ним указанные коды и всё, что в них входит.
      </Alert>
      <EditableList
        entity={DictionarySynonym}
        of={{ idDictionary: dictionary.id }}
        readOnly={!mayEdit}
        label={`Синонимы: ${dictionary.name}`}
        fields={['name', 'codes']}
        add="Новый синоним"
        empty={DictionarySynonym.registry?.empty ?? { title: 'Синонимов нет', text: '' }}
        removed={(name) => `Синоним «${name}» удалён`}
        nameOf={({ name }) => name}
        about={({ codes }) => codes.replaceAll(',', ', ')}
      />
    </VStack>
  )
}

function Terms({ dictionary }: { dictionary: Row<typeof Dictionary> }) {
  const [importing, setImporting] = useState(false)
  const mayEdit = useCan('update', Dictionary)
  return (
    <VStack gap={12}>
      {dictionary.code === ICD10 && (
        <Alert color="blue" variant="light">
          С программой приходят все рубрики МКБ-10 и подрубрики болезней; подрубрик внешних причин и части отравлений
          нет. Издание Минздрава загрузите из файла CSV или XLSX поверх: колонки «Код», «Название», «Группа».
        </Alert>
      )}
      {mayEdit && (
        <HStack>
          <ActionButton
            label="Загрузить из файла"
            variant="default"
            icon={IconUpload}
            onClick={() => setImporting(true)}
          />
        </HStack>
      )}
      <EditableList
        entity={DictionaryTerm}
        of={{ idDictionary: dictionary.id }}
        initial={{ dateFrom: today() }}
        readOnly={!mayEdit}
        label={`Термины: ${dictionary.name}`}
        fields={['code', 'name', 'group', 'dateFrom', 'dateTo']}
        add="Новый термин"
        empty={DictionaryTerm.registry?.empty ?? { title: 'Терминов нет', text: '' }}
        removed={(name) => `Термин «${name}» удалён`}
        nameOf={({ code, name }) => `${code} ${name}`}
        about={({ group, dateFrom, dateTo }) =>
          [group, `с ${formatDay(dateFrom)}`, dateTo && `по ${formatDay(dateTo)}`].filter(Boolean).join(' · ')
        }
      />
      {importing && (
        <ImportDialog
          kind="terms"
          title={`Загрузка: ${dictionary.name}`}
          params={{ idDictionary: dictionary.id, dateFrom: today() }}
          hint="CSV или XLSX до 20 000 строк с колонками «Код», «Название», «Группа». Новые названия действуют с сегодняшнего дня, прежние заканчиваются вчера; чего нет в файле, остаётся"
          template
          onClose={() => setImporting(false)}
        />
      )}
    </VStack>
  )
}
