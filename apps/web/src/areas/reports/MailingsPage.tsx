import { ReportMailing, ReportSending, sendingStates } from '@ordinator/model/areas/reports/mailing'
import type { Row } from '@ordinator/model/entity'
import { counted, formatDay } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconMail } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { useList } from '#records/reads.ts'
import classes from './Reports.module.css'

const SHOWN = 50

/** Рассылки отчётов: recipients, schedules, and results of each e-mail. */
export default function MailingsPage() {
  return (
    <RegistryPage
      page={pageByKey('reportMailings')}
      entity={ReportMailing}
      isMuted={({ active }) => !active}
      tabs={{ sendings: { label: 'Письма', panel: (mailing) => <Sendings key={mailing.id} mailing={mailing} /> } }}
    />
  )
}

function Sendings({ mailing }: { mailing: Row<typeof ReportMailing> }) {
  const [busy, setBusy] = useState(false)
  const list = useList(ReportSending, {
    filter: { idMailing: mailing.id },
    expand: ['user'],
    sort: '-id',
    limit: SHOWN,
  })
  const send = async () => {
    setBusy(true)
    try {
      await api('POST /reports/mailings/:id/send', { params: { id: mailing.id } })
      notify.success('Письма поставлены в очередь')
      await list.refetch()
    } finally {
      setBusy(false)
    }
  }
  return (
    <VStack gap={12}>
      <HStack gap={12} wrap justify="space-between">
        <PageLink page="reports" search={{ tab: mailing.report }}>
          Открыть отчёт
        </PageLink>
        <ActionButton
          label="Отправить сейчас"
          icon={IconMail}
          variant="default"
          loading={busy}
          onClick={() => void send()}
        />
      </HStack>
      {list.isPending ? (
        <LinesSkeleton lines={4} />
      ) : list.data?.items.length === 0 ? (
        <EmptyState title="Писем ещё не было" text="Первое уйдёт по расписанию; проверить его можно сейчас." />
      ) : (
        <ul className={classes.letters}>
          {list.data?.items.map(({ id, user, state, from, until, rows, message, dateCreate }) => (
            <li key={id} data-state={state}>
              <strong>{user?.shortFio ?? '—'}</strong>
              <span>{sendingStates[state]}</span>
              <Fine>
                {formatDateTime(dateCreate)}
                {from && until && `, за ${formatDay(from)}–${formatDay(until)}`}
                {rows !== null && `, ${counted(rows, ['строка', 'строки', 'строк'])}`}
                {message && `. ${message}`}
              </Fine>
            </li>
          ))}
        </ul>
      )}
    </VStack>
  )
}
