import { type ReportWidgetKey, reportWidgets } from '@ordinator/model/areas/reports/widgets'
import { useQuery } from '@tanstack/react-query'
import { type Answer, api } from '#base/api.ts'
import { retries } from '#records/reads.ts'

/** What is shown is counted again so often, and after changes at most so often. */
const EVERY_MS = 60_000
const LIVE_EVERY_MS = 10_000

export type WidgetAnswer = Answer<'GET /dashboard/figures'>['items'][number]

/** Figures of the visible blocks, by one request; refreshing one refreshes all. */
export function useWidgetFigures(keys: readonly ReportWidgetKey[]) {
  const asked = keys.toSorted().join(',')
  const found = useQuery({
    queryKey: ['widgetFigures', asked],
    queryFn: ({ signal }) => api('GET /dashboard/figures', { query: { keys: asked } }, { signal, quiet: true }),
    enabled: asked !== '',
    retry: retries,
    refetchInterval: EVERY_MS,
    meta: { live: [...new Set(keys.flatMap((key) => reportWidgets[key].live))], everyMs: LIVE_EVERY_MS, known: true },
    placeholderData: (before) => before,
  })
  const byKey = new Map(found.data?.items.map((item) => [item.key, item]))
  const failed: Omit<WidgetAnswer, 'key'> = { figures: null, refusal: 'Показатели не загрузились: обновите страницу' }
  return {
    answerOf: (key: string): WidgetAnswer | undefined =>
      byKey.get(key) ?? (found.isError ? { key, ...failed } : undefined),
    isPending: found.isLoading,
    refresh: () => void found.refetch(),
  }
}
