import { Tabs, VisuallyHidden } from '@mantine/core'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { indicators } from '@ordinator/model/areas/kpi/indicators'
import { KpiPlan } from '@ordinator/model/areas/kpi/kpi'
import { units } from '@ordinator/model/areas/kpi/score'
import { User } from '@ordinator/model/areas/staff/user'
import { formatDay, formatMonth, formatNumber } from '@ordinator/model/format'
import { howCounted, measureAt } from '@ordinator/model/measures'
import { pageByKey } from '@ordinator/model/pages'
import { useQuery } from '@tanstack/react-query'
import { useAddress } from '#base/address.ts'
import { id as idOf, word } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import type { Search } from '#base/redirect.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { today } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { Matrix, type MatrixColumn } from '#kit/Matrix.tsx'
import { MonthField } from '#kit/MonthField.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { retries } from '#records/reads.ts'
import { FamilyTabs } from '#records/registry/FamilyTabs.tsx'
import classes from './Kpi.module.css'
import { type Figure, KpiTile, Light, valueText } from './KpiTile.tsx'

const page = pageByKey('kpiAnalysis')
const tabs = { figures: 'Показатели', people: 'Сотрудники' } as const

const read = (search: Search) => ({
  month: typeof search.month === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(search.month) ? search.month : undefined,
  filial: idOf(search.filial),
  user: idOf(search.user),
  tab: word(tabs, search.tab),
})

