import '@mantine/charts/styles.layer.css'
import { LineChart } from '@mantine/charts'
import { Select, Skeleton } from '@mantine/core'
import { rejectReasons } from '@ordinator/model/areas/laboratory/states'
import { formatMoney, formatNumber, plural } from '@ordinator/model/format'
import { type PageKey, pageAllowed, pageByKey } from '@ordinator/model/pages'
import { plusDays } from '@ordinator/model/zone'
import { useQuery } from '@tanstack/react-query'
import { CountingRun, countingEvery } from '#areas/reports/index.ts'
import { useAddress } from '#base/address.ts'
import { between } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import type { Search } from '#base/redirect.ts'
import { useActor } from '#base/session.ts'
import { formatDate, today } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { noTabStops, Picture } from '#kit/Picture.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { retries } from '#records/reads.ts'
import sharedClasses from './Laboratory.module.css'
import classes from './OverviewPage.module.css'
import { labKey, useNow } from './reads.ts'
import { TableFrame } from './words.tsx'

/** What a figure counts: the same for any number, or for one, two and five. */
type Words = string | readonly [string, string, string]

const page = pageByKey('laboratory')
const periods = { 7: 'Неделя', 30: '30 дней', 90: '90 дней' } as const
const readAddress = (search: Search) => ({ days: between(search.days, 1, 366) })

/** Лаборатория: pending work and quality figures. */
export default function OverviewPage() {
  const [{ days = 30 }, setAddress] = useAddress(readAddress)
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          <Select
            aria-label="Период показателей"
            w={140}
            data={Object.entries(periods).map(([value, label]) => ({ value, label }))}
            value={String(days)}
            allowDeselect={false}
            onChange={(value) => setAddress({ days: value === '30' ? undefined : Number(value) })}
          />
        }
      />
      <div className={sharedClasses.body}>
        <Waiting />
        <Figures days={days} />
        <Reports />
      </div>
    </>
  )
}

function Waiting() {
  const now = useNow()
  if (now.isError) return <ErrorState error={now.error} onRetry={() => void now.refetch()} />
  const { data } = now
  const tiles: readonly (readonly [number | undefined, Words, PageKey, Search?, boolean?])[] = [
    [
      data?.critical,
      ['критический без звонка', 'критических без звонка', 'критических без звонка'],
      'labResults',
      {},
      true,
    ],
    [data?.late, ['заказ просрочен', 'заказа просрочено', 'заказов просрочено'], 'labOrders', { late: true }, true],
    [data?.toTake, ['пробу взять', 'пробы взять', 'проб взять'], 'labSamples', { step: 'take' }],
    [data?.retakes, 'взять повторно', 'labSamples', { step: 'take' }, true],
    [data?.toPack, 'взято, ждёт отправки', 'labSamples', { step: 'pack' }],
    [data?.onTheWay, ['проба в пути', 'пробы в пути', 'проб в пути'], 'labSamples', { step: 'receive' }],
    [data?.toEnter, ['значение ввести', 'значения ввести', 'значений ввести'], 'labResults', { stage: 'enter' }],
    [
      data?.toConfirm,
      ['значение подтвердить', 'значения подтвердить', 'значений подтвердить'],
      'labResults',
      { stage: 'medical' },
    ],
    [data?.strays, 'не разобрано', 'labDevices', {}, true],
    [data?.heldControls, ['контроль не принят', 'контроля не принято', 'контролей не принято'], 'labQuality', {}, true],
  ]
  return (
    <nav className={classes.tiles} aria-label="Что ждёт сейчас">
      {tiles.map(([count, words, to, search, bad]) => (
        <PageLink
          key={String(words)}
          page={to as 'labOrders'}
          search={search ?? {}}
          className={classes.tile}
          data-none={count === 0 || undefined}
          data-tone={bad && count ? 'bad' : undefined}
        >
          <strong>{count === undefined ? '…' : formatNumber(count)}</strong>
          <span>{typeof words === 'string' ? words : plural(count ?? 0, words)}</span>
        </PageLink>
      ))}
    </nav>
  )
}

/** Reports behind the figures. */
function Reports() {
  const actor = useActor()
  const open = (['reportLabTerms', 'reportLabRejects', 'reportLabMargin'] as const).filter((key) =>
    pageAllowed(pageByKey(key), actor),
  )
  if (open.length === 0) return null
  return (
    <HStack component="nav" wrap gap="6px 20px" aria-label="Отчёты лаборатории">
      {open.map((key) => (
        <PageLink key={key} page={key} className="link">
          {pageByKey(key).title}
        </PageLink>
      ))}
    </HStack>
  )
}

