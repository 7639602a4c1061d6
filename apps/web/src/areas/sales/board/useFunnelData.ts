import { can } from '@ordinator/model/access'
import { Funnel, Stage } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import type { AnyFilter } from '@ordinator/model/client'
import { useQuery } from '@tanstack/react-query'
import { type Answer, api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { retries, useList } from '#records/reads.ts'
import type { StageRow } from './deals.ts'

const MAX_FUNNELS = 200
const MAX_STAGES = 100

/** All funnels, and the stages of the open one. */
export function useFunnels() {
  return useList(Funnel, { sort: 'order', limit: MAX_FUNNELS }, { forbidden: 'silent' })
}

export function useStages(idFunnel: number | undefined) {
  const list = useList(
    Stage,
    { filter: { idFunnel: idFunnel ?? 0 }, sort: 'order', limit: MAX_STAGES },
    { enabled: idFunnel !== undefined, forbidden: 'silent' },
  )
  return { ...list, stages: (list.data?.items ?? none) as StageRow[] }
}

const none: never[] = []

/** True when the user may edit deals. */
export const useMayEdit = (): boolean => can(useActor(), 'update', Lead)

/** True when the user may set up funnels, stages and rules. */
export const useMaySetUp = (): boolean => can(useActor(), 'update', Funnel)

export type Totals = Answer<'GET /sales-management/funnels/:id/totals'>

/** Count and sum per stage, with the board's filter. */
export function useTotals(idFunnel: number, filter: AnyFilter) {
  return useQuery({
    queryKey: ['records', Lead.path, 'totals', idFunnel, JSON.stringify(filter)],
    queryFn: ({ signal }) =>
      api(
        'GET /sales-management/funnels/:id/totals',
        { params: { id: idFunnel }, query: { filter } },
        { forbidden: 'silent', quiet: true, signal },
      ),
    placeholderData: (before, query) => (query?.queryKey[3] === idFunnel ? before : undefined),
    retry: retries,
  })
}
