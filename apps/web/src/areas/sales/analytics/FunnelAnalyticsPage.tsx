import { Select } from '@mantine/core'
import type { FunnelFigures, Figure as Sum } from '@ordinator/model/areas/sales/analyticsCalls'
import { Funnel } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { formatMoney, formatSpan } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { CountingRun, countingEvery } from '#areas/reports/index.ts'
import { useAddress } from '#base/address.ts'
import { day, id } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import type { Search } from '#base/redirect.ts'
import { WayTo } from '#base/WayTo.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { DateField } from '#kit/DateField.tsx'
import { isDay } from '#kit/dateText.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FigureTiles } from '#kit/FigureTiles.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { retries, useList } from '#records/reads.ts'
import { FamilyTabs } from '#records/registry/FamilyTabs.tsx'
import classes from './Analytics.module.css'
import { DealsPanel } from './DealsPanel.tsx'
import { Figure } from './Figure.tsx'
import { type FigureColumn, FigureTable } from './FigureTable.tsx'
import { monthText, shareText } from './figures.ts'

const page = pageByKey('funnelAnalytics')

interface Address {
  funnel?: number
  dateStart?: string
  dateEnd?: string
}
const read = (search: Search): Address => ({
  funnel: id(search.funnel),
  dateStart: day(search.dateStart),
  dateEnd: day(search.dateEnd),
})

/** Analytics of a funnel: inflow, stages, wins, losses with reasons. */
export default function FunnelAnalyticsPage() {
  const [address, setAddress] = useAddress(read)
  const funnels = useList(Funnel, { sort: 'order', limit: 200 })
  const idFunnel = address.funnel ?? funnels.data?.items[0]?.id
  const { dateStart, dateEnd } = address
  const found = useQuery({
    queryKey: ['funnelAnalytics', idFunnel, dateStart, dateEnd],
    queryFn: ({ signal }) =>
      api(
        'GET /sales-management/funnels/:id/analytics',
        { params: { id: idFunnel as number }, query: { dateStart, dateEnd } },
        { signal },
      ),
    enabled: idFunnel !== undefined,
    retry: retries,
    refetchInterval: countingEvery,
    placeholderData: (before) => before,
    meta: { live: [Lead.path] },
  })
  const setDay = (name: 'dateStart' | 'dateEnd') => (value: string | null) => {
    if (value === null || isDay(value)) setAddress({ [name]: value ?? undefined }, { replace: true })
  }
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          <ActionButton
            label="К сделкам"
            variant="default"
            icon={IconArrowLeft}
            renderRoot={(props) => <PageLink {...props} page="deals" search={{ funnel: idFunnel || undefined }} />}
          />
        }
      >
        <FamilyTabs page={page} />
        <HStack align="end" wrap>
          <Select
            aria-label="Воронка"
            data={(funnels.data?.items ?? []).map(({ id: value, name }) => ({ value: String(value), label: name }))}
            value={idFunnel === undefined ? null : String(idFunnel)}
            onChange={(value) => setAddress({ funnel: Number(value) })}
          />
          <DateField
            aria-label="Период с"
            w={150}
            value={dateStart ?? found.data?.dateStart}
            max={dateEnd}
            onChange={setDay('dateStart')}
          />
          <DateField
            aria-label="Период по"
            w={150}
            value={dateEnd ?? found.data?.dateEnd}
            min={dateStart}
            onChange={setDay('dateEnd')}
          />
        </HStack>
      </PageHead>
      <div className={classes.page} aria-busy={found.isFetching || undefined}>
        {found.data?.run !== undefined ? (
          <div className={classes.wide}>
            <CountingRun id={found.data.run} />
          </div>
        ) : found.data ? (
          <Figures figures={found.data} />
        ) : found.isError ? (
          <div className={classes.wide}>
            <ErrorState title="Аналитика не загрузилась" error={found.error} onRetry={() => void found.refetch()} />
          </div>
        ) : funnels.isSuccess && funnels.data.items.length === 0 ? (
          <div className={classes.wide}>
            <EmptyState
              title="Воронок нет"
              text="Создайте воронку, и здесь появятся её показатели."
              action={<WayTo page="funnels" label="К воронкам" />}
            />
          </div>
        ) : (
          <div className={classes.wide}>
            <LinesSkeleton lines={8} />
          </div>
        )}
      </div>
      <DealsPanel />
    </>
  )
}

