import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Answer, api } from '../../base/api.ts'
import { useLive } from '../../realtime/useLive.ts'

export type Counts = Answer<'GET /live-assist/counts'>
const KEY = ['chatCounts']

/** How many chats stand under each tab, kept fresh. */
export function useCounts(): Counts | undefined {
  const cache = useQueryClient()
  const again = () => void cache.invalidateQueries({ queryKey: KEY })
  useLive(LiveAssist.path, again, { onReset: again })
  return useQuery({ queryKey: KEY, queryFn: ({ signal }) => api('GET /live-assist/counts', {}, { signal }) }).data
}
