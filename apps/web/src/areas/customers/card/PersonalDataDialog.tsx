import { Alert, Text, Textarea, TextInput } from '@mantine/core'
import type { PersonalFate } from '@ordinator/model/areas/customers/calls'
import type { Customer } from '@ordinator/model/areas/customers/customer'
import type { Row } from '@ordinator/model/entity'
import { formatDay, inSentence } from '@ordinator/model/format'
import { REASON } from '@ordinator/model/sealed'
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { download } from '#base/http.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'

interface Props {
  customer: Pick<Row<typeof Customer>, 'id' | 'fio' | 'surname'>
  onClose: () => void
}

/** The patient's request by 152-ФЗ: a copy of all data, or their destruction as far as no law keeps them. */
export function PersonalDataDialog({ customer: { id, fio, surname }, onClose }: Props) {
  const cache = useQueryClient()
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const [loading, setLoading] = useState(false)
  const fate = useQuery({
    queryKey: ['customers', 'personal', id],
    queryFn: ({ signal }) =>
      api('GET /customers/:id/personal-data', { params: { id } }, { signal, forbidden: 'silent' }),
  })
  const isNamed = typed.trim() === surname && reason.trim().length >= REASON.min
  return (
    <ActionDialog
      title={`Персональные данные: ${fio}`}
      size={680}
      action="Уничтожить"
      danger
      disabled={fate.data?.unfinished !== '' || !isNamed}
      onClose={onClose}
      run={async () => {
        await api(
          'POST /customers/:id/personal-data/erase',
          { params: { id }, body: { surname: typed.trim(), reason: reason.trim() } },
          { forbidden: 'toast' },
        )
        await cache.invalidateQueries()
        notify.success('Данные уничтожены: запись об этом — в журнале доступа')
      }}
    >
      <VStack gap={16}>
        <HStack justify="space-between" wrap gap={8}>
          <Text>Клиент просит свои данные (152-ФЗ, ст. 14): всё, что есть в клинике, одним архивом.</Text>
          <ActionButton
            label="Скачать копию"
            variant="default"
            icon={IconDownload}
            loading={loading}
            onClick={async () => {
              setLoading(true)
              await download(`/customers/${id}/personal-copy`, `Данные — ${fio}.zip`).finally(() => setLoading(false))
            }}
          />
        </HStack>
        <Text>Клиент отозвал согласие (ст. 21): уничтожается то, чего не велит хранить закон. Вернуть нельзя.</Text>
        {fate.isError ? (
          <ErrorState error={fate.error} onRetry={() => void fate.refetch()} />
        ) : fate.data ? (
          <FateLists fate={fate.data} />
        ) : (
          <LinesSkeleton lines={6} />
        )}
        {fate.data?.unfinished === '' && (
          <>
            <TextInput
              label="Фамилия с карты"
              description="Чтобы не спутать карту"
              required
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Textarea
              label="Основание"
              description="Заявление, его номер и день: останется в журнале доступа"
              required
              autosize
              minRows={2}
              maxLength={REASON.max}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          </>
        )}
      </VStack>
    </ActionDialog>
  )
}

function FateLists({ fate: { erased, parted, kept, fields, unfinished } }: { fate: PersonalFate }) {
  return (
    <VStack gap={12}>
      {unfinished && (
        <Alert color="yellow" icon={<IconAlertTriangle size={18} />}>
          Сначала завершите или отмените: {unfinished}.
        </Alert>
      )}
      <Part title="Уничтожим" records={erased} empty="отдельных записей нет" />
      {parted.length > 0 && <Part title="Останется без клиента и без слов, для подсчётов" records={parted} />}
      <div>
        <Text fw={600}>Очистим в карте</Text>
        <Muted component="p">{fields.map((label) => inSentence(label)).join(', ')}</Muted>
      </div>
      {kept.map(({ why, law, until, records }) => (
        <Part key={why} title={`Храним до ${formatDay(until)}: ${inSentence(why)}`} hint={law} records={records} />
      ))}
    </VStack>
  )
}

interface PartProps {
  title: string
  records: PersonalFate['erased']
  hint?: string
  empty?: string
}

function Part({ title, records, hint, empty }: PartProps) {
  const words = records.map(({ label, count }) => `${inSentence(label)} — ${count}`).join(', ')
  return (
    <div>
      <Text fw={600}>{title}</Text>
      {hint && <Muted component="p">{hint}</Muted>}
      <Text>{words || empty}</Text>
    </div>
  )
}
