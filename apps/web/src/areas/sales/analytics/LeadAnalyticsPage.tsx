import type { LeadFigures } from '@ordinator/model/areas/sales/analyticsCalls'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { formatMoney, formatSpan } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { usePageTitle } from '#base/title.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTimeSeconds } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FigureTiles } from '#kit/FigureTiles.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { retries, useRecord } from '#records/reads.ts'
import classes from './Analytics.module.css'
import { FigureTable } from './FigureTable.tsx'

const page = pageByKey('dealAnalytics')

/** Analytics of a deal: time per stage, moves and sums. */
export default function LeadAnalyticsPage() {
  const idLead = Number((useParams({ strict: false }) as { id?: string }).id)
  const lead = useRecord(Lead, Number.isSafeInteger(idLead) ? idLead : 0)
  usePageTitle(lead.data && `${lead.data.title}: аналитика`)
  const found = useQuery({
    queryKey: ['leadAnalytics', idLead],
    queryFn: ({ signal }) => api('GET /sales-management/leads/:id/analytics', { params: { id: idLead } }, { signal }),
    enabled: lead.isSuccess,
    retry: retries,
    meta: { live: [Lead.path] },
  })
  const error = lead.error ?? found.error
  const back = {
    lead: idLead,
    ...(lead.data?.idFunnel ? { funnel: lead.data.idFunnel } : {}),
  }
  return (
    <>
      <PageHead
        title={lead.data?.title ?? page.title}
        help={page.help}
        actions={
          <ActionButton
            label="К сделке"
            variant="default"
            icon={IconArrowLeft}
            renderRoot={(props) => <PageLink {...props} page="deals" search={back} />}
          />
        }
      />
      <div className={classes.page}>
        {found.data ? (
          <Figures figures={found.data} />
        ) : (
          <div className={classes.wide}>
            {error ? (
              <ErrorState
                title="Аналитика не загрузилась"
                error={error}
                onRetry={() => void (lead.isError ? lead : found).refetch()}
              />
            ) : (
              <LinesSkeleton lines={6} />
            )}
          </div>
        )}
      </div>
    </>
  )
}

function Figures({ figures }: { figures: LeadFigures }) {
  const tiles = [
    ['Сумма сделки', figures.price === null ? 'Не указана' : formatMoney(figures.price)],
    ['Предложено', formatMoney(figures.offersSum)],
    ['Принято', formatMoney(figures.acceptedSum)],
    ['В работе', formatSpan(figures.seconds)],
    ['Перемещений', String(figures.movesCount)],
  ] as const
  return (
    <>
      <div className={classes.wide}>
        <FigureTiles tiles={tiles.map(([label, value]) => ({ label, value }))} />
      </div>
      <FigureTable
        title="Время на этапах"
        rows={figures.stages}
        keyOf={({ idStage }) => idStage}
        bar={{ of: ({ seconds }) => seconds, color: ({ color }) => color }}
        empty="Сделка ещё не была ни на одном этапе"
        columns={[
          { label: 'Этап', text: ({ name, isCurrent }) => (isCurrent ? `${name}, сейчас` : name) },
          { label: 'Время', right: true, text: ({ seconds }) => formatSpan(seconds) },
          { label: 'Раз', right: true, text: ({ visits }) => visits },
        ]}
      />
      <FigureTable
        title="Перемещения"
        rows={figures.moves}
        keyOf={({ idStage, dateStart }) => `${idStage} ${dateStart}`}
        empty="Перемещений не было"
        columns={[
          { label: 'Этап', text: ({ name }) => name },
          { label: 'Пришла', text: ({ dateStart }) => formatDateTimeSeconds(dateStart) },
          { label: 'Ушла', text: ({ dateEnd }) => (dateEnd ? formatDateTimeSeconds(dateEnd) : 'сейчас здесь') },
          { label: 'Пробыла', right: true, text: ({ seconds }) => formatSpan(seconds) },
        ]}
      />
    </>
  )
}
