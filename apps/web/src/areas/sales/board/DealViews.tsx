import { useEffect, useRef } from 'react'
import { usePreference } from '../../../app/preferences.ts'
import { ViewMenu } from '../../../records/table/ViewMenu.tsx'
import { readNamedViews } from '../../../records/table/views.ts'
import { type DealsAddress, noFilters, readAddress, type SetDealsAddress } from '../address.ts'

/** What a view of a funnel remembers: everything of the address but the funnel and the open deal. */
interface Contents {
  address: Partial<DealsAddress>
}

interface Props {
  idFunnel: number
  address: DealsAddress
  setAddress: SetDealsAddress
  phone: boolean
}

/** The person's own views of a funnel, of which one may be what it opens with. */
export function DealViews({ idFunnel, address, setAddress, phone }: Props) {
  const [views, save] = usePreference(`deal-views:${idFunnel}`, readViews, 'account')
  const current = { address: remembered(address) }
  const bare = useRef(Object.keys(current.address).length === 0 && address.saved === undefined)
  const first = views.items.find((view) => view.key === views.first)
  useEffect(() => {
    if (!bare.current || !first) return
    bare.current = false
    setAddress({ ...first.address, saved: first.key }, { replace: true })
  }, [first, setAddress])
  return (
    <ViewMenu<Contents>
      views={views.items}
      opened={address.saved ?? ''}
      current={current}
      isSame={(a, b) => JSON.stringify(remembered(a.address)) === JSON.stringify(remembered(b.address))}
      plain="Обычный вид"
      about="Запомнит вид и фильтры"
      onOpen={(view) => {
        bare.current = false
        setAddress({ ...noFilters, view: undefined, ...view?.address, saved: view?.key })
      }}
      onChange={(items) => save({ ...views, items })}
      first={{ key: views.first, onChange: (key) => save({ ...views, first: key }) }}
      compact={phone}
    />
  )
}

/** In one order and without what is empty, so that two can be compared as texts. */
function remembered(address: Partial<DealsAddress>): Partial<DealsAddress> {
  const { funnel: _f, lead: _l, saved: _s, ...rest } = readAddress({ ...address })
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
}

function readViews(stored: unknown) {
  const items = readNamedViews<Contents>(stored, (view) => ({
    address: remembered((view.address ?? {}) as Partial<DealsAddress>),
  }))
  const first = (stored as { first?: unknown } | null)?.first
  return { items, first: typeof first === 'string' ? first : '' }
}
