import { Box, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTimeSeconds } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { UserAvatar } from '#kit/UserAvatar.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine } from '#kit/Words.tsx'
import { retries } from '#records/reads.ts'
import { leadParts } from './useLeadCounts.ts'

const PORTION = 30

/** Log of the deal and its parts, the newest first. */
export function LeadLog({ idLead }: { idLead: number }) {
  const logs = useInfiniteQuery({
    queryKey: ['leadLogs', idLead],
    queryFn: ({ signal, pageParam }) =>
      api(
        'GET /sales-management/leads/:id/logs',
        { params: { id: idLead }, query: { limit: PORTION, page: pageParam } },
        { signal, forbidden: 'silent' },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ _meta }) => (_meta.hasMore ? _meta.currentPage + 1 : undefined),
    retry: retries,
    meta: { live: leadParts },
  })
  if (logs.isPending) return <LinesSkeleton lines={6} />
  if (logs.isError)
    return <ErrorState title="Журнал не загрузился" error={logs.error} onRetry={() => void logs.refetch()} />
  // Removes duplicates: new entries shift the pages.
  const lines = [...new Map(logs.data.pages.flatMap(({ items }) => items).map((line) => [line.id, line])).values()]
  return (
    <>
      <Box component="ol" mb={12}>
        {lines.map((line) => (
          <HStack key={line.id} component="li" align="stretch" rule="bottom" py={8}>
            <UserAvatar user={line.user ?? {}} size={24} />
            <Text span inherit miw={0} className="breaks">
              {line.methodAlias}
              <Fine display="block">
                {line.user ? <UserLink user={line.user} /> : 'Система'} ·{' '}
                <time className="tabular" dateTime={line.dateCreate}>
                  {formatDateTimeSeconds(line.dateCreate)}
                </time>
              </Fine>
            </Text>
          </HStack>
        ))}
      </Box>
      {logs.hasNextPage && (
        <ActionButton
          label="Показать ещё"
          size="compact-sm"
          variant="default"
          loading={logs.isFetchingNextPage}
          onClick={() => void logs.fetchNextPage()}
        />
      )}
    </>
  )
}
