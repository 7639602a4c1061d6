/** Queries and mutations of reading. */
import { Regulation, RegulationRead } from '@ordinator/model/areas/regulations/regulation'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type Body } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { invalidateRecords, recordKeys } from '#records/keys.ts'
import { retries, useList } from '#records/reads.ts'
import { useSavedRegulation } from '../calls.ts'

const toast = { forbidden: 'toast' } as const
/** Maximum readers shown. */
const MAX_SHOWN = 500

/** All readers, those who have not read first. */
export const useReads = (idRegulation: number, enabled = true) =>
  useList(
    RegulationRead,
    { filter: { idRegulation }, expand: ['user'], sort: ['dateRead', 'dateDue', 'id'], limit: MAX_SHOWN },
    { forbidden: 'silent', enabled },
  )

/** The user's reading assignment, if any. */
export function useOwnRead(idRegulation: number) {
  const { id } = useActor()
  const found = useList(RegulationRead, { filter: { idRegulation, idUser: id }, limit: 1 }, { forbidden: 'silent' })
  return found.data?.items[0]
}

export const useTest = (idRegulation: number) =>
  useQuery({
    queryKey: [...recordKeys.views(Regulation.path), idRegulation, 'test'],
    queryFn: ({ signal }) =>
      api('GET /regulations/model/test', { query: { id: idRegulation } }, { signal, forbidden: 'silent' }),
    retry: retries,
  })

export type Audience = Body<'POST /regulations/model/set-audience'>

export function useReadingVerbs(idRegulation: number) {
  const cache = useQueryClient()
  const keep = useSavedRegulation()
  const query = { id: idRegulation }
  const onSettled = () => void invalidateRecords(cache, RegulationRead.path)
  return {
    confirm: useMutation({
      mutationFn: (answers: number[][] | undefined) =>
        api('POST /regulations/model/confirm', { query, body: { answers } }, toast),
      onSettled,
    }),
    remind: useMutation({
      mutationFn: (idUsers: number[] | undefined) =>
        api('POST /regulations/model/remind', { query, body: { idUsers } }, toast),
      onSettled,
    }),
    setAudience: useMutation({
      mutationFn: (body: Audience) => api('POST /regulations/model/set-audience', { query, body }, toast),
      onSuccess: keep,
      onSettled,
    }),
  }
}
