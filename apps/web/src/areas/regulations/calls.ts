/** Regulation calls (spec §7) for the screens. */
import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import type { RegulationBody, RegulationView } from '@ordinator/model/areas/regulations/wire'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type Body } from '#base/api.ts'
import { AJAX_LIMIT, type AjaxLoad } from '#kit/useAjaxOptions.ts'
import { invalidateRecords } from '#records/keys.ts'
import { retries } from '#records/reads.ts'

const toast = { forbidden: 'toast' } as const
const keyOf = (...rest: unknown[]) => ['records', Regulation.path, ...rest]

/** Entities that change a regulation's view. */
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
  return useQuery({
    queryKey: keyOf('full', id),
    queryFn: ({ signal }) =>
      api('GET /regulations/model/view', { query: { id: id as number } }, { signal, forbidden: 'silent' }),
    enabled: id !== undefined,
    retry: retries,
    meta: { live: PARTS },
  })
}

/** Regulations that the user must read, is responsible for, or reviews. */
export function useUserRegulations() {
  return useQuery({
    queryKey: keyOf('own'),
    queryFn: ({ signal }) => api('GET /regulations/model/get-user-regulations', {}, { signal, forbidden: 'silent' }),
    retry: retries,
    meta: { live: ['regulations/reads', 'regulations/reviewers'], reportsFailure: true },
  })
}

/** Differences between two versions, the older first. */
export function useComparison(older: number, newer: number) {
  return useQuery({
    queryKey: keyOf('compare', older, newer),
    queryFn: ({ signal }) =>
      api('GET /regulations/model/compare', { query: { id: older, with: newer } }, { signal, forbidden: 'silent' }),
    retry: retries,
  })
}

const ROLES_FRESH_MS = 60_000

/** Role names with descriptions. */
export function useRegulationRoles() {
  return useQuery({
    queryKey: ['records', 'roles', 'map'],
    queryFn: ({ signal }) => api('GET /regulations/roles/index', {}, { signal, forbidden: 'silent' }),
    staleTime: ROLES_FRESH_MS,
    retry: retries,
  })
}

/** Active scripts by name, as select options. */
export const searchScripts: AjaxLoad = async (text, signal) => {
  const { items } = await api(
    'GET /regulations/model/get-scripts',
    { query: { 'filter[name][ilike]': text || undefined, 'filter[active]': '1', limit: AJAX_LIMIT } },
    { signal, quiet: true, forbidden: 'silent' },
  )
  return items.map(({ id, name }) => ({ value: id, label: name }))
}

export const saveRegulation = (id: number | undefined, body: RegulationBody): Promise<RegulationView> =>
  id === undefined
    ? api('POST /regulations/model/create', { body }, toast)
    : api('POST /regulations/model/update', { query: { id }, body }, toast)

export const readRegulation = (id: number): Promise<RegulationView> =>
  api('GET /regulations/model/view', { query: { id } }, { forbidden: 'silent' })

/** `dateEffective: null` takes effect at once. */
export type Transition = Body<'POST /regulations/model/transition'>
export type Verdict = Body<'POST /regulations/model/decide'>

/** Actions on a regulation; the response updates the screens. */
export function useRegulationVerbs(id: number) {
  const cache = useQueryClient()
  const query = { id }
  const verb = <B = void>(mutationFn: (body: B) => Promise<RegulationView>) => ({
    mutationFn,
    onSuccess: (view: RegulationView) => cache.setQueryData(keyOf('full', view.id), view),
    onSettled: () => void invalidateRecords(cache, Regulation.path),
  })
  return {
    transition: useMutation(
      verb((body: Transition) => api('POST /regulations/model/transition', { query, body }, toast)),
    ),
    decide: useMutation(verb((body: Verdict) => api('POST /regulations/model/decide', { query, body }, toast))),
    newVersion: useMutation(verb(() => api('POST /regulations/model/new-version', { query }, toast))),
    reviewed: useMutation(verb(() => api('POST /regulations/model/reviewed', { query }, toast))),
  }
}

/** Writes a save's response to the cache. */
export function useSavedRegulation() {
  const cache = useQueryClient()
  return (view: RegulationView) => {
    cache.setQueryData(keyOf('full', view.id), view)
    void invalidateRecords(cache, Regulation.path)
  }
}
