import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'

/** Address of the site, and its obligatory information. */
export const useCheckList = () =>
  useQuery({
    queryKey: ['site check list'],
    queryFn: ({ signal }) => api('GET /client/check-list', {}, { signal, quiet: true, forbidden: 'silent' }),
  })
