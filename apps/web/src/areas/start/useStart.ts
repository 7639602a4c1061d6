import type { StartKey, StartState } from '@ordinator/model/areas/start/steps'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type Answer, api } from '#base/api.ts'
import { notifyFailure } from '#records/notifyFailure.ts'

export type Progress = Answer<'GET /start'>
export type Step = Progress['steps'][number]

const KEY = ['start']

/** Setup progress, reloaded at each visit of the page or the dashboard. */
export const useStart = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api('GET /start', {}, { signal }),
    staleTime: 0,
    meta: { known: true },
  })

/** Takes or skips a step, or resets it. */
export function useMark(): (key: StartKey, state: StartState | null) => Promise<void> {
  const cache = useQueryClient()
  return useCallback(
    async (key, state) => {
      try {
        cache.setQueryData(KEY, await api('PUT /start/steps/:key', { params: { key }, body: { state } }))
      } catch (error) {
        notifyFailure(error as Error)
      }
    },
    [cache],
  )
}
