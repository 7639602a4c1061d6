import { Progress } from '@mantine/core'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { useQuery } from '@tanstack/react-query'
import { CountingRun, countingEvery } from '#areas/reports/index.ts'
import { useAddress } from '#base/address.ts'
import { id as idOf, listOf } from '#base/addressValues.ts'
import { type Answer, api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import type { Search } from '#base/redirect.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { Matrix, type MatrixColumn } from '#kit/Matrix.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { retries } from '#records/reads.ts'
import { FamilyTabs } from '#records/registry/FamilyTabs.tsx'
import classes from './Expenses.module.css'
import { MonthsBar, month, monthPlus, spanOf, thisMonth } from './MonthsBar.tsx'

const page = pageByKey('expensePlan')
const read = (search: Search) => ({
  to: month(search.to),
  span: spanOf(search.span),
  filials: listOf(search.filials, idOf),
})

type Line = Answer<'GET /expenses/plan-fact'>['lines'][number]

/** План и факт расходов: planned, actual and coming. */
export default function PlanFactPage() {
  const [{ to = thisMonth(), span = 1, filials = [] }, setAddress] = useAddress(read)
  const from = monthPlus(to, 1 - span)
  const answer = useQuery({
    queryKey: ['records', 'expenses', 'planFact', from, to, filials],
    queryFn: ({ signal }) =>
      api(
        'GET /expenses/plan-fact',
        { query: { from, to, ...(filials.length && { filials: filials.join(',') }) } },
        { signal },
      ),
    retry: retries,
    refetchInterval: countingEvery,
    placeholderData: (before) => before,
    meta: { live: ['expenses/plans'] },
  })
  const { data } = answer
  const money = (sum: number) => (sum === 0 ? <Muted>—</Muted> : formatNumber(sum, 2))
  const columns: MatrixColumn<Line>[] = [
    { key: 'name', label: 'Статья', cell: ({ name }) => name },
    { key: 'plan', label: 'План', cell: ({ plan }) => money(plan), total: money(data?.plan ?? 0) },
    { key: 'fact', label: 'Факт', cell: ({ fact }) => money(fact), total: money(data?.fact ?? 0) },
    {
      key: 'coming',
      label: 'Ожидается',
      hint: 'Планы и то, что ещё согласуют',
      cell: ({ coming }) => money(coming),
      total: money(data?.coming ?? 0),
    },
    {
      key: 'left',
      label: 'Осталось',
      cell: ({ plan, fact }) =>
        plan === 0 ? (
          <Muted>нет плана</Muted>
        ) : (
          <span className={fact > plan ? classes.less : undefined}>{formatNumber(plan - fact, 2)}</span>
        ),
      total: money(Math.round(((data?.plan ?? 0) - (data?.fact ?? 0)) * 100) / 100),
    },
    {
      key: 'share',
      label: 'Исполнение',
      cell: ({ plan, fact }) =>
        plan > 0 && (
          <span className={classes.share}>
            <Progress
              value={Math.min(100, (100 * fact) / plan)}
              color={fact > plan ? 'red' : 'teal'}
              size="sm"
              w={90}
              aria-hidden
            />
            {Math.round((100 * fact) / plan)} %
          </span>
        ),
    },
  ]
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          <ActionButton
            label="Внести план"
            variant="default"
            renderRoot={(props) => <PageLink {...props} page="expensePlans" search={{ open: 'new' }} />}
          />
        }
      >
        <FamilyTabs page={page} />
        <MonthsBar
          to={to}
          span={span}
          filials={filials}
          onChange={(patch) => setAddress(patch as object, { replace: true })}
        />
      </PageHead>
      <Block px="var(--ord-page)" pb="var(--ord-page)" aria-busy={answer.isFetching || undefined}>
        {answer.isError ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : !data ? (
          <LinesSkeleton lines={8} />
        ) : data.run !== undefined ? (
          <CountingRun id={data.run} />
        ) : data.lines.length === 0 ? (
          <EmptyState
            title="Ни плана, ни расходов"
            text={`За выбранные месяцы ничего нет: всего по плану ${formatMoney(data.plan)}.`}
          />
        ) : (
          <Matrix
            label="План и факт"
            columns={columns}
            rows={data.lines}
            keyOf={({ idArticle }) => idArticle}
            levelOf={({ level }) => level}
            totals
          />
        )}
      </Block>
    </>
  )
}
