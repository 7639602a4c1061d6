import { type SetAddressOptions, useAddress } from '../../base/address.ts'
import { day, id, listOf, mark, text, word } from '../../base/addressValues.ts'
import type { Search } from '../../base/redirect.ts'

export const dealViews = { board: 'Доска', list: 'Список', table: 'Таблица' } as const
export type DealView = keyof typeof dealViews

/** Stages by type, as the address names them; the values are the ids of the types. */
export const typeWords = { work: 1, done: 2, loss: 3 } as const
export type TypeWord = keyof typeof typeWords

/** What narrows the deals that are shown. */
export interface DealFilters {
  /** Text sought in titles, contacts and companies. */
  q?: string
  /** Ids of users. */
  responsible?: number[]
  source?: number[]
  /** Names of tags; any of them. */
  tags?: string[]
  type?: TypeWord[]
  /** Days, `YYYY-MM-DD`, of the creation. */
  createdFrom?: string
  createdTo?: string
  /** The same of the expected date. */
  expectedFrom?: string
  expectedTo?: string
  /** «Без следующего шага» */
  idle?: true
  /** «Застряли»: longer in the stage than it allows. */
  stuck?: true
  /** The next step is late. */
  late?: true
  mine?: true
}

/** What the address of the deals holds. `lead` and `funnel` are the specification's names. */
export interface DealsAddress extends DealFilters {
  funnel?: number
  /** Id of the open deal. */
  lead?: number
  view?: DealView
  /** Key of the saved view that was opened. */
  saved?: string
}

export type SetDealsAddress = (patch: Partial<DealsAddress>, options?: SetAddressOptions) => void

export const useDealsAddress = (): [DealsAddress, SetDealsAddress] => useAddress(readAddress)

export function readAddress(search: Search): DealsAddress {
  return {
    funnel: id(search.funnel),
    lead: id(search.lead),
    view: word(dealViews, search.view),
    saved: text(search.saved),
    ...readFilters(search),
  }
}

/** The filters alone, of an address or of a saved view. */
export function readFilters(search: Search): DealFilters {
  return {
    q: text(search.q),
    responsible: listOf(search.responsible, id),
    source: listOf(search.source, id),
    tags: listOf(search.tags, text),
    type: listOf(search.type, (one) => word(typeWords, one)),
    createdFrom: day(search.createdFrom),
    createdTo: day(search.createdTo),
    expectedFrom: day(search.expectedFrom),
    expectedTo: day(search.expectedTo),
    idle: mark(search.idle),
    stuck: mark(search.stuck),
    late: mark(search.late),
    mine: mark(search.mine),
  }
}

/** The filters taken off, for «Сбросить». */
export const noFilters = {
  q: undefined,
  responsible: undefined,
  source: undefined,
  tags: undefined,
  type: undefined,
  createdFrom: undefined,
  createdTo: undefined,
  expectedFrom: undefined,
  expectedTo: undefined,
  idle: undefined,
  stuck: undefined,
  late: undefined,
  mine: undefined,
} satisfies Record<keyof DealFilters, undefined>

/** How many filters are on; both ends of a period are one. */
export const filterCount = (address: DealFilters): number =>
  Object.keys(noFilters).filter((name) => {
    if (name === 'createdTo' && address.createdFrom) return false
    if (name === 'expectedTo' && address.expectedFrom) return false
    return address[name as keyof DealFilters] !== undefined
  }).length

export const isFiltered = (address: DealFilters): boolean => filterCount(address) > 0