/** KPI-анализ: values and plans of the clinic, a branch or a person, and scores. */
export default function KpiAnalysisPage() {
  const [{ month = today().slice(0, 7), filial, user, tab = 'figures' }, setAddress] = useAddress(read)
  const mayPlan = useCan('create', KpiPlan)
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          mayPlan && (
            <ActionButton
              label="Назначить план"
              variant="default"
              renderRoot={(props) => <PageLink {...props} page="kpiPlans" search={{ open: 'new' }} />}
            />
          )
        }
      >
        <FamilyTabs page={page} />
        <HStack wrap gap={8}>
          <MonthField label="Месяц" value={month} onChange={(next) => setAddress({ month: next }, { replace: true })} />
          <RefSelect
            aria-label="Филиал"
            placeholder="Вся клиника"
            clearable
            to={Filial.path}
            value={filial ?? null}
            onChange={(id) => setAddress({ filial: id ?? undefined })}
          />
          {tab === 'figures' && (
            <RefSelect
              aria-label="Сотрудник"
              placeholder="Все сотрудники"
              clearable
              to={User.path}
              value={user ?? null}
              onChange={(id) => setAddress({ user: id ?? undefined })}
            />
          )}
        </HStack>
      </PageHead>
      <Tabs
        px="var(--ord-page)"
        pb="var(--ord-page)"
        value={tab}
        onChange={(next) => setAddress({ tab: next === 'figures' ? undefined : (next as 'people') })}
        keepMounted={false}
      >
        <Tabs.List>
          {Object.entries(tabs).map(([key, label]) => (
            <Tabs.Tab key={key} value={key}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="figures" pt={12}>
          <Figures month={month} filial={filial} user={user} />
        </Tabs.Panel>
        <Tabs.Panel value="people" pt={12}>
          <People month={month} filial={filial} onOpen={(id) => setAddress({ user: id, tab: undefined })} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

const noPlans = {
  title: 'Показателей пока нет',
  text: 'Заведите показатели с формулами, затем назначьте планы: появятся процент, балл и цвет.',
} as const

function Figures({ month, filial, user }: { month: string; filial?: number; user?: number }) {
  const answer = useQuery({
    queryKey: ['records', 'kpi/plans', 'analysis', month, filial, user],
    queryFn: ({ signal }) => api('GET /reports/kpi-analysis', { query: { month, filial, user } }, { signal }),
    retry: retries,
    placeholderData: (before) => before,
    meta: { live: ['kpi/definitions'] },
  })
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <LinesSkeleton lines={10} />
  const { figures, score, counts, trend, ...span } = answer.data
  if (figures.length === 0) return <EmptyState {...noPlans} />
  const columns: MatrixColumn<Figure>[] = [
    {
      key: 'name',
      label: 'Показатель',
      cell: ({ name, formula }) => (
        <>
          <span>{name}</span>
          <Fine component="span" display="block">
            {formula}
          </Fine>
        </>
      ),
    },
    {
      key: 'plan',
      label: 'План',
      cell: ({ plan, planNow, unit }) => (
        <>
          {valueText(plan, unit)}
          {planNow !== plan && (
            <Fine component="span" display="block">
              на сейчас {valueText(planNow, unit)}
            </Fine>
          )}
        </>
      ),
    },
    {
      key: 'fact',
      label: 'Факт',
      cell: ({ fact, now, unit }) => (
        <>
          <b>{valueText(fact, unit)}</b>
          {now !== null && (
            <Fine component="span" display="block" title="Исправлено после того, как месяц зафиксирован">
              сейчас {valueText(now, unit)}
            </Fine>
          )}
        </>
      ),
    },
    { key: 'percent', label: 'Выполнение', cell: (figure) => <Light figure={figure} /> },
    { key: 'before', label: 'Прошлый месяц', cell: ({ before, unit }) => valueText(before, unit) },
    {
      key: 'trend',
      label: 'Полгода',
      left: true,
      cell: ({ idKpi, unit }) => (
        <Spark
          months={trend.map(({ month: at, values }) => ({ month: at, value: values[String(idKpi)] ?? null }))}
          unit={units[unit as keyof typeof units] ?? ''}
        />
      ),
    },
  ]
  const planned = figures.filter(({ plan }) => plan !== null)
  return (
    <VStack gap={12} aria-busy={answer.isFetching || undefined}>
      {planned.length > 0 && (
        <div className={classes.tiles}>
          {score !== null && (
            <div className={classes.tile} data-light={score >= 1 ? 'green' : score < 0.8 ? 'red' : 'yellow'}>
              <span>Балл</span>
              <b className="tabular">{formatNumber(Math.round(score * 100))} %</b>
              <Fine component="span">по весам показателей</Fine>
            </div>
          )}
          {planned.map((figure) => (
            <KpiTile key={figure.idKpi} figure={figure} />
          ))}
        </div>
      )}
      <Fine>{spanWords(month, span)}</Fine>
      <Matrix label="Показатели" columns={columns} rows={figures} keyOf={({ idKpi }) => idKpi} />
      <details className={classes.counts}>
        <summary>Из чего сложилось: счётчики месяца</summary>
        <dl>
          {Object.entries(indicators).map(([name, { of }]) => (
            <div key={name}>
              <dt>
                {name} <Muted>{wordsOf(of)}</Muted>
              </dt>
              <dd className="tabular">{formatNumber(counts[name] ?? 0)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </VStack>
  )
}

/** The report and the measure behind an operand of formulas, and how it is counted. */
function wordsOf(of: string): string {
  const { report, measure } = measureAt(of)
  return `${report.title}: «${measure.label}». ${howCounted(report, measure)}`
}

/** What the figures of a month cover. */
function spanWords(month: string, { until, passed, fixed }: { until: string; passed: number; fixed: string | null }) {
  if (fixed)
    return `Месяц зафиксирован ${formatDay(fixed.slice(0, 10))}: исправленное позже его не меняет, новое число стоит рядом («сейчас»).`
  if (passed >= 1) return 'Месяц закончился; его числа зафиксируются через неделю после него.'
  return `${formatDay(`${month}-01`)}–${formatDay(until)}: прошло ${formatNumber(passed * 100, 0)} % месяца. Планы сумм и количеств взяты в этой доле, долей и средних — целиком; по ним и цвет.`
}

/** Sparkline by month, the last one at the right. */
function Spark({ months, unit }: { months: readonly { month: string; value: number | null }[]; unit: string }) {
  const values = months.map(({ value }) => value)
  const known = values.filter((one) => one !== null)
  const most = Math.max(0.01, ...known.map(Math.abs))
  return (
    <>
      <VisuallyHidden>
        {months
          .map(
            ({ month, value }) =>
              `${formatMonth(`${month}-01`)}: ${value === null ? 'нет' : `${formatNumber(value)} ${unit}`}`,
          )
          .join(', ')}
      </VisuallyHidden>
      <span className={classes.spark} aria-hidden>
        {values.map((value, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a month is its place
          <i key={at} style={{ height: `${value === null ? 0 : Math.max(6, (100 * Math.abs(value)) / most)}%` }} />
        ))}
      </span>
    </>
  )
}

interface PeopleProps {
  month: string
  filial?: number
  onOpen: (idUser: number) => void
}

function People({ month, filial, onOpen }: PeopleProps) {
  const answer = useQuery({
    queryKey: ['records', 'kpi/plans', 'people', month, filial],
    queryFn: ({ signal }) => api('GET /reports/kpi-analysis/people', { query: { month, filial } }, { signal }),
    retry: retries,
    placeholderData: (before) => before,
    meta: { live: ['kpi/definitions'] },
  })
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <LinesSkeleton lines={8} />
  const { people } = answer.data
  if (people.length === 0)
    return (
      <EmptyState
        title="Планов на этот месяц нет"
        text="Назначьте план сотруднику или должности: по нему посчитается балл, а от него — правило KPI в зарплате."
      />
    )
  type Person = (typeof people)[number]
  const names = new Map(people.flatMap(({ figures }) => figures.map(({ idKpi, name }) => [idKpi, name] as const)))
  const columns: MatrixColumn<Person>[] = [
    {
      key: 'name',
      label: 'Сотрудник',
      cell: ({ name, post }) => (
        <>
          <span>{name}</span>
          <Fine component="span" display="block">
            {post}
          </Fine>
        </>
      ),
    },
    {
      key: 'score',
      label: 'Балл',
      cell: ({ score }) => (score === null ? <Muted>—</Muted> : <b>{formatNumber(Math.round(score * 100))} %</b>),
    },
    ...[...names].map(
      ([idKpi, name]): MatrixColumn<Person> => ({
        key: String(idKpi),
        label: name,
        cell: ({ figures }) => {
          const figure = figures.find((one) => one.idKpi === idKpi)
          return figure ? <Light figure={figure} withFact /> : null
        },
      }),
    ),
  ]
  return (
    <Matrix
      label="Баллы сотрудников"
      columns={columns}
      rows={people}
      keyOf={({ idUser }) => idUser}
      onOpen={({ idUser }) => onOpen(idUser)}
    />
  )
}
