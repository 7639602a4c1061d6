import { id } from '#base/addressValues.ts'
import type { Search } from '#base/redirect.ts'
import type { Chosen } from '#records/tree/groups.ts'

/** URL parameters of the catalogue besides the list's own. */
interface CatalogueAddress {
  group?: Chosen
  page?: number
}

export const readCatalogue = (search: Search): CatalogueAddress => ({
  group: search.group === 'none' ? 'none' : id(search.group),
})

/** Pages of a service take its id from the query, as in the former URLs. */
export const readService = (search: Search): { id?: number } => ({ id: id(search.id) })

export const serviceHref = (idService: number): string => `/service/view?id=${idService}`
