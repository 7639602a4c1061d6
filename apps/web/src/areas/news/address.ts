import { type SetAddressOptions, useAddress } from '#base/address.ts'
import { id, mark, text, word } from '#base/addressValues.ts'
import type { Search } from '#base/redirect.ts'
import { type NewsFilters, newsFilters } from './newsFilter.ts'

const newsViews = { table: true, feed: true } as const
export type NewsView = keyof typeof newsViews

/** URL parameters of the news. */
export interface NewsAddress extends NewsFilters {
  view?: NewsView
  /** Id of the news item in the side panel. */
  news?: number
  /** The item in the panel or on the page is being edited. */
  edit?: true
  /** The panel creates a new item. */
  create?: true
  /** Key of the opened saved view. */
  saved?: string
}

export type SetNewsAddress = (patch: Partial<NewsAddress>, options?: SetAddressOptions) => void

export const useNewsAddress = (): [NewsAddress, SetNewsAddress] => useAddress(readAddress)

function readAddress(search: Search): NewsAddress {
  return {
    view: word(newsViews, search.view),
    news: id(search.news),
    edit: mark(search.edit),
    create: mark(search.create),
    saved: text(search.saved),
    ...newsFilters.read(search),
  }
}

/** Parameters stored in a saved view: all but the open item. */
export function rememberedOf(address: Partial<NewsAddress>): Partial<NewsAddress> {
  const { news: _n, edit: _e, create: _c, saved: _s, ...rest } = readAddress({ ...address })
  return rest
}
