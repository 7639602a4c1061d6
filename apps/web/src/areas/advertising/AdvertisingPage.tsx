import { Badge, SegmentedControl } from '@mantine/core'
import type { CampaignFigures } from '@ordinator/model/areas/advertising/calls'
import {
  AdCampaign,
  adChannels,
  type CampaignStatus,
  campaignStatuses,
} from '@ordinator/model/areas/advertising/campaign'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { formatDay, formatMoney, formatNumber } from '@ordinator/model/format'
import { howCounted, measureAt } from '@ordinator/model/measures'
import { pageByKey } from '@ordinator/model/pages'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CountingRun, countingEvery } from '#areas/reports/index.ts'
import { useAddress, useGo } from '#base/address.ts'
import { day, id as idOf, mark, text, word } from '#base/addressValues.ts'
import { type Answer, api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import type { Search } from '#base/redirect.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { zoneNow } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { isDay } from '#kit/dateText.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FigureTiles } from '#kit/FigureTiles.tsx'
import { Matrix, type MatrixColumn } from '#kit/Matrix.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { Picture } from '#kit/Picture.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { retries } from '#records/reads.ts'
import { RegistryPanel } from '#records/registry/RegistryPanel.tsx'
import classes from './Advertising.module.css'
import { CostUpload } from './CostUpload.tsx'

const page = pageByKey('advertising')
/** Names of the figures: those of the catalogue of measures. */
const named = (key: string): string => measureAt(`campaigns.${key}`).measure.label
const hinted = (key: string): string => {
  const { report, measure } = measureAt(`campaigns.${key}`)
  return howCounted(report, measure)
}

const touches = { last: 'Последнее касание', first: 'Первое касание' } as const
const DAYS = 30

const read = (search: Search) => ({
  from: day(search.from),
  to: day(search.to),
  touch: word(touches, search.touch),
  filial: idOf(search.filial),
  open: text(search.open) === 'new' ? ('new' as const) : undefined,
  all: mark(search.all),
})

/** Реклама: cost, appeals and results of each campaign. */
export default function AdvertisingPage() {
  const [address, setAddress] = useAddress(read)
  const go = useGo()
  const mayCreate = useCan('create', AdCampaign)
  const [today] = useState(() => dayIn(zoneNow(), Date.now()))
  const { to = today, touch = 'last', filial, open } = address
  const from = address.from ?? plusDays(to, 1 - DAYS)
  const answer = useQuery({
    queryKey: ['records', AdCampaign.path, 'report', from, to, touch, filial],
    queryFn: ({ signal }) => api('GET /advertising/report', { query: { from, to, touch, filial } }, { signal }),
    retry: retries,
    refetchInterval: countingEvery,
    placeholderData: (before) => before,
    meta: { live: ['advertising/costs'] },
  })
  const setDay = (name: 'from' | 'to') => (value: string | null) => {
    if (value === null || isDay(value)) setAddress({ [name]: value ?? undefined }, { replace: true })
  }
  const { data } = answer
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          mayCreate && (
            <>
              <CostUpload />
              <ActionButton label="Новая кампания" icon={IconPlus} onClick={() => setAddress({ open: 'new' })} />
            </>
          )
        }
      >
        <HStack wrap gap={8}>
          <DateField aria-label="Период с" w={150} value={from} max={to} onChange={setDay('from')} />
          <DateField aria-label="Период по" w={150} value={to} min={from} onChange={setDay('to')} />
          <SegmentedControl
            aria-label="К чему относить"
            data={Object.entries(touches).map(([value, label]) => ({ value, label }))}
            value={touch}
            onChange={(value) => setAddress({ touch: value === 'last' ? undefined : (value as 'first') })}
          />
          <RefSelect
            aria-label="Филиал"
            placeholder="Все филиалы"
            clearable
            to={Filial.path}
            value={filial ?? null}
            onChange={(id) => setAddress({ filial: id ?? undefined })}
          />
        </HStack>
      </PageHead>
      <VStack gap={12} px="var(--ord-page)" pb="var(--ord-page)" aria-busy={answer.isFetching || undefined}>
        {answer.isError ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : !data ? (
          <LinesSkeleton lines={8} />
        ) : data.run !== undefined ? (
          <CountingRun id={data.run} />
        ) : data.rows.length === 0 ? (
          <EmptyState
            title="Кампаний за период нет"
            text="Добавьте кампанию с её номерами и UTM-метками: обращения, записи и оплаты станут считаться сами."
          />
        ) : (
          <>
            <Tiles total={data.total} />
            <Days days={data.days} />
            <Table rows={data.rows} total={data.total} onOpen={(id) => go({ page: 'adCampaign', params: { id } })} />
            <Fine>
              {touch === 'last'
                ? 'Обращение относится к последнему непрямому касанию за 30 дней до него.'
                : 'Обращение относится к самому первому касанию человека.'}{' '}
              Оплачено за визиты — зачтено за услуги визитов периода.{' '}
              <PageLink page="reportCampaigns" search={{ from, until: to }}>
                Строки за каждым числом
              </PageLink>
            </Fine>
          </>
        )}
      </VStack>
      {open === 'new' && mayCreate && (
        <RegistryPanel
          entity={AdCampaign}
          id="new"
          href="/advertising"
          initial={{ dateFrom: today, status: 'active' }}
          onMade={({ id }) => go({ page: 'adCampaign', params: { id } })}
          onCopy={() => undefined}
          onClose={() => setAddress({ open: undefined })}
        />
      )}
    </>
  )
}

