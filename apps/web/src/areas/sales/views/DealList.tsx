import { Text } from '@mantine/core'
import { WORK } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { type Filter, totalOf } from '@ordinator/model/client'
import { formatMoney } from '@ordinator/model/format'
import { IconAlertTriangle, IconArrowRight } from '@tabler/icons-react'
import { useRef } from 'react'
import { PageLink } from '#base/PageLink.tsx'
import { usePreference } from '#base/preferences.ts'
import { Faces } from '#kit/Faces.tsx'
import rowLink from '#kit/rowLink.module.css'
import { useRowKeys } from '#kit/useRowKeys.ts'
import { readClosed } from '#records/closedSections.ts'
import { ListSection } from '#records/ListSection.tsx'
import { useEndlessList } from '#records/reads.ts'
import type { DealsAddress } from '../address.ts'
import { ageOf, ageText, contactOf, isStuck, nextStepOf, priceText } from '../board/dealFacts.ts'
import { type Deal, dealExpand, dealFields, type StageRow } from '../board/deals.ts'
import type { Totals } from '../board/useFunnelData.ts'
import classes from './DealList.module.css'

const PORTION = 50

interface Props {
  idFunnel: number
  stages: readonly StageRow[]
  filter: Filter<typeof Lead>
  totals: Totals | undefined
  address: DealsAddress
}

/** Deals of a funnel as a list by stage. */
export default function DealList({ idFunnel, stages, filter, totals, address }: Props) {
  const [closed, setClosed] = usePreference(`deal-list:${idFunnel}`, readClosed, 'device')
  const frame = useRef<HTMLDivElement>(null)
  useRowKeys(frame, address.lead === undefined)
  return (
    <div ref={frame} className={classes.list}>
      {stages.map((stage) => {
        const key = String(stage.id)
        const isClosed = closed.keys.includes(key)
        return (
          <Section
            key={key}
            stage={stage}
            filter={filter}
            sum={totals?.items.find((item) => item.idStage === stage.id)?.sum}
            closed={isClosed}
            onToggle={() =>
              setClosed({ keys: isClosed ? closed.keys.filter((k) => k !== key) : [...closed.keys, key] })
            }
          />
        )
      })}
    </div>
  )
}

interface SectionProps {
  stage: StageRow
  filter: Filter<typeof Lead>
  sum: number | undefined
  closed: boolean
  onToggle: () => void
}

function Section({ stage, filter, sum, closed, onToggle }: SectionProps) {
  const list = useEndlessList(
    Lead,
    {
      filter: { idStage: stage.id, ...filter },
      sort: 'order',
      limit: PORTION,
      count: true,
      fields: dealFields,
      expand: dealExpand,
    },
    { forbidden: 'silent', enabled: !closed },
  )
  const deals = list.items
  return (
    <ListSection
      title={stage.name}
      color={stage.color}
      note={sum === undefined ? undefined : formatMoney(sum)}
      closed={closed}
      onToggle={onToggle}
      total={totalOf(list.data?.pages[0]?._meta)}
      loading={list.isPending}
      error={list.isError && deals.length === 0 ? list.error : null}
      onRetry={() => void list.refetch()}
      hasMore={list.hasNextPage}
      loadingMore={list.isFetchingNextPage}
      onMore={() => void list.fetchNextPage()}
      empty="Сделок нет"
    >
      {deals.map((deal) => (
        <DealRow key={deal.id} deal={deal} stage={stage} />
      ))}
    </ListSection>
  )
}

function DealRow({ deal, stage }: { deal: Deal; stage: StageRow }) {
  const isWork = stage.idType === WORK
  const step = nextStepOf(deal, isWork)
  const age = isWork ? ageOf(deal) : undefined
  return (
    <li className={classes.row}>
      <PageLink search={(now) => ({ ...now, lead: deal.id })} className={rowLink.name} data-row resetScroll={false}>
        {deal.title}
      </PageLink>
      <span className={classes.contact}>{contactOf(deal)}</span>
      <span className={classes.step} data-late={step?.late || undefined}>
        {step && (
          <>
            {step.late ? <IconAlertTriangle size={14} aria-hidden /> : <IconArrowRight size={14} aria-hidden />}
            <Text span inherit truncate>
              {[step.text, step.when].filter(Boolean).join(', ')}
            </Text>
          </>
        )}
      </span>
      <span className={classes.age} data-stuck={(isWork && isStuck(deal, stage)) || undefined}>
        {age !== undefined && ageText(age)}
      </span>
      <Text span inherit ta="right" className="nowrap tabular">
        {priceText(deal.price)}
      </Text>
      <span className={classes.people}>
        {deal.responsible.length > 0 && (
          <Faces label="Ответственные" people={deal.responsible.map((one) => one.user ?? {})} />
        )}
      </span>
    </li>
  )
}
