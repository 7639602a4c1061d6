import { formatNumber } from '@ordinator/model/format'
import { IconTargetArrow } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { Counted } from '#kit/Counted.tsx'
import { today } from '#kit/clock.ts'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { WidgetCard } from '#kit/WidgetCard.tsx'
import { retries } from '#records/reads.ts'
import classes from './Kpi.module.css'
import { Light, valueText } from './KpiTile.tsx'

const EVERY_MS = 5 * 60_000

/** Dashboard block: the clinic's plan of this month, its fulfilment, and the expected fulfilment today. */
export default function PlanBlock() {
  const day = today()
  const month = day.slice(0, 7)
  const answer = useQuery({
    queryKey: ['records', 'kpi/plans', 'month', month],
    queryFn: ({ signal }) =>
      api('GET /reports/kpi-analysis', { query: { month } }, { signal, quiet: true, forbidden: 'silent' }),
    retry: retries,
    staleTime: EVERY_MS,
    refetchInterval: EVERY_MS,
    meta: { known: true },
  })
  useRevealDelay(answer.isLoading)
  const gone = answer.data?.passed ?? 0
  const planned = (answer.data?.figures ?? []).filter(({ plan }) => plan !== null)
  return (
    <WidgetCard
      title="План и факт месяца"
      icon={<IconTargetArrow size={18} />}
      busy={answer.isLoading}
      none={
        answer.isError
          ? 'План не загрузился: обновите страницу.'
          : answer.data &&
            planned.length === 0 && (
              <>
                На этот месяц плана нет. <PageLink page="kpiPlans">Назначить план</PageLink>
              </>
            )
      }
    >
      {answer.data ? (
        <>
          <ul className={classes.plan}>
            {planned.map((figure) => (
              <li key={figure.idKpi}>
                <PageLink page="kpiAnalysis">{figure.name}</PageLink>
                <Light figure={figure} />
                <span className={classes.fact}>
                  {valueText(figure.fact, figure.unit)} из {valueText(figure.planNow, figure.unit)}
                </span>
                <span className={classes.track} aria-hidden>
                  <span
                    className={classes.done}
                    data-light={figure.light}
                    style={{ width: `${Math.min(100, Math.max(0, figure.percent ?? 0))}%` }}
                  />
                </span>
              </li>
            ))}
          </ul>
          <p className={classes.gone}>
            Прошло {formatNumber(gone * 100, 0)} % месяца: планы сумм и количеств взяты в этой доле.
          </p>
          <Counted
            of="План и факт месяца"
            at={answer.dataUpdatedAt}
            busy={answer.isFetching}
            onRefresh={() => void answer.refetch()}
          />
        </>
      ) : (
        <LinesSkeleton lines={5} />
      )}
    </WidgetCard>
  )
}
