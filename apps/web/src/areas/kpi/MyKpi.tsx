import { formatNumber } from '@ordinator/model/format'
import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { WidgetCard } from '#kit/WidgetCard.tsx'
import { retries } from '#records/reads.ts'
import classes from './Kpi.module.css'
import { KpiTile } from './KpiTile.tsx'

/** Dashboard block: the user's KPI of this month; hidden without plans. */
export default function MyKpi() {
  const answer = useQuery({
    queryKey: ['records', 'kpi/plans', 'mine'],
    queryFn: ({ signal }) => api('GET /reports/kpi-analysis/mine', undefined, { signal, forbidden: 'silent' }),
    retry: retries,
    staleTime: 5 * 60_000,
    meta: { known: true },
  })
  useRevealDelay(answer.isLoading)
  if (!answer.data || answer.data.figures.length === 0) return null
  const { figures, score } = answer.data
  return (
    <WidgetCard title={`Мои показатели${score === null ? '' : ` · балл ${formatNumber(Math.round(score * 100))} %`}`}>
      <div className={classes.tiles}>
        {figures.map((figure) => (
          <KpiTile key={figure.idKpi} figure={figure} />
        ))}
      </div>
    </WidgetCard>
  )
}
