import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { id } from '../../base/addressValues.ts'
import type { Search } from '../../base/redirect.ts'

/** What the address of the scripts holds besides the list's own: a group, or those of none. */
export interface ScriptsAddress {
  group?: number | 'none'
  /** Of the list's table. */
  page?: number
}

export const readAddress = (search: Search): ScriptsAddress => ({
  group: search.group === 'none' ? 'none' : id(search.group),
})

export const scriptHref = (idScript: number): string => `/scripts/${idScript}`

/** Ways between the screens of scripts. */
export function useGo() {
  const navigate = useRouter().navigate as unknown as (to: { to: string; search?: object; replace?: boolean }) => void
  return useMemo(
    () => ({
      toList: () => navigate({ to: '/scripts', search: {} }),
      toScript: (idScript: number, options?: { replace: boolean }) =>
        navigate({ to: scriptHref(idScript), search: {}, ...options }),
      toNew: (group?: number) => navigate({ to: '/new-scripts', search: { group } }),
    }),
    [navigate],
  )
}
