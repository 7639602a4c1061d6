import { type NewsSource, newsSources } from '@ordinator/model/areas/news/source'
import { type SetAddressOptions, useAddress } from '../../base/address.ts'
import { day, id, listOf, mark, text, word } from '../../base/addressValues.ts'
import type { Search } from '../../base/redirect.ts'

const newsViews = { table: true, feed: true } as const
export type NewsView = keyof typeof newsViews

/** Which of the news by their being shown to everybody. */
export const activeWords = { yes: 'Активные', no: 'Неактивные' } as const

/** What narrows the news that are listed. */
export interface NewsFilters {
  /** Text sought in titles. */
  q?: string
  source?: NewsSource[]
  active?: keyof typeof activeWords
  /** Days, `YYYY-MM-DD`, of the news' date. */
  from?: string
  to?: string
  unread?: true
}

/** What the address of the news holds. */
export interface NewsAddress extends NewsFilters {
  view?: NewsView
  /** Id of the news item in the side panel. */
  news?: number
  /** The item of the panel, or of the full view, is being changed. */
  edit?: true
  /** The panel makes a new one. */
  create?: true
  /** Key of the saved view that was opened. */
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
    q: text(search.q),
    source: listOf(search.source, (one) => word(newsSources, one)),
    active: word(activeWords, search.active),
    from: day(search.from),
    to: day(search.to),
    unread: mark(search.unread),
  }
}

/** What a saved view remembers: all but the open item. */
export function rememberedOf(address: Partial<NewsAddress>): Partial<NewsAddress> {
  const { news: _n, edit: _e, create: _c, saved: _s, ...rest } = readAddress({ ...address })
  return rest
}

/** The filters taken off, for «Сбросить». */
export const noFilters = {
  q: undefined,
  source: undefined,
  active: undefined,
  from: undefined,
  to: undefined,
  unread: undefined,
} satisfies Record<keyof NewsFilters, undefined>

/** How many filters are on; both ends of the period are one. */
export const filterCount = (address: NewsFilters): number =>
  Object.keys(noFilters).filter(
    (name) => address[name as keyof NewsFilters] !== undefined && !(name === 'to' && address.from),
  ).length
