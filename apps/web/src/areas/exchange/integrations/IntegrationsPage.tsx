import { pageByKey } from '@ordinator/model/pages'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../base/api.ts'
import { ErrorState } from '../../../kit/ErrorState.tsx'
import { PageHead } from '../../../kit/PageHead.tsx'
import { LinesSkeleton } from '../../../kit/Skeletons.tsx'
import { Block, Tiles } from '../../../kit/Stacks.tsx'
import { type Integration, IntegrationCard } from './IntegrationCard.tsx'

const EVERY_MS = 10_000
const KEY = ['integrations']

/** What is out of order comes first, what is not connected last. */
const order: Record<Integration['state'], number> = { fails: 0, works: 1, unknown: 2, off: 3 }

/** Интеграции: how the outside systems are. */
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
          <Tiles tile={300} gap={16}>
            {data.items
              .toSorted((a, b) => order[a.state] - order[b.state])
              .map((item) => (
                <IntegrationCard key={item.key} item={item} onChecked={() => refetch()} />
              ))}
          </Tiles>
        ) : (
          <LinesSkeleton lines={10} />
        )}
      </Block>
    </>
  )
}
