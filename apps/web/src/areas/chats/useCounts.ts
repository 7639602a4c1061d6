import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { useQuery } from '@tanstack/react-query'
import { type Answer, api } from '#base/api.ts'

export type Counts = Answer<'GET /live-assist/counts'>

/** Number of chats per tab, kept fresh. */
export const useCounts = (enabled = true): Counts | undefined =>
  useQuery({
    queryKey: ['chatCounts'],
    queryFn: ({ signal }) => api('GET /live-assist/counts', {}, { signal }),
    enabled,
    // Every message may change them.
    meta: { live: [LiveAssist.path], everyMs: 5_000 },
  }).data
