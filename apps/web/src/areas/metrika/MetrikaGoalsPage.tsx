import '@mantine/charts/styles.layer.css'
import { LineChart } from '@mantine/charts'
import { Alert, SegmentedControl, Select } from '@mantine/core'
import type { MetrikaFigures, MetrikaReport } from '@ordinator/model/areas/metrika/calls'
import { MetrikaCounter, metrikaGroups } from '@ordinator/model/areas/metrika/metrika'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { plusDays } from '@ordinator/model/zone'
import { IconChartDots, IconRefresh, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CountingRun, countingEvery } from '#areas/reports/index.ts'
import { useAddress } from '#base/address.ts'
import { day, id, word } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import type { Search } from '#base/redirect.ts'
import { useActor } from '#base/session.ts'
import { WayTo } from '#base/WayTo.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatTime, today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { isDay } from '#kit/dateText.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FigureTiles } from '#kit/FigureTiles.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { noTabStops, Picture } from '#kit/Picture.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { retries, useList } from '#records/reads.ts'
import { FamilyTabs } from '#records/registry/FamilyTabs.tsx'
import classes from './Metrika.module.css'
import { UploadDialog } from './UploadDialog.tsx'

const page = pageByKey('metrikaGoals')
const DAYS = 30

interface Address {
  from?: string | undefined
  to?: string | undefined
  by?: keyof typeof metrikaGroups | undefined
  counter?: number | undefined
}
const read = (search: Search): Address => ({
  from: day(search.from),
  to: day(search.to),
  by: word(metrikaGroups, search.by),
  counter: id(search.counter),
})

const columns = [
  ['visits', 'Визиты', formatNumber],
  ['reaches', 'Цели', formatNumber],
  ['appeals', 'Заявки', formatNumber],
  ['appointments', 'Записи', formatNumber],
  ['came', 'Пришли', formatNumber],
  ['paid', 'Оплачено', formatMoney],
] as const

/** Цели Метрики: data of the counter, and the clinic's results. */
export default function MetrikaGoalsPage() {
  const [address, setAddress] = useAddress(read)
  const may = useActor().permissions.mainSettings
  const [uploading, setUploading] = useState(false)
  const to = address.to ?? today()
  const from = address.from ?? plusDays(to, 1 - DAYS)
  const by = address.by ?? 'day'
  const counters = useList(MetrikaCounter, { sort: 'name', limit: 100 })
  const found = useQuery({
    queryKey: ['metrika', 'report', from, to, by, address.counter],
    queryFn: ({ signal }) =>
      api(
        'GET /metrika/report',
        { query: { from, to, by, ...(address.counter && { idCounter: address.counter }) } },
        { signal },
      ),
    retry: retries,
    refetchInterval: countingEvery,
    placeholderData: (before) => before,
    staleTime: 60_000,
  })
  const setDay = (name: 'from' | 'to') => (value: string | null) => {
    if (value === null || isDay(value)) setAddress({ [name]: value ?? undefined }, { replace: true })
  }
  const report = found.data
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          may && (
            <ActionButton
              label="Отправить события…"
              icon={IconSend}
              variant="default"
              disabled={!counters.data?.items.length}
              onClick={() => setUploading(true)}
            />
          )
        }
      >
        <FamilyTabs page={page} />
        <HStack wrap align="end">
          <DateField aria-label="Период с" w={150} value={from} max={to} onChange={setDay('from')} />
          <DateField aria-label="Период по" w={150} value={to} min={from} onChange={setDay('to')} />
          <div className={classes.ways}>
            <SegmentedControl
              aria-label="Разрез"
              data={Object.entries(metrikaGroups).map(([value, label]) => ({ value, label }))}
              value={by}
              onChange={(value) => setAddress({ by: value as typeof by }, { replace: true })}
            />
          </div>
          {(counters.data?.items.length ?? 0) > 1 && (
            <Select
              aria-label="Счётчик"
              placeholder="Все счётчики"
              clearable
              data={counters.data?.items.map(({ id: value, name }) => ({ value: String(value), label: name })) ?? []}
              value={address.counter ? String(address.counter) : null}
              onChange={(value) => setAddress({ counter: value ? Number(value) : undefined }, { replace: true })}
            />
          )}
        </HStack>
      </PageHead>
      <VStack gap={16} px="var(--ord-page)" pb="var(--ord-page)" aria-busy={found.isFetching || undefined}>
        {found.isError && !report ? (
          <ErrorState title="Отчёт не загрузился" error={found.error} onRetry={() => void found.refetch()} />
        ) : !report ? (
          <LinesSkeleton lines={10} />
        ) : report.run !== undefined ? (
          <CountingRun id={report.run} />
        ) : (
          <>
            {counters.data?.items.length === 0 ? (
              <EmptyState
                title="Счётчик не подключён"
                text="Визитов и целей сайта пока не видно: добавьте номер и ключ счётчика. Цепочка клиники ниже полная."
                action={<WayTo page="metrikaCounters" label="Подключить счётчик" />}
              />
            ) : (
              report.trouble && (
                <Alert color="yellow" variant="light" role="alert" title="Метрика не ответила">
                  {report.trouble}. Визитов и целей ниже нет, цепочка клиники полная.
                </Alert>
              )
            )}
            <Funnel total={report.total} />
            {by === 'day' && report.rows.length > 1 && <Chart rows={report.rows} />}
            <Table report={report} by={by} />
            <HStack wrap>
              <Fine>
                {report.asked ? `Метрика ответила в ${formatTime(report.asked)}.` : ''} Заявки, записи, приход и оплаты
                — по источнику заявки, за 90 дней после неё.
                {report.unmarked > 0 && ` Заявок без метки источника: ${formatNumber(report.unmarked)}.`}
              </Fine>
              <ActionButton
                label="Обновить"
                icon={IconRefresh}
                size="compact-sm"
                variant="subtle"
                loading={found.isFetching}
                onClick={() => void found.refetch()}
              />
            </HStack>
          </>
        )}
      </VStack>
      {uploading && <UploadDialog from={from} to={to} onClose={() => setUploading(false)} />}
    </>
  )
}

