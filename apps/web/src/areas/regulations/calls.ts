/** The calls of regulations (spec §7) as the screens use them. */
import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import type { RegulationStatus } from '@ordinator/model/areas/regulations/status'
import type {
  RegulationBody,
  RegulationDifference,
  RegulationView,
  UserRegulation,
} from '@ordinator/model/areas/regulations/wire'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { http } from '../../base/http.ts'
import { AJAX_LIMIT, type AjaxLoad } from '../../kit/useAjaxOptions.ts'
import { invalidateRecords } from '../../records/keys.ts'
import { retries } from '../../records/reads.ts'

const BASE = '/regulations/model'
const keyOf = (...rest: unknown[]) => ['records', Regulation.path, ...rest]

/** What changes the view of a regulation besides itself. */
const PARTS = [
  'steps',
  'step-images',
  'step-documents',
  'step-scripts',
  'step-responsibles',
  'reviewers',
  'audience',
  'violations',
].map((part) => `regulations/${part}`)

export function useRegulation(id: number | undefined) {
  return useQuery<RegulationView>({
    queryKey: keyOf('full', id),
    queryFn: ({ signal }) => http.get(`${BASE}/view`, { query: { id }, signal, forbidden: 'silent' }),
    enabled: id !== undefined,
    retry: retries,
    meta: { live: PARTS },
  })
}

/** What the user must read, answers for or checks. */
export function useUserRegulations() {
  return useQuery<UserRegulation[]>({
    queryKey: keyOf('own'),
    queryFn: ({ signal }) => http.get(`${BASE}/get-user-regulations`, { signal, forbidden: 'silent' }),
    retry: retries,
    meta: { live: ['regulations/reads', 'regulations/reviewers'] },
  })
}

/** Two versions, the older first. */
export function useComparison(older: number, newer: number) {
  return useQuery<RegulationDifference>({
    queryKey: keyOf('compare', older, newer),
    queryFn: ({ signal }) =>
      http.get(`${BASE}/compare`, {
        query: { id: older, with: newer },
        signal,
        forbidden: 'silent',
      }),
    retry: retries,
  })
}

const ROLES_FRESH_MS = 60_000

/** Names of the roles with their descriptions. */
export function useRegulationRoles() {
  return useQuery<Record<string, string>>({
    queryKey: ['records', 'roles', 'map'],
    queryFn: ({ signal }) => http.get('/regulations/roles/index', { signal, forbidden: 'silent' }),
    staleTime: ROLES_FRESH_MS,
    retry: retries,
  })
}

/** Scripts in force by their name, as options of a select. */
export const searchScripts: AjaxLoad = async (text, signal) => {
  const { items } = await http.get<{ items: { id: number; name: string }[] }>(`${BASE}/get-scripts`, {
    query: { filter: { name: text ? { ilike: text } : undefined, active: 1 }, limit: AJAX_LIMIT },
    signal,
    quiet: true,
    forbidden: 'silent',
  })
  return items.map(({ id, name }) => ({ value: id, label: name }))
}

export const saveRegulation = (id: number | undefined, body: RegulationBody): Promise<RegulationView> =>
  id === undefined
    ? http.post(`${BASE}/create`, body, { forbidden: 'toast' })
    : http.post(`${BASE}/update`, body, { query: { id }, forbidden: 'toast' })

export const readRegulation = (id: number): Promise<RegulationView> =>
  http.get(`${BASE}/view`, { query: { id }, forbidden: 'silent' })

export interface Transition {
  to: RegulationStatus
  reason?: string
  /** null: at once, whatever day was set. */
  dateEffective?: string | null
}

export interface Verdict {
  decision: 'approved' | 'rejected'
  comment?: string
}

/** What is done with one regulation as a whole; its answer is what the screens show next. */
export function useRegulationVerbs(id: number) {
  const cache = useQueryClient()
  const verb = <Body>(name: string) => ({
    mutationFn: (body: Body) =>
      http.post<RegulationView>(`${BASE}/${name}`, body, { query: { id }, forbidden: 'toast' }),
    onSuccess: (view: RegulationView) => cache.setQueryData(keyOf('full', view.id), view),
    onSettled: () => void invalidateRecords(cache, Regulation.path),
  })
  return {
    transition: useMutation(verb<Transition>('transition')),
    decide: useMutation(verb<Verdict>('decide')),
    newVersion: useMutation(verb<Record<string, never>>('new-version')),
    reviewed: useMutation(verb<Record<string, never>>('reviewed')),
  }
}

/** Puts what a save has answered where it is shown. */
export function useSavedRegulation() {
  const cache = useQueryClient()
  return (view: RegulationView) => {
    cache.setQueryData(keyOf('full', view.id), view)
    void invalidateRecords(cache, Regulation.path)
  }
}
