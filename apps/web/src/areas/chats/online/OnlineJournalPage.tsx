import { refusal } from '@ordinator/model/access'
import { OnlineDialog, onlineKinds, onlineStatuses } from '@ordinator/model/areas/chats/online'
import { formatNumber, formatSpan } from '@ordinator/model/format'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { plusDays } from '@ordinator/model/zone'
import { useQuery } from '@tanstack/react-query'
import { CountingRun, countingEvery } from '#areas/reports/index.ts'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { today } from '#kit/clock.ts'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { period } from '#records/filters/period.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'

const DAYS = 30

const journalFilters = filters(OnlineDialog, {
  status: choice('status', { options: onlineStatuses, any: 'Любое состояние' }),
  kind: choice('kind', { options: onlineKinds, any: 'Кому угодно' }),
  user: refs('idUser', { label: 'Сотрудник', any: 'Любой сотрудник' }),
  begun: period('dateCreate'),
})

const share = (value: number | null): string => (value === null ? '—' : `${formatNumber(Math.round(value * 100))} %`)
const span = (value: number | null): string => (value === null ? '—' : formatSpan(value))

/** Журнал чатов с пациентами, with answer times of the last month. */
export default function OnlineJournalPage() {
  // Users with only the journal get no link to the conversations.
  const mayTalk = !refusal(useActor(), pageByKey('serviceOnline'))
  return (
    <RegistryPage
      page={pageByKey('onlineJournal')}
      entity={OnlineDialog}
      expand={['customer', 'user', 'filial']}
      filters={journalFilters}
      pageOf={mayTalk ? (id) => `${pagePath('serviceOnline')}?dialog=${id}` : undefined}
      layout={(list) => (
        <VStack gap={12} px="var(--ord-page)" pb={24}>
          <Figures />
          {list}
        </VStack>
      )}
    />
  )
}

function Figures() {
  const to = today()
  const from = plusDays(to, 1 - DAYS)
  const { data, isPending } = useQuery({
    queryKey: ['onlineFigures', from, to],
    queryFn: ({ signal }) => api('GET /service-online/figures', { query: { from, to } }, { signal }),
    refetchInterval: countingEvery,
    meta: { live: [OnlineDialog.path] },
  })
  useRevealDelay(isPending)
  if (!data) return null
  if (data.run !== undefined) return <CountingRun id={data.run} />
  const figures = [
    ['Диалогов за 30 дней', formatNumber(data.count)],
    ['Время первого ответа', span(data.frt)],
    ['Среднее время ответа', span(data.art)],
    ['Время обработки', span(data.aht)],
    ['Первый ответ за 15 мин', share(data.sla)],
    ['Оценки 4 и 5', share(data.csat)],
    ['Пропущено', formatNumber(data.missed)],
  ] as const
  return (
    <HStack wrap gap="8px 24px" align="start">
      {figures.map(([name, value]) => (
        <VStack key={name} gap={0}>
          <Fine>{name}</Fine>
          <strong className="tabular">{value}</strong>
        </VStack>
      ))}
    </HStack>
  )
}
