/** Queries and mutations of runs. */
import { RegulationRun, RunStep, type RunStepState, Violation } from '@ordinator/model/areas/regulations/run'
import type { Filter } from '@ordinator/model/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { recordsWith } from '#base/client.ts'
import { invalidateRecords, recordKeys } from '#records/keys.ts'
import { retries, useList } from '#records/reads.ts'
import { useSave } from '#records/writes.ts'

/** Maximum runs in a list, the latest. */
const MAX_RUNS = 100
const MAX_STEPS = 500

/** Runs with progress; marks of steps update them. */
export function useRuns(filter: Filter<typeof RegulationRun>, enabled = true) {
  const query = { filter, expand: ['user', 'regulation'], sort: '-id', limit: MAX_RUNS } as const
  return useQuery({
    queryKey: recordKeys.list(RegulationRun.path, { ...query, filter: { ...filter } }),
    queryFn: ({ signal }) => recordsWith({ forbidden: 'silent' }).list(RegulationRun, query, { signal }),
    retry: retries,
    enabled,
    meta: { live: [RunStep.path] },
  })
}

export const useRunSteps = (idRun: number) =>
  useList(RunStep, { filter: { idRun }, sort: 'id', limit: MAX_STEPS }, { forbidden: 'silent' })

export interface Mark {
  id: number
  state: RunStepState
  note?: string | null
}

const changed = [RegulationRun.path, RunStep.path, Violation.path, 'regulations']

/** Actions of a run; the server validates them. */
export function useRunVerbs(idRun: number) {
  const cache = useQueryClient()
  const renew = () => Promise.all(changed.map((path) => invalidateRecords(cache, path)))
  const save = useSave(RunStep, { optimistic: false })
  const end = useMutation({
    mutationFn: (how: 'finish' | 'cancel') =>
      api(`POST /regulations/runs/:id/${how}`, { params: { id: idRun } }, { forbidden: 'toast' }),
    onSettled: renew,
  })
  return { end, mark: (mark: Mark) => save.mutateAsync(mark).finally(renew), isMarking: save.isPending }
}
