import { SegmentedControl } from '@mantine/core'
import type { Profit } from '@ordinator/model/areas/expenses/calls'
import { articleKinds, monthOf } from '@ordinator/model/areas/expenses/states'
import { payerIncomeWords } from '@ordinator/model/areas/payers/rules'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { useQuery } from '@tanstack/react-query'
import { CountingRun, countingEvery } from '#areas/reports/index.ts'
import { useAddress, useGo } from '#base/address.ts'
import { id as idOf, listOf, word } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import type { Search } from '#base/redirect.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FigureTiles } from '#kit/FigureTiles.tsx'
import { Matrix, type MatrixColumn } from '#kit/Matrix.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { retries } from '#records/reads.ts'
import { FamilyTabs } from '#records/registry/FamilyTabs.tsx'
import classes from './Expenses.module.css'
import { MonthsBar, month, monthPlus, spanOf, thisMonth } from './MonthsBar.tsx'

const page = pageByKey('profit')
const ways = { month: 'По месяцам', filial: 'По филиалам' } as const

const read = (search: Search) => ({
  to: month(search.to),
  span: spanOf(search.span),
  filials: listOf(search.filials, idOf),
  by: word(ways, search.by),
})

/** Прибыль и убытки: revenue, costs by category, and profit, by month or branch. */
export default function ProfitPage() {
  const [{ to = thisMonth(), span = 6, filials = [], by = 'month' }, setAddress] = useAddress(read)
  const from = monthPlus(to, 1 - span)
  const answer = useQuery({
    queryKey: ['records', 'expenses', 'profit', from, to, filials, by],
    queryFn: ({ signal }) =>
      api(
        'GET /expenses/profit',
        { query: { from, to, by, ...(filials.length && { filials: filials.join(',') }) } },
        { signal },
      ),
    retry: retries,
    refetchInterval: countingEvery,
    placeholderData: (before) => before,
    meta: { live: ['payroll/periods', 'payments'] },
  })
  const { data } = answer
  return (
    <>
      <PageHead title={page.title} help={page.help}>
        <FamilyTabs page={page} />
        <MonthsBar
          to={to}
          span={span}
          filials={filials}
          onChange={(patch) => setAddress(patch as object, { replace: true })}
        />
        <SegmentedControl
          aria-label="Столбцы"
          data={Object.entries(ways).map(([value, label]) => ({ value, label }))}
          value={by}
          onChange={(value) => setAddress({ by: value === 'month' ? undefined : (value as 'filial') })}
        />
      </PageHead>
      <VStack gap={12} px="var(--ord-page)" pb="var(--ord-page)" aria-busy={answer.isFetching || undefined}>
        {answer.isError ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : !data ? (
          <LinesSkeleton lines={10} />
        ) : data.run !== undefined ? (
          <CountingRun id={data.run} />
        ) : data.totals.revenue === 0 && data.totals.costs === 0 ? (
          <EmptyState
            title="За эти месяцы ничего не проведено"
            text="Выручка появится с оказанными услугами, расходы — с согласованными документами."
          />
        ) : (
          <>
            <Totals totals={data.totals} />
            <Report data={data} by={by} from={from} to={to} filials={filials} />
            <Fine>
              Выручка — начислено по учёту; расходы — согласованные и оплаченные документы за месяц; зарплата —
              утверждённые расчётные месяцы, а рассчитанная и ещё не утверждённая — отдельной строкой.{' '}
              {payerIncomeWords[data.payerIncome]}.
            </Fine>
          </>
        )}
      </VStack>
    </>
  )
}

const Totals = ({ totals: { revenue, costs, profit, margin } }: { totals: Profit['totals'] }) => (
  <FigureTiles
    label="Итоги"
    tiles={[
      { label: 'Выручка', value: formatMoney(revenue) },
      { label: 'Расходы', value: formatMoney(costs) },
      {
        label: profit < 0 ? 'Убыток' : 'Прибыль',
        value: formatMoney(profit),
        tone: profit < 0 ? 'bad' : 'good',
      },
      { label: 'Рентабельность', value: margin === null ? '—' : `${formatNumber(margin)} %` },
    ]}
  />
)

interface Row {
  key: string
  name: string
  level: number
  kind?: 'head' | 'sum' | 'muted'
  values: readonly (number | null)[]
  total: number | null
  percent?: true
  idArticle?: number | null
  /** Links to the month of payroll. */
  isPayroll?: true
}

const sumOf = (values: readonly number[]): number => values.reduce((all, one) => all + Math.round(one * 100), 0) / 100

/** Rows: revenue, each kind of costs with its categories, profit. */
function rowsOf(data: Profit): Row[] {
  const rows: Row[] = [
    { key: 'revenue', name: 'Выручка', level: 0, kind: 'sum', values: data.revenue, total: data.totals.revenue },
  ]
  for (const [kind, name] of Object.entries(articleKinds)) {
    const values = data.costs[kind] ?? []
    const lines = data.lines.filter((line) => line.kind === kind)
    if (lines.length === 0 && values.every((one) => one === 0)) continue
    rows.push({ key: kind, name, level: 0, kind: 'head', values, total: sumOf(values) })
    for (const line of lines)
      rows.push({
        key: line.key,
        name: line.name,
        level: line.level + 1,
        values: line.values,
        total: line.total,
        idArticle: line.idArticle,
        ...(line.key.startsWith('payroll') && { isPayroll: true as const }),
      })
  }
  rows.push({ key: 'profit', name: 'Прибыль', level: 0, kind: 'head', values: data.profit, total: data.totals.profit })
  rows.push({
    key: 'margin',
    name: 'Рентабельность',
    level: 0,
    kind: 'muted',
    values: data.margin,
    total: data.totals.margin,
    percent: true,
  })
  return rows
}

interface ReportProps {
  data: Profit
  by: keyof typeof ways
  from: string
  to: string
  filials: number[]
}

function Report({ data, from, to, filials }: ReportProps) {
  const go = useGo()
  const open = ({ idArticle, isPayroll }: Row) => {
    if (isPayroll) go({ page: 'payroll', search: {} })
    else if (idArticle)
      go({
        page: 'expenses',
        search: {
          article: [idArticle],
          ...(filials.length && { filial: filials }),
          monthFrom: monthOf(`${from}-01`),
          monthTo: monthOf(`${to}-01`),
        },
      })
  }
  const face = (value: number | null, percent?: true) =>
    value === null || value === 0 ? (
      <Muted>—</Muted>
    ) : (
      <span className={value < 0 ? classes.less : undefined}>
        {percent ? `${formatNumber(value)} %` : formatNumber(value, 2)}
      </span>
    )
  const columns: MatrixColumn<Row>[] = [
    {
      key: 'name',
      label: 'Статья',
      cell: (row) =>
        row.idArticle || row.isPayroll ? (
          <button type="button" className={classes.drill} title={row.name} onClick={() => open(row)}>
            {row.name}
          </button>
        ) : (
          row.name
        ),
    },
    ...data.columns.map(
      ({ key, name }, at): MatrixColumn<Row> => ({
        key,
        label: name,
        cell: (row) => face(row.values[at] ?? null, row.percent),
      }),
    ),
    { key: 'total', label: 'Всего', cell: (row) => <b>{face(row.total, row.percent)}</b> },
  ]
  return (
    <Matrix
      label="Прибыль и убытки"
      columns={columns}
      rows={rowsOf(data)}
      keyOf={({ key }) => key}
      kindOf={({ kind }) => kind}
      levelOf={({ level }) => level}
    />
  )
}
