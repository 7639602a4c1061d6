import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'

/** Where the site stands, and what of what a clinic must publish is there. */
export const useCheckList = () =>
  useQuery({
    queryKey: ['site check list'],
    queryFn: ({ signal }) => api('GET /client/check-list', {}, { signal, quiet: true, forbidden: 'silent' }),
  })
