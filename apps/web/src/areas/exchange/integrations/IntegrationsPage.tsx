import { pageByKey } from '@ordinator/model/pages'
import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, Tiles } from '#kit/Stacks.tsx'
import { DevicesCard } from './DevicesCard.tsx'
import { type Integration, IntegrationCard } from './IntegrationCard.tsx'

const EVERY_MS = 10_000
const KEY = ['integrations']

/** Failing systems first, those not connected last. */
const order: Record<Integration['state'], number> = { fails: 0, works: 1, unknown: 2, off: 3 }

/** Systems with one instance per desk, by code. */
const devices: Readonly<Record<string, string>> = { kkt: 'Регистраторы чеков', terminal: 'Банковские терминалы' }
const OFF = 'Не подключены'

interface Shown {
  /** Title of a card with several systems; absent: one system. */
  title?: string
  items: Integration[]
}

/** One card per system, but shared cards for registers, for terminals and for systems not connected. */
function cardsOf(items: readonly Integration[]): Shown[] {
  const cards: Shown[] = []
  const shared = new Map<string, Shown>()
  for (const item of items.toSorted((a, b) => order[a.state] - order[b.state])) {
    const title = devices[item.code ?? ''] ?? (item.state === 'off' ? OFF : undefined)
    const card = title === undefined ? undefined : shared.get(title)
    if (card) {
      card.items.push(item)
      continue
    }
    const made: Shown = { ...(title !== undefined && { title }), items: [item] }
    if (title !== undefined) shared.set(title, made)
    cards.push(made)
  }
  return cards
}

/** Интеграции: state of outside systems. */
export default function IntegrationsPage() {
  const page = pageByKey('integrations')
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api('GET /integrations', {}, { signal, quiet: true, forbidden: 'silent' }),
    refetchInterval: EVERY_MS,
    retry: false,
  })
  return (
    <>
      <PageHead title={page.title} help={page.help} />
      <Block px="var(--ord-page)" pb={24}>
        {error && !data ? (
          <ErrorState
            title="Состояние систем не получено"
            error={error}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        ) : data ? (
          <Tiles tile={300} gap={16} style={{ alignItems: 'start' }}>
            {cardsOf(data.items).map(({ title, items }) => {
              const [item] = items
              return title === undefined && item ? (
                <IntegrationCard key={item.key} item={item} onChecked={() => refetch()} />
              ) : (
                title !== undefined && (
                  <DevicesCard
                    key={title}
                    title={title}
                    isMixed={title === OFF}
                    items={items}
                    onChecked={() => refetch()}
                  />
                )
              )
            })}
          </Tiles>
        ) : (
          <LinesSkeleton lines={10} />
        )}
      </Block>
    </>
  )
}
