/** Reading a regulation, as the screens ask for it. */
import { Regulation, RegulationRead } from '@ordinator/model/areas/regulations/regulation'
import type { OpenTest, ReadingResult } from '@ordinator/model/areas/regulations/test'
import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { http } from '../../../base/http.ts'
import { useActor } from '../../../base/session.ts'
import { invalidateRecords, recordKeys } from '../../../records/keys.ts'
import { retries, useList } from '../../../records/reads.ts'
import { useSavedRegulation } from '../calls.ts'

const BASE = '/regulations/model'
/** Readers shown at once. */
const MAX_SHOWN = 500

/** Everyone who must read it, those who have not first. */
export const useReads = (idRegulation: number) =>
  useList(
    RegulationRead,
    { filter: { idRegulation }, expand: ['user'], sort: ['dateRead', 'dateDue', 'id'], limit: MAX_SHOWN },
    { forbidden: 'silent' },
  )

/** The user's own duty to read it, if there is one. */
export function useOwnRead(idRegulation: number) {
  const { id } = useActor()
  const found = useList(RegulationRead, { filter: { idRegulation, idUser: id }, limit: 1 }, { forbidden: 'silent' })
  return found.data?.items[0]
}

export const useTest = (idRegulation: number) =>
  useQuery<OpenTest>({
    queryKey: [...recordKeys.views(Regulation.path), idRegulation, 'test'],
    queryFn: ({ signal }) => http.get(`${BASE}/test`, { query: { id: idRegulation }, signal, forbidden: 'silent' }),
    retry: retries,
  })

export interface Audience {
  roles: string[]
  idUsers: number[]
}

export function useReadingVerbs(idRegulation: number) {
  const cache = useQueryClient()
  const keep = useSavedRegulation()
  const post = <Answer>(name: string, body: object) =>
    http.post<Answer>(`${BASE}/${name}`, body, { query: { id: idRegulation }, forbidden: 'toast' })
  const onSettled = () => void invalidateRecords(cache, RegulationRead.path)
  return {
    confirm: useMutation({
      mutationFn: (answers: number[][] | undefined) => post<ReadingResult>('confirm', { answers }),
      onSettled,
    }),
    remind: useMutation({
      mutationFn: (idUsers: number[] | undefined) => post<{ count: number }>('remind', { idUsers }),
      onSettled,
    }),
    setAudience: useMutation({
      mutationFn: (audience: Audience) => post<RegulationView>('set-audience', audience),
      onSuccess: keep,
      onSettled,
    }),
  }
}
