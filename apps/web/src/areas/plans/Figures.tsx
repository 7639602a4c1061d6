import { Skeleton } from '@mantine/core'
import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { counted, formatMoney, formatNumber } from '@ordinator/model/format'
import { useQuery } from '@tanstack/react-query'
import { useAddress } from '#base/address.ts'
import { api } from '#base/api.ts'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { retries } from '#records/reads.ts'
import classes from './Plans.module.css'
import { planFilters } from './planFilters.ts'

const plans = ['план', 'плана', 'планов'] as const
const labels = ['Предложено', 'Согласовано', 'Выполнено', 'Осталось', 'Оплачено']
/** Share in percent; empty for a zero whole. */
const share = (part: number, whole: number): string => (whole > 0 ? `${formatNumber((100 * part) / whole, 0)} %` : '—')

/** Figures of the listed plans. */
export function Figures() {
  const [values] = useAddress(planFilters.read)
  const filter = planFilters.filter(values)
  const answer = useQuery({
    queryKey: [TreatmentPlan.path, 'figures', filter],
    queryFn: ({ signal }) => api('GET /customer-plans/figures', { query: { filter } }, { signal, forbidden: 'silent' }),
    retry: retries,
    placeholderData: (before) => before,
    meta: { live: [TreatmentPlan.path, 'customer-plans/items', 'coupon-services', 'payments'] },
  })
  useRevealDelay(answer.isPending)
  // The list below shows the error.
  if (answer.isError) return null
  const { data } = answer
  const facts: readonly (readonly [string, string, string])[] = data
    ? [
        ['Предложено', formatMoney(data.offered.sum), counted(data.offered.count, plans)],
        [
          'Согласовано',
          formatMoney(data.agreed.sum),
          `${counted(data.agreed.count, plans)} · принятие ${share(data.agreed.sum, data.offered.sum)}`,
        ],
        ['Выполнено', formatMoney(data.done), `исполнение ${share(data.done, data.agreed.sum)}`],
        ['Осталось', formatMoney(data.left), data.overdue ? `давно без визита: ${formatNumber(data.overdue)}` : ''],
        ['Оплачено', formatMoney(data.paid), data.isMore ? 'по последним 2 000 планов' : ''],
      ]
    : []
  return (
    <dl className={classes.figures} aria-label="Итоги списка" aria-busy={!data}>
      {data
        ? facts.map(([label, sum, more]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="tabular">{sum}</dd>
              <dd>{more || '\u00a0'}</dd>
            </div>
          ))
        : labels.map((label) => <Skeleton key={label} h={66} />)}
    </dl>
  )
}
