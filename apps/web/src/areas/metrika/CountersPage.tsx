import { MetrikaCounter, MetrikaGoal } from '@ordinator/model/areas/metrika/metrika'
import { pageByKey } from '@ordinator/model/pages'
import { IconDownload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { notify } from '#kit/notify.tsx'
import { Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'

/** Счётчики: counters of the clinic's sites, with goals imported from Метрика. */
export default function CountersPage() {
  return (
    <RegistryPage
      page={pageByKey('metrikaCounters')}
      entity={MetrikaCounter}
      expand={['filial']}
      columns={[
        'name',
        'number',
        { key: 'idFilial', width: 180, cell: ({ filial }) => filial?.nameFilial ?? <Muted>Вся клиника</Muted> },
        'hasToken',
        'active',
        { key: 'take', label: 'Цели', width: 190, sort: false, actions: true, cell: ({ id }) => <TakeGoals id={id} /> },
      ]}
      isMuted={({ active }) => !active}
    />
  )
}

function TakeGoals({ id }: { id: number }) {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const take = async () => {
    setBusy(true)
    try {
      const { added, renamed } = await api(
        'POST /metrika/counters/:id/goals',
        { params: { id } },
        { forbidden: 'toast' },
      )
      await invalidateRecords(cache, MetrikaGoal.path)
      notify.success(added + renamed ? `Целей добавлено: ${added}, переименовано: ${renamed}` : 'Все цели уже здесь')
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Цели не загружены' })
    }
    setBusy(false)
  }
  return (
    <ActionButton
      label="Загрузить цели"
      icon={IconDownload}
      size="compact-sm"
      variant="default"
      loading={busy}
      onClick={() => void take()}
    />
  )
}
