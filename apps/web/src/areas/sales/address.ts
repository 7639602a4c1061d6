import { type SetAddressOptions, useAddress } from '#base/address.ts'
import { id, text, word } from '#base/addressValues.ts'
import type { Search } from '#base/redirect.ts'
import { type DealFilters, dealFilters } from './dealFilters.ts'

export const dealViews = { board: 'Доска', list: 'Список', table: 'Таблица' } as const
export type DealView = keyof typeof dealViews

/** URL parameters of the deals. `lead` and `funnel` are the specification's names. */
export interface DealsAddress extends DealFilters {
  funnel?: number
  /** Id of the open deal. */
  lead?: number
  view?: DealView
  /** Key of the opened saved view. */
  saved?: string
  /** The dialog of a new deal is open. */
  open?: 'new'
}

export type SetDealsAddress = (patch: Partial<DealsAddress>, options?: SetAddressOptions) => void

export const useDealsAddress = (): [DealsAddress, SetDealsAddress] => useAddress(readAddress)

export function readAddress(search: Search): DealsAddress {
  return {
    funnel: id(search.funnel),
    lead: id(search.lead),
    view: word(dealViews, search.view),
    saved: text(search.saved),
    open: search.open === 'new' ? 'new' : undefined,
    ...dealFilters.read(search),
  }
}
