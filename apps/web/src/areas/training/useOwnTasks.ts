import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'

/** Tasks are ticked by writes, so they are queried again soon after. */
const EVERY_MS = 5_000

/** Inside the training clinic: the role of this session, and which of its tasks are done. */
export const useOwnTasks = () =>
  useQuery({
    queryKey: ['staff-training', 'tasks'],
    queryFn: ({ signal }) => api('GET /staff-training/tasks', {}, { signal, quiet: true, forbidden: 'silent' }),
    refetchInterval: EVERY_MS,
  })