/** Funnel from visit to payment, with conversion rates. */
function Funnel({ total }: { total: MetrikaFigures }) {
  const steps: [string, number, number | undefined][] = [
    ['Визиты на сайт', total.visits, undefined],
    ['Достижения целей', total.reaches, total.visits],
    ['Заявки', total.appeals, total.visits],
    ['Записи', total.appointments, total.appeals],
    ['Пришли', total.came, total.appointments],
  ]
  return (
    <FigureTiles
      tiles={[
        ...steps.map(([label, value, of]) => ({
          label,
          value: formatNumber(value),
          note: of ? `${formatNumber((100 * value) / of, 1)} % от предыдущего` : '',
        })),
        {
          label: 'Оплачено',
          value: formatMoney(total.paid),
          note: total.appeals ? `${formatMoney(total.paid / total.appeals)} на заявку` : '',
        },
      ]}
    />
  )
}

function Chart({ rows }: { rows: MetrikaReport['rows'] }) {
  const data = rows
    .toReversed()
    .map(({ label, visits, reaches, appeals }) => ({ label: label.slice(0, 5), visits, reaches, appeals }))
  return (
    <Block framed p={16}>
      <Picture table="beside">
        <LineChart
          lineChartProps={noTabStops}
          h={240}
          data={data}
          dataKey="label"
          withLegend
          withDots={data.length < 40}
          curveType="monotone"
          xAxisProps={{ padding: { left: 16, right: 16 } }}
          series={[
            { name: 'visits', label: 'Визиты', color: 'blue.6' },
            { name: 'reaches', label: 'Цели', color: 'teal.6' },
            { name: 'appeals', label: 'Заявки', color: 'orange.6' },
          ]}
        />
      </Picture>
    </Block>
  )
}

function Table({ report, by }: { report: MetrikaReport; by: keyof typeof metrikaGroups }) {
  if (report.rows.length === 0)
    return <EmptyState icon={IconChartDots} title="За период ничего нет" text="Выберите другой период или счётчик." />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by the keys
    <section className={classes.scroll} tabIndex={0} aria-label={`Цели Метрики: ${metrikaGroups[by].toLowerCase()}`}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{{ day: 'День', source: 'Источник', campaign: 'Кампания', goal: 'Цель' }[by]}</th>
            {columns.map(([key, label]) => (
              <th key={key} scope="col" data-right>
                {label}
              </th>
            ))}
            <th scope="col" data-right>
              Конверсия
            </th>
          </tr>
        </thead>
        <tbody>
          {report.rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{row.label}</th>
              {columns.map(([key, , format]) => (
                <td key={key} data-right data-none={row[key] === 0 || undefined}>
                  {format(row[key])}
                </td>
              ))}
              <td data-right>{row.visits ? `${formatNumber((100 * row.reaches) / row.visits, 1)} %` : '—'}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Всего</th>
            {columns.map(([key, , format]) => (
              <td key={key} data-right>
                {format(report.total[key])}
              </td>
            ))}
            <td data-right>
              {report.total.visits ? `${formatNumber((100 * report.total.reaches) / report.total.visits, 1)} %` : '—'}
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}
