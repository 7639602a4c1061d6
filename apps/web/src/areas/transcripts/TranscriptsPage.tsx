import { Call } from '@ordinator/model/areas/calls/call'
import { speakers, TranscriptLine } from '@ordinator/model/areas/transcripts/transcript'
import type { Expanded } from '@ordinator/model/client'
import { formatDuration } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconFileOff, IconPhone } from '@tabler/icons-react'
import { CustomerChip } from '#areas/customers/index.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { period } from '#records/filters/period.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { useRecord } from '#records/reads.ts'
import type { ColumnSpec } from '#records/table/columns.ts'
import { TalkPlayer } from './TalkPlayer.tsx'

const lineFilters = filters(TranscriptLine, {
  speaker: choice('speaker', { options: speakers, any: 'Кто угодно' }),
  made: period('call.dateCreate', { label: 'Звонки' }),
  // The filters go through the call: its declaration is loaded by using it.
  user: refs('call.idUser', { label: Call.fields.idUser.options.label, any: 'Любой сотрудник' }),
})

type Line = Expanded<typeof TranscriptLine, 'call.user' | 'call.customer'>

const columns: readonly ColumnSpec<Line>[] = [
  { key: 'text', label: 'Что сказано', width: 420, cell: ({ text }) => <span className="breaks">{text}</span> },
  { key: 'speaker', width: 130 },
  { key: 'fromMs', label: 'На', width: 80, align: 'right', cell: ({ fromMs }) => clock(fromMs) },
  {
    key: 'idCall',
    label: 'Звонок',
    width: 160,
    sort: 'idCall',
    cell: ({ call }) => call && <span className="tabular nowrap">{formatDateTime(call.dateCreate)}</span>,
  },
  {
    key: 'user',
    label: 'Сотрудник',
    width: 160,
    sort: false,
    cell: ({ call }) => (call?.user ? <UserLink user={call.user} /> : <Muted>никто</Muted>),
  },
  {
    key: 'who',
    label: 'С кем',
    width: 190,
    sort: false,
    cell: ({ call }) =>
      call?.customer ? (
        <CustomerChip customer={call.customer} />
      ) : call?.contactPhone ? (
        <PhoneLink phone={call.contactPhone} bare />
      ) : (
        <Muted>—</Muted>
      ),
  },
]

const clock = (ms: number): string => formatDuration(Math.floor(ms / 1000))

/** Расшифровки: search in all transcripts, with playback from the match. */
export default function TranscriptsPage() {
  return (
    <RegistryPage
      page={pageByKey('transcripts')}
      entity={TranscriptLine}
      expand={['call.user', 'call.customer']}
      columns={columns}
      filters={lineFilters}
      panel={LinePanel}
      empty={{
        title: 'Ничего не найдено',
        text: 'Ищите по словам разговора. Расшифровку делают в карточке звонка с записью; включить её для всех новых записей можно в «Подключениях».',
      }}
    />
  )
}

function LinePanel({ id, onClose }: { id: number; onClose: () => void }) {
  const answer = useRecord(TranscriptLine, id, { expand: ['call.user', 'call.customer'] }, { forbidden: 'silent' })
  const line = answer.data
  const call = line?.call
  return (
    <SidePanel opened onClose={onClose} title={line ? `Звонок № ${line.idCall}` : 'Звонок'} wide>
      {answer.isError ? (
        (answer.error as { status?: number }).status === 404 ? (
          <EmptyState icon={IconFileOff} title="Реплики нет" text="Разговор расшифровали заново или запись удалили." />
        ) : (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        )
      ) : !line || !call ? (
        <LinesSkeleton lines={6} />
      ) : (
        <VStack gap={16}>
          <HStack wrap justify="space-between">
            <HStack wrap>
              <Muted className="tabular">{formatDateTime(call.dateCreate)}</Muted>
              {call.user && <UserLink user={call.user} />}
              {call.customer ? (
                <CustomerChip customer={call.customer} />
              ) : (
                call.contactPhone && <PhoneLink phone={call.contactPhone} />
              )}
            </HStack>
            <ActionButton
              label="Открыть звонок"
              icon={IconPhone}
              variant="default"
              renderRoot={(props) => <PageLink {...props} page="calls" search={{ open: line.idCall }} />}
            />
          </HStack>
          <TalkPlayer idCall={line.idCall} at={line.fromMs} />
        </VStack>
      )}
    </SidePanel>
  )
}
