import { Anchor } from '@mantine/core'
import { Lead } from '@ordinator/model/areas/sales/lead'
import type { AnyFilter, Filter } from '@ordinator/model/client'
import { formatMoney } from '@ordinator/model/format'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useAddress } from '#base/address.ts'
import { recordsWith } from '#base/client.ts'
import { PageLink } from '#base/PageLink.tsx'
import type { Search } from '#base/redirect.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDate } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { retries } from '#records/reads.ts'
import classes from './Analytics.module.css'
import type { DealFilter } from './Figure.tsx'

const PORTION = 50

interface Address {
  deals?: DealFilter
  /** Name of the figure. */
  of?: string
}

function read({ deals, of }: Search): Address {
  const isFilter =
    typeof deals === 'object' &&
    deals !== null &&
    Object.entries(deals).every(([name, value]) => name.startsWith('filter[') && typeof value === 'string')
  return isFilter ? { deals: deals as DealFilter, of: typeof of === 'string' ? of : undefined } : {}
}

/** Deals behind the figure in the URL. */
export function DealsPanel() {
  const [{ deals, of }, setAddress] = useAddress(read)
  if (!deals) return null
  const close = () => setAddress({ deals: undefined, of: undefined })
  return (
    <SidePanel opened onClose={close} title={of ?? 'Сделки'}>
      <Deals filter={deals} />
    </SidePanel>
  )
}

/** Converts `{ 'filter[stage.idType]': '2' }` to the records client's `{ 'stage.idType': '2' }`. */
function nested(figure: DealFilter): Filter<typeof Lead> {
  const whole: AnyFilter = {}
  for (const [name, value] of Object.entries(figure)) {
    const steps = [...name.matchAll(/\[([^\]]+)\]/g)].map(([, step]) => step as string)
    const last = steps.pop()
    let place = whole
    for (const step of steps) place = (place[step] ??= {}) as AnyFilter
    if (last) place[last] = value
  }
  return whole as Filter<typeof Lead>
}

function Deals({ filter }: { filter: DealFilter }) {
  const list = useInfiniteQuery({
    queryKey: ['figureDeals', filter],
    queryFn: ({ signal, pageParam }) =>
      recordsWith({ forbidden: 'silent' }).list(
        Lead,
        { filter: nested(filter), expand: ['stage'], sort: ['-dateCreate', '-id'], limit: PORTION, page: pageParam },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ _meta }, pages) => (_meta.hasMore ? pages.length + 1 : undefined),
    retry: retries,
    meta: { live: [Lead.path] },
  })
  if (list.isPending) return <LinesSkeleton lines={6} />
  if (list.isError)
    return <ErrorState title="Сделки не загрузились" error={list.error} onRetry={() => void list.refetch()} />
  const deals = [...new Map(list.data.pages.flatMap(({ items }) => items).map((one) => [one.id, one])).values()]
  if (deals.length === 0) return <EmptyState title="Сделок нет" text="Пока вы смотрели, они изменились." />
  return (
    <>
      <ul className={classes.deals}>
        {deals.map(({ id, title, price, stage, idFunnel, dateCreate }) => (
          <li key={id}>
            <Anchor
              renderRoot={(props) => (
                <PageLink {...props} page="deals" search={{ funnel: idFunnel ?? undefined, lead: id }} />
              )}
            >
              {title}
            </Anchor>
            <span className={classes.dealMeta}>
              <span>{stage?.name ?? 'Не начато'}</span>
              <span className="tabular">{formatDate(dateCreate)}</span>
            </span>
            <span className={`${classes.dealPrice} tabular`}>{price === null ? '' : formatMoney(price)}</span>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <ActionButton
          label="Показать ещё"
          variant="default"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        />
      )}
    </>
  )
}
