import { ConsentTemplate, ConsentVersion, consentTypes } from '@ordinator/model/areas/consents/consent'
import { placeNames } from '@ordinator/model/areas/consents/text'
import type { Row } from '@ordinator/model/entity'
import { counted, formatDay } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconEye, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { today } from '#kit/clock.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { RecordFields } from '#records/form/RecordFields.tsx'
import { RecordForm } from '#records/RecordForm.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { RichText } from '#records/RichText.tsx'
import { useList } from '#records/reads.ts'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'

type Line = Row<typeof ConsentTemplate>

const tabs: RecordParts<typeof ConsentTemplate>['tabs'] = {
  versions: { label: 'Текст и версии', panel: ({ id }) => <Versions idTemplate={id} /> },
}

const columns: readonly ColumnSpec<Line>[] = [
  { key: 'name', width: 420 },
  { key: 'type', width: 240, cell: ({ type }) => consentTypes[type] },
  { key: 'isDefault', label: 'Нужно каждому', width: 140 },
  {
    key: 'months',
    label: 'Срок',
    width: 120,
    cell: ({ months }) => (months ? counted(months, ['месяц', 'месяца', 'месяцев']) : <Muted>без срока</Muted>),
  },
  {
    key: 'version',
    width: 120,
    cell: ({ version }) => (version === null ? <Muted>нет текста</Muted> : `№ ${version}`),
  },
]

/** Шаблоны согласий: templates by purpose, with dated versions. */
export default function TemplatesPage() {
  return <RegistryPage page={pageByKey('consentTemplates')} entity={ConsentTemplate} columns={columns} tabs={tabs} />
}

/** The maximum page size of the records engine. */
const MAX = 500

function Versions({ idTemplate }: { idTemplate: number }) {
  const [making, setMaking] = useState(false)
  const [shown, setShown] = useState<Row<typeof ConsentVersion>>()
  const mayEdit = useCan('create', ConsentVersion)
  const list = useList(ConsentVersion, { filter: { idTemplate }, expand: ['user'], limit: MAX })
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.isPending) return <LinesSkeleton lines={3} />
  const versions = list.data.items
  const [latest] = versions
  const inForce = versions.find(({ dateFrom }) => dateFrom <= today())
  if (making)
    return (
      <VStack gap={8}>
        <Fine component="p">
          Опубликованную версию не меняют: подписанное остаётся при своих словах. В тексте можно ставить{' '}
          {Object.keys(placeNames)
            .map((place) => `{${place}}`)
            .join(', ')}
          .
        </Fine>
        <RecordForm
          entity={ConsentVersion}
          fixed={{ idTemplate }}
          initial={{ dateFrom: today(), purpose: latest?.purpose, text: latest?.text }}
          draft={`version ${idTemplate}`}
          saveLabel="Опубликовать"
          onSaved={() => setMaking(false)}
          onCancel={() => setMaking(false)}
        >
          <RecordFields names={['dateFrom', 'purpose', 'text']} autoFocus />
        </RecordForm>
      </VStack>
    )
  return (
    <VStack gap={12}>
      {mayEdit && (
        <HStack>
          <ActionButton
            label={latest ? 'Новая версия' : 'Написать текст'}
            variant="default"
            icon={IconPlus}
            onClick={() => setMaking(true)}
          />
        </HStack>
      )}
      {versions.length === 0 ? (
        <EmptyState title="Текста пока нет" text="Без текста документ подписать нельзя." />
      ) : (
        <Block component="ul" framed aria-label="Версии">
          {versions.map((one, at) => (
            <HStack key={one.id} component="li" px={12} py={8} rule={at ? 'top' : undefined}>
              <Block grow miw={0} className="breaks">
                Версия {one.number}{' '}
                {one === inForce ? <Muted>действует</Muted> : one.dateFrom > today() && <Muted>вступит в силу</Muted>}
                <Fine component="div">
                  с {formatDay(one.dateFrom)} · {one.user && <UserLink user={one.user} />} · {one.purpose}
                </Fine>
              </Block>
              <IconButton icon={IconEye} label={`Показать текст версии ${one.number}`} onClick={() => setShown(one)} />
            </HStack>
          ))}
        </Block>
      )}
      {shown && (
        <Dialog title={`Версия ${shown.number}`} size={680} onClose={() => setShown(undefined)}>
          <RichText html={shown.text} />
        </Dialog>
      )}
    </VStack>
  )
}
