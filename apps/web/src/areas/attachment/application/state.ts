import { AttachmentApplication } from '@ordinator/model/areas/attachment/application'
import type { Answered } from '@ordinator/model/call'
import type { Calls } from '@ordinator/model/calls'
import type { Row } from '@ordinator/model/entity'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { invalidateRecords } from '#records/keys.ts'
import { retries } from '#records/reads.ts'

export type ApplicationRow = Row<typeof AttachmentApplication>

export type State = Answered<Calls['GET /attachment/applications/:id/state']>

export const toast = { forbidden: 'toast' } as const

export const live = [
  'attachment/application-files',
  'attachment/attachments',
  'attachment/areas',
  'customers',
  'customers/policies',
]

export const useFresh = () => {
  const cache = useQueryClient()
  return () => invalidateRecords(cache, AttachmentApplication.path)
}

export const useApplicationState = (id: number) =>
  useQuery({
    queryKey: [AttachmentApplication.path, 'state', id],
    queryFn: ({ signal }) =>
      api('GET /attachment/applications/:id/state', { params: { id } }, { signal, forbidden: 'silent' }),
    retry: retries,
    placeholderData: (before) => before,
    meta: { live: [AttachmentApplication.path, ...live] },
  })
