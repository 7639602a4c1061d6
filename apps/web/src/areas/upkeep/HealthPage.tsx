import { Alert, Badge, Text } from '@mantine/core'
import { type HealthState, healthGroups, healthStates } from '@ordinator/model/areas/upkeep/health'
import { counted } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type Answer, api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, Tiles, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'

type Item = Answer<'GET /health-report'>['items'][number]

const EVERY_MS = 30_000
const colors: Record<HealthState, string> = { bad: 'red', warn: 'yellow', good: 'teal', unknown: 'gray', off: 'gray' }
const order = Object.keys(healthStates) as HealthState[]

/** Состояние системы: problems with instructions first, then everything in order, by subject. */
export default function HealthPage() {
  const { title, help } = pageByKey('health')
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['health-report'],
    queryFn: ({ signal }) => api('GET /health-report', {}, { signal, quiet: true, forbidden: 'silent' }),
    refetchInterval: EVERY_MS,
    retry: false,
  })
  const items = data?.items.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state)) ?? []
  const troubles = items.filter(({ state }) => state === 'bad' || state === 'warn')
  const rest = items.filter(({ state }) => state !== 'bad' && state !== 'warn')
  return (
    <>
      <PageHead title={title} help={help} />
      <Block px="var(--ord-page)" pb={24}>
        {error && !data ? (
          <ErrorState
            title="Состояние не получено"
            error={error}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        ) : !data ? (
          <LinesSkeleton lines={10} />
        ) : (
          <VStack gap={24}>
            {troubles.length === 0 ? (
              <Alert color="teal" variant="light" icon={<IconCircleCheck size={18} />} title="Всё в порядке">
                Ничего делать не нужно.
              </Alert>
            ) : (
              <VStack component="section" gap={12} aria-label="Требует внимания">
                <Text component="h2" fw={600} size="lg">
                  Требует внимания: {counted(troubles.length, ['пункт', 'пункта', 'пунктов'])}
                </Text>
                <Tiles tile={340} gap={12}>
                  {troubles.map((item) => (
                    <Trouble key={item.key} item={item} />
                  ))}
                </Tiles>
              </VStack>
            )}
            {Object.entries(healthGroups).map(([group, name]) => (
              <Rest key={group} title={name} items={rest.filter((item) => item.group === group)} />
            ))}
          </VStack>
        )}
      </Block>
    </>
  )
}

function Trouble({ item: { title, state, words, todo, page } }: { item: Item }) {
  return (
    <VStack component="article" framed p={16} gap={8} aria-label={title}>
      <HStack justify="space-between" align="flex-start" wrap>
        <Text component="h3" fw={600} miw={0} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        <Badge color={colors[state]} variant="light" tt="none" fw={500}>
          {healthStates[state]}
        </Badge>
      </HStack>
      <Text style={{ overflowWrap: 'anywhere' }}>{words}</Text>
      {todo && (
        <div>
          <Fine component="p">Что делать</Fine>
          <Text>{todo}</Text>
        </div>
      )}
      {page && <PageLink page={page}>{pageByKey(page).title}</PageLink>}
    </VStack>
  )
}

/** Items in order, one per line; those not connected come last. */
function Rest({ title, items }: { title: string; items: readonly Item[] }) {
  if (items.length === 0) return null
  return (
    <VStack component="section" gap={8} aria-label={title}>
      <Text component="h2" fw={600}>
        {title}
      </Text>
      <VStack component="ul" gap={0} framed>
        {items.map(({ key, title: name, state, words, page }, at) => (
          <Block component="li" key={key} px={16} py={10} rule={at > 0 ? 'top' : undefined}>
            <HStack justify="space-between" gap="4px 16px" wrap>
              <div>
                {page ? <PageLink page={page}>{name}</PageLink> : name}
                <Fine component="p">{words}</Fine>
              </div>
              <Badge color={colors[state]} variant="light" tt="none" fw={500}>
                {healthStates[state]}
              </Badge>
            </HStack>
          </Block>
        ))}
      </VStack>
    </VStack>
  )
}
