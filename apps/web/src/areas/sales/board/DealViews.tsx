import { AddressViews } from '#records/table/AddressViews.tsx'
import { type DealsAddress, readAddress, type SetDealsAddress } from '../address.ts'
import { dealFilters } from '../dealFilters.ts'

interface Props {
  idFunnel: number
  address: DealsAddress
  setAddress: SetDealsAddress
}

/** The user's saved views of a funnel, with an optional default. */
export function DealViews({ idFunnel, ...rest }: Props) {
  return (
    <AddressViews<DealsAddress>
      name={`deal-views:${idFunnel}`}
      remember={remember}
      nothing={nothing}
      about="Запомнит вид и фильтры"
      {...rest}
    />
  )
}

const nothing = { ...dealFilters.none, view: undefined }

/** URL parameters without funnel and open deal. */
function remember(address: Partial<DealsAddress>): Partial<DealsAddress> {
  const { funnel: _f, lead: _l, saved: _s, ...rest } = readAddress({ ...address })
  return rest
}