export const romiText = (romi: number | null) =>
  romi === null ? (
    <Muted>—</Muted>
  ) : (
    <span className={romi < 0 ? classes.bad : classes.good}>{`${romi > 0 ? '+' : ''}${formatNumber(romi, 0)} %`}</span>
  )

const Tiles = ({ total }: { total: CampaignFigures }) => (
  <FigureTiles
    label="Итоги периода"
    tiles={[
      {
        label: 'Потрачено',
        value: formatMoney(total.spend),
        note: total.budget ? `бюджет ${formatMoney(total.budget)}` : '',
      },
      {
        label: named('appeals'),
        value: formatNumber(total.appeals),
        note: total.cpl === null ? '' : `${named('cpl')} ${formatMoney(total.cpl)}`,
      },
      {
        label: named('newcomers'),
        value: formatNumber(total.newPatients),
        note: total.cac === null ? '' : `${named('cac')} ${formatMoney(total.cac)}`,
      },
      { label: named('paid'), value: formatMoney(total.paid), note: `визитов ${formatNumber(total.visits)}` },
      { label: named('romi'), value: romiText(total.romi), note: 'по рекламе' },
    ]}
  />
)

type DayFact = Answer<'GET /advertising/report'>['days'][number]

/** Chart by day: columns of spending, dots of appeals. */
function Days({ days }: { days: readonly DayFact[] }) {
  const most = Math.max(1, ...days.map(({ spend }) => spend))
  const mostAppeals = Math.max(1, ...days.map(({ appeals }) => appeals))
  if (days.length < 2) return null
  return (
    <figure className={classes.days}>
      <figcaption>
        <span data-of="spend">Расход</span>
        <span data-of="appeals">Обращения по рекламе</span>
      </figcaption>
      <Picture
        className={classes.bars}
        table={{
          label: 'Расход и обращения по дням',
          head: ['День', 'Расход', 'Обращения по рекламе'],
          rows: days.map(({ day: at, spend, appeals }) => [formatDay(at), formatMoney(spend), formatNumber(appeals)]),
        }}
      >
        {days.map(({ day: at, spend, appeals }) => (
          <span
            key={at}
            className={classes.bar}
            title={`${at.split('-').reverse().join('.')}: ${formatMoney(spend)}, обращений ${appeals}`}
          >
            <i style={{ height: `${(100 * spend) / most}%` }} />
            <b style={{ bottom: `${(88 * appeals) / mostAppeals}%` }} />
          </span>
        ))}
      </Picture>
    </figure>
  )
}

const colors: Record<CampaignStatus, string> = { draft: 'gray', active: 'teal', paused: 'yellow', done: 'dark' }

interface TableProps {
  rows: readonly CampaignFigures[]
  total: CampaignFigures
  onOpen: (id: number) => void
}

function Table({ rows, total, onOpen }: TableProps) {
  const count = (key: 'clicks' | 'appeals' | 'bookings' | 'visits' | 'newPatients') => (row: CampaignFigures) =>
    row[key] ? formatNumber(row[key]) : <Muted>—</Muted>
  const money =
    (key: 'spend' | 'paid' | 'cpl' | 'cac', digits = 0) =>
    (row: CampaignFigures) =>
      row[key] ? formatNumber(row[key], digits) : <Muted>—</Muted>
  const of = (cell: (row: CampaignFigures) => React.ReactNode) => ({ cell, total: cell(total) })
  const columns: MatrixColumn<CampaignFigures>[] = [
    {
      key: 'name',
      label: 'Кампания',
      cell: ({ name, channel, status, idCampaign }) => (
        <>
          {idCampaign === null ? (
            name
          ) : (
            <button type="button" className={classes.name} onClick={() => onOpen(idCampaign)}>
              {name}
            </button>
          )}
          {channel && status && (
            <HStack gap={6} component="span" display="flex">
              <Fine component="span">{adChannels[channel as keyof typeof adChannels]}</Fine>
              {status !== 'active' && (
                <Badge size="xs" variant="light" color={colors[status as CampaignStatus]}>
                  {campaignStatuses[status as CampaignStatus]}
                </Badge>
              )}
            </HStack>
          )}
        </>
      ),
      total: 'Итого',
    },
    { key: 'spend', label: 'Расход, ₽', ...of(money('spend')) },
    { key: 'clicks', label: 'Клики', ...of(count('clicks')) },
    { key: 'appeals', label: named('appeals'), hint: hinted('appeals'), ...of(count('appeals')) },
    { key: 'bookings', label: named('bookings'), hint: hinted('bookings'), ...of(count('bookings')) },
    { key: 'visits', label: 'Визиты', ...of(count('visits')) },
    { key: 'newPatients', label: named('newcomers'), hint: hinted('newcomers'), ...of(count('newPatients')) },
    { key: 'paid', label: `${named('paid')}, ₽`, hint: hinted('paid'), ...of(money('paid')) },
    { key: 'cpl', label: `${named('cpl')}, ₽`, hint: hinted('cpl'), ...of(money('cpl')) },
    { key: 'cac', label: `${named('cac')}, ₽`, hint: hinted('cac'), ...of(money('cac')) },
    {
      key: 'romi',
      label: named('romi'),
      hint: hinted('romi'),
      cell: ({ romi }) => romiText(romi),
      total: romiText(total.romi),
    },
  ]
  return (
    <Matrix
      label="Рекламные кампании"
      columns={columns}
      rows={rows}
      keyOf={({ idCampaign }) => idCampaign ?? 0}
      kindOf={({ idCampaign }) => (idCampaign === null ? 'muted' : undefined)}
      totals
    />
  )
}
