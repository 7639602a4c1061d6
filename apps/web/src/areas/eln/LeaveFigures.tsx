import { Skeleton } from '@mantine/core'
import { dueKinds } from '@ordinator/model/areas/eln/rules'
import { formatNumber } from '@ordinator/model/format'
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import figures from '#kit/figures.module.css'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { retries } from '#records/reads.ts'
import classes from './Eln.module.css'
import { daysText, live } from './leave.ts'
import { Notice } from './Notice.tsx'

const late = new Set(['overdue', 'rejected', 'former', 'dispute'])
const percent = (share: number | null): string => (share === null ? '—' : `${formatNumber(100 * share, 0)} %`)

export const useLeaveFigures = () =>
  useQuery({
    queryKey: ['eln', 'figures'],
    queryFn: ({ signal }) => api('GET /eln/figures', {}, { signal, forbidden: 'silent' }),
    retry: retries,
    placeholderData: (before) => before,
    meta: { live: ['eln', ...live, 'eln/numbers', 'eln/number-requests'], known: true },
  })

/** Work due today, numbers left, and durations. */
export function LeaveFigures() {
  const answer = useLeaveFigures()
  useRevealDelay(answer.isPending)
  // The list below shows the error.
  if (answer.isError) return null
  const { data } = answer
  if (!data) return <Skeleton h={74} aria-hidden />
  const [longest] = data.byGroup
  return (
    <>
      {!data.exchange.isSet && (
        <Notice icon={IconPlugConnectedX} color="gray">
          {data.exchange.words}. Листы можно готовить и печатать, но номера и ответы СФР не придут.{' '}
          <PageLink page="elnSettings">Настройки обмена</PageLink>
        </Notice>
      )}
      {data.unknownRequests > 0 && (
        <Notice icon={IconAlertTriangle} color="orange">
          Ответ на запрос номеров потерялся: номера могли быть выданы.{' '}
          <PageLink page="elnNumbers">Скажите, что вышло</PageLink>
        </Notice>
      )}
      <div className={figures.figures}>
        <section aria-label="Сделать сегодня" className={figures.wide}>
          <h2>Сделать сегодня</h2>
          {data.due.length === 0 ? (
            <Fine>Ничего не ждёт</Fine>
          ) : (
            <HStack wrap gap={6}>
              {data.due.map(({ kind, count }) => (
                <PageLink
                  key={kind}
                  page="sickLeaves"
                  search={{ due: kind }}
                  className={classes.due}
                  data-late={late.has(kind) || undefined}
                >
                  <b className="tabular">{formatNumber(count)}</b> {dueKinds[kind]}
                </PageLink>
              ))}
            </HStack>
          )}
        </section>
        <section aria-label="Открыто">
          <h2>Открыто</h2>
          <p className="tabular">{formatNumber(data.open)}</p>
        </section>
        <section aria-label="Номера">
          <h2>Номеров в запасе</h2>
          <p className={`tabular ${classes.low}`} data-low={data.poolIsLow || undefined}>
            <PageLink page="elnNumbers">{formatNumber(data.freeNumbers)}</PageLink>
          </p>
          {data.poolIsLow && <Fine c="var(--mantine-color-error)">пора запросить</Fine>}
        </section>
        <section aria-label="Средняя длительность">
          <h2>В среднем, за 90 дней</h2>
          <p className="tabular">{data.days === null ? '—' : daysText(Math.round(data.days))}</p>
          <Fine className={classes.one} title={longest?.group}>
            {longest ? `чаще: ${longest.group}, ${formatNumber(longest.days, 1)} дн.` : '\u00a0'}
          </Fine>
        </section>
        <section aria-label="ВК и отказы">
          <h2>Через ВК · отказов</h2>
          <p className="tabular">
            {percent(data.byCommission)} · {percent(data.rejected)}
          </p>
        </section>
      </div>
    </>
  )
}
