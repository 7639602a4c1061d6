import { id } from '#base/addressValues.ts'
import type { Search } from '#base/redirect.ts'
import type { Chosen } from '#records/tree/groups.ts'

/** What the address of the catalogue holds besides the list's own. */
interface CatalogueAddress {
  group?: Chosen
  page?: number
}

export const readCatalogue = (search: Search): CatalogueAddress => ({
  group: search.group === 'none' ? 'none' : id(search.group),
})

/** The pages of one service name it in the query, as the older addresses do. */
export const readService = (search: Search): { id?: number } => ({ id: id(search.id) })

export const serviceHref = (idService: number): string => `/service/view?id=${idService}`
