import { id } from '#base/addressValues.ts'
import type { Search } from '#base/redirect.ts'

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
