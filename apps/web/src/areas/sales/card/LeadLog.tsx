import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../../../base/api.ts'
import { formatDateTimeSeconds } from '../../../kit/clock.ts'
import { ErrorState } from '../../../kit/ErrorState.tsx'
import { LinesSkeleton } from '../../../kit/Skeletons.tsx'
import { personName, UserAvatar } from '../../../kit/UserAvatar.tsx'
import { retries } from '../../../records/reads.ts'
import classes from './Lead.module.css'
import { leadParts } from './useLeadCounts.ts'

const PORTION = 30

/** What was done with the deal and its parts, in words; the newest above. */
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
  // A new line pushes the others to the next page, where they would come again.
  const lines = [...new Map(logs.data.pages.flatMap(({ items }) => items).map((line) => [line.id, line])).values()]
  return (
    <>
      <ol className={classes.log}>
        {lines.map((line) => (
          <li key={line.id} className={classes.line}>
            <UserAvatar user={line.user ?? {}} size={24} />
            <span className={classes.lineText}>
              {line.methodAlias}
              <span className={classes.lineMeta}>
                {line.user ? personName(line.user) : 'Система'} ·{' '}
                <time className="tabular" dateTime={line.dateCreate}>
                  {formatDateTimeSeconds(line.dateCreate)}
                </time>
              </span>
            </span>
          </li>
        ))}
      </ol>
      {logs.hasNextPage && (
        <Button
          size="compact-sm"
          variant="default"
          loading={logs.isFetchingNextPage}
          onClick={() => void logs.fetchNextPage()}
        >
          Показать ещё
        </Button>
      )}
    </>
  )
}
