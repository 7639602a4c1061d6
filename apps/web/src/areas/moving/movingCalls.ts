import { MoveFile } from '@ordinator/model/areas/moving/move'
import type { MoveTableKey } from '@ordinator/model/areas/moving/tables'
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type Answer, api, apiUrl } from '#base/api.ts'
import { upload } from '#base/apiUpload.ts'
import { download } from '#base/http.ts'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'

export type Plan = Answer<'GET /moving/:id/plan'>
export type PlanTable = Plan['tables'][number]
export type PlanFile = PlanTable['files'][number]
export type Unknown = Plan['unknown'][number]
export type FileRowsAnswer = Answer<'GET /moving/files/:id/seen'>
export type Fate = FileRowsAnswer['rows'][number]['fate']
export type Reason = FileRowsAnswer['reasons'][number]
export type Reconciliation = Answer<'GET /moving/:id/reconciliation'>
export type Profile = Answer<'GET /moving/profiles-known'>['items'][number]
export type FileRow = Answer<'PUT /moving/files/:id/mapping'>

/** While files are worked on the plan is read again so often. */
const BUSY_MS = 2_000

export const usePlan = (id: number) =>
  useQuery({
    queryKey: ['moving', id, 'plan'],
    queryFn: ({ signal }) => api('GET /moving/:id/plan', { params: { id } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.busy ? BUSY_MS : false),
  })

/** Data of a file, with its rows of one kind or with notes of one kind, page by page. */
export const useFileRows = (
  file: FileRow,
  { fate, reason }: { fate?: Fate; reason?: Pick<Reason, 'field' | 'kind'> },
) =>
  useInfiniteQuery({
    queryKey: ['moving', 'file', file.id, file._version, fate ?? 'all', reason?.field, reason?.kind],
    queryFn: ({ signal, pageParam }) =>
      api(
        'GET /moving/files/:id/seen',
        {
          params: { id: file.id },
          query: {
            ...(fate && { fate }),
            ...(reason && { kind: reason.kind, field: reason.field }),
            after: pageParam,
            limit: 30,
          },
        },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: ({ hasMore, rows }) => (hasMore ? rows.at(-1)?.row : undefined),
    placeholderData: keepPreviousData,
  })

export const useReconciliation = (id: number) =>
  useQuery({
    queryKey: ['moving', id, 'reconciliation'],
    queryFn: ({ signal }) => api('GET /moving/:id/reconciliation', { params: { id } }, { signal }),
    staleTime: 0,
  })

export const useProfiles = () =>
  useQuery({
    queryKey: ['moving', 'profiles'],
    queryFn: ({ signal }) => api('GET /moving/profiles-known', {}, { signal }),
  })

export const sendFile = (
  id: number,
  table: MoveTableKey,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
) => {
  const body = new FormData()
  body.append('table', table)
  body.append('file', file)
  return upload('POST /moving/:id/files', { params: { id }, body }, { onProgress, signal })
}

/** Invalidates the queries of a move. */
export function useRefresh() {
  const cache = useQueryClient()
  return useCallback(() => {
    invalidateRecords(cache, MoveFile.path)
    return cache.invalidateQueries({ queryKey: ['moving'] })
  }, [cache])
}

/** An action on a file or the move: a failure is shown. */
export function useAct<A, R>(run: (asked: A) => Promise<R>) {
  const refresh = useRefresh()
  return useMutation({ mutationFn: run, onError: notifyFailure, onSettled: () => void refresh() })
}

export const saveLeft = (id: number, what: 'wrong' | 'both', file?: number) =>
  download(
    apiUrl('GET /moving/:id/left', { params: { id }, query: { what, ...(file && { file }) } }),
    what === 'wrong' ? 'Оставшиеся строки.xlsx' : 'Изменены с обеих сторон.xlsx',
  )
export const saveTemplate = (table: MoveTableKey, title: string) =>
  download(apiUrl('GET /moving/templates/:table', { params: { table } }), `${title}.xlsx`)
export const saveProfile = (key: string, name: string) =>
  download(apiUrl('GET /moving/profiles-known/:key/file', { params: { key } }), `Профиль ${name}.json`)
