import { FilterBar } from '#records/filters/FilterBar.tsx'
import { AddressViews } from '#records/table/AddressViews.tsx'
import { type NewsAddress, rememberedOf, type SetNewsAddress } from '../address.ts'
import { newsFilters } from '../newsFilter.ts'

interface Props {
  address: NewsAddress
  setAddress: SetNewsAddress
}

/** Filters of news in every view, stored in the URL. */
export function NewsFilterBar({ address, setAddress }: Props) {
  return (
    <FilterBar filters={newsFilters} values={address} onChange={setAddress}>
      <AddressViews<NewsAddress>
        name="news-views"
        address={address}
        remember={rememberedOf}
        nothing={{ ...newsFilters.none, view: undefined }}
        about="Запомнит вид и фильтры"
        setAddress={setAddress}
      />
    </FilterBar>
  )
}