const hours = (value: number | null): string => (value === null ? '—' : `${formatNumber(value, 1)} ч`)
const percent = (value: number | null): string => (value === null ? '—' : `${formatNumber(value, 1)} %`)

function Figures({ days }: { days: number }) {
  const to = today()
  const from = plusDays(to, 1 - days)
  const answer = useQuery({
    queryKey: [labKey, 'figures', from, to],
    queryFn: ({ signal }) => api('GET /laboratory/figures', { query: { from, to } }, { signal }),
    retry: retries,
    refetchInterval: countingEvery,
    placeholderData: (before) => before,
  })
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  const { data } = answer
  if (!data) return <Skeleton h={300} />
  if (data.run !== undefined) return <CountingRun id={data.run} />
  const facts: readonly (readonly [string, string])[] = [
    ['Заказов', formatNumber(data.orders)],
    ['Исследований', formatNumber(data.tests)],
    ['Срок: медиана', hours(data.tatMedian)],
    ['Срок: 90 %', hours(data.tatP90)],
    ['В срок', percent(data.inTerm)],
    ['Брак проб', percent(data.rejectShare)],
    ['Стоимость', formatMoney(data.revenue)],
    ['Себестоимость', formatMoney(data.cost)],
    ['Маржа', formatMoney(data.margin)],
  ]
  return (
    <>
      <dl className={sharedClasses.facts} aria-label="Показатели за период">
        {facts.map(([label, value]) => (
          <div key={label} className={sharedClasses.fact}>
            <dt>{label}</dt>
            <dd className="tabular">{value}</dd>
          </div>
        ))}
      </dl>
      <section className={sharedClasses.panel} aria-label="Срок выполнения по дням">
        <h2 className={sharedClasses.panelTitle}>Срок выполнения по дням, медиана, ч</h2>
        {data.byDay.length > 1 ? (
          <Picture
            table={{
              label: 'Медиана срока по дням, часов',
              head: ['День', 'Медиана'],
              rows: data.byDay.map(({ day, tatMedian }) => [
                formatDate(day),
                tatMedian === null ? '—' : String(tatMedian),
              ]),
            }}
          >
            <LineChart
              lineChartProps={noTabStops}
              h={200}
              data={data.byDay.map(({ day, tatMedian }) => ({ day: formatDate(day).slice(0, 5), Медиана: tatMedian }))}
              dataKey="day"
              series={[{ name: 'Медиана', color: 'blue.6' }]}
              curveType="linear"
              withDots={data.byDay.length < 40}
              lineProps={{ isAnimationActive: false }}
            />
          </Picture>
        ) : (
          <Muted>За этот период готовых исследований ещё мало.</Muted>
        )}
      </section>
      <div className={sharedClasses.two}>
        <section className={sharedClasses.panel}>
          <h2 className={sharedClasses.panelTitle}>По лабораториям</h2>
          <TableFrame label="По лабораториям: таблица">
            <table className={sharedClasses.table}>
              <thead>
                <tr>
                  <th>Лаборатория</th>
                  <th className={sharedClasses.number}>Иссл.</th>
                  <th className={sharedClasses.number}>Медиана</th>
                  <th className={sharedClasses.number}>В срок</th>
                  <th className={sharedClasses.number}>Маржа</th>
                </tr>
              </thead>
              <tbody>
                {data.byLaboratory.map((one) => (
                  <tr key={one.idLaboratory}>
                    <td>{one.name}</td>
                    <td className={sharedClasses.number}>{formatNumber(one.tests)}</td>
                    <td className={sharedClasses.number}>{hours(one.tatMedian)}</td>
                    <td className={sharedClasses.number}>{percent(one.inTerm)}</td>
                    <td className={sharedClasses.number}>{formatMoney(one.margin)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableFrame>
        </section>
        <section className={sharedClasses.panel}>
          <h2 className={sharedClasses.panelTitle}>Брак проб по причинам</h2>
          {data.byReason.length ? (
            <table className={sharedClasses.table}>
              <thead>
                <tr>
                  <th>Причина</th>
                  <th className={sharedClasses.number}>Проб</th>
                  <th className={sharedClasses.number}>Доля взятых</th>
                </tr>
              </thead>
              <tbody>
                {data.byReason.map(({ reason, count }) => (
                  <tr key={reason}>
                    <td>{rejectReasons[reason]}</td>
                    <td className={sharedClasses.number}>{formatNumber(count)}</td>
                    <td className={sharedClasses.number}>
                      {percent(data.samples ? (100 * count) / data.samples : null)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          ) : (
            <Muted>Забракованных проб за период нет.</Muted>
          )}
        </section>
      </div>
    </>
  )
}