function Figures({ figures }: { figures: FunnelFigures }) {
  const tiles = [
    ['Создано за период', figures.created],
    ['В работе сейчас', figures.open],
    ['Успешно за период', figures.won],
    ['Отказов за период', figures.lost],
  ] as const
  return (
    <>
      <div className={classes.wide}>
        <FigureTiles
          tiles={tiles.map(([label, figure]) => ({
            label,
            value: <Figure {...figure} title={label} />,
            note: <span className="tabular">{formatMoney(figure.sum)}</span>,
          }))}
        />
      </div>
      <div className={classes.wide}>
        <FigureTable
          title="Воронка"
          help="Сделки, созданные за период: сколько пришло на этап и сколько прошло дальше"
          rows={figures.stages}
          keyOf={({ idStage }) => idStage}
          bar={{ of: ({ entered }) => entered.count, color: ({ color }) => color }}
          empty="У воронки нет этапов"
          columns={stageColumns}
        />
      </div>
      <FigureTable
        title="Причины отказов"
        help="Сделки, закрытые отказом за период"
        rows={figures.lossReasons}
        keyOf={({ idLossReason }) => idLossReason ?? 0}
        bar={{ of: ({ count }) => count, color: () => 'var(--mantine-color-red-6)' }}
        empty="Отказов не было"
        columns={[
          { label: 'Причина', text: ({ name }) => name ?? 'Не указана' },
          ...sumColumns<FunnelFigures['lossReasons'][number]>(({ name }) => `Отказ: ${name ?? 'не указана'}`),
        ]}
      />
      <FigureTable
        title="Прогноз"
        help="Открытые сделки по ожидаемой дате"
        rows={figures.forecast}
        keyOf={({ month }) => month ?? ''}
        bar={{ of: ({ sum }) => sum }}
        empty="Открытых сделок нет"
        columns={[
          { label: 'Месяц', text: ({ month }) => monthText(month) },
          ...sumColumns<FunnelFigures['forecast'][number]>(({ month }) => `Ожидаются: ${monthText(month)}`),
        ]}
      />
      <FigureTable
        title="Ответственные"
        help="Созданные за период; сделка двух ответственных считается у обоих"
        rows={figures.responsible}
        keyOf={({ idUser }) => idUser ?? 0}
        bar={{ of: ({ sum }) => sum }}
        empty="Сделок не было"
        columns={groupColumns<FunnelFigures['responsible'][number]>('Сотрудник', 'Без ответственного')}
      />
      <FigureTable
        title="Источники"
        help="Созданные за период"
        rows={figures.sources}
        keyOf={({ idSource }) => idSource ?? 0}
        bar={{ of: ({ sum }) => sum }}
        empty="Сделок не было"
        columns={groupColumns<FunnelFigures['sources'][number]>('Источник', 'Без источника')}
      />
    </>
  )
}

type StageFigures = FunnelFigures['stages'][number]

const stageColumns: readonly FigureColumn<StageFigures>[] = [
  { label: 'Этап', text: ({ name }) => name },
  {
    label: 'Пришло',
    right: true,
    text: ({ entered }) => entered.count,
    cell: ({ name, entered }) => <Figure {...entered} title={`Пришли на этап «${name}»`} />,
  },
  {
    label: 'Прошло дальше',
    right: true,
    text: ({ passed }) => passed.count,
    cell: ({ name, passed }) => <Figure {...passed} title={`Прошли этап «${name}»`} />,
  },
  {
    label: 'Конверсия',
    right: true,
    text: ({ conversion }) => conversion,
    cell: ({ conversion }) => shareText(conversion),
  },
  {
    label: 'Отказов',
    right: true,
    text: ({ lost }) => lost.count,
    cell: ({ name, lost }) => <Figure {...lost} title={`Отказы на этапе «${name}»`} />,
  },
  {
    label: 'Время: медиана',
    right: true,
    text: ({ medianSeconds }) => formatSpan(medianSeconds),
  },
  { label: 'Среднее', right: true, text: ({ meanSeconds }) => formatSpan(meanSeconds) },
  {
    label: 'Сейчас',
    right: true,
    text: ({ now }) => now.count,
    cell: ({ name, now }) => <Figure {...now} title={`Сейчас на этапе «${name}»`} />,
  },
  {
    label: 'На сумму',
    right: true,
    text: ({ now }) => now.sum,
    cell: ({ now }) => formatMoney(now.sum),
  },
]

function sumColumns<T extends Sum>(title: (row: T) => string): FigureColumn<T>[] {
  return [
    {
      label: 'Сделок',
      right: true,
      text: ({ count }) => count,
      cell: (row) => <Figure filter={row.filter} count={row.count} title={title(row)} />,
    },
    { label: 'Сумма', right: true, text: ({ sum }) => sum, cell: ({ sum }) => formatMoney(sum) },
  ]
}

function groupColumns<T extends FunnelFigures['sources'][number] | FunnelFigures['responsible'][number]>(
  label: string,
  none: string,
): FigureColumn<T>[] {
  const nameOf = ({ name }: T) => name ?? none
  return [
    { label, text: nameOf },
    ...sumColumns<T>(nameOf),
    {
      label: 'Успешно',
      right: true,
      text: ({ won }) => won.count,
      cell: (row) => <Figure {...row.won} title={`${nameOf(row)}, успешно`} />,
    },
    {
      label: 'Отказов',
      right: true,
      text: ({ lost }) => lost.count,
      cell: (row) => <Figure {...row.lost} title={`${nameOf(row)}, отказы`} />,
    },
    {
      label: 'Доля успеха',
      right: true,
      text: ({ wonShare }) => wonShare,
      cell: ({ wonShare }) => shareText(wonShare),
    },
  ]
}
