import { id } from '#base/addressValues.ts'
import type { Search } from '#base/redirect.ts'

/** URL parameters of the scripts besides the list's own: a group, or 'none'. */
export interface ScriptsAddress {
  group?: number | 'none'
  /** Page of the list. */
  page?: number
}

export const readAddress = (search: Search): ScriptsAddress => ({
  group: search.group === 'none' ? 'none' : id(search.group),
})

export const scriptHref = (idScript: number): string => `/scripts/${idScript}`
