import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { usePreference } from '#base/preferences.ts'
import { ViewMenu } from './ViewMenu.tsx'
import { readNamedViews } from './views.ts'

interface Props<A extends object> {
  /** Key of the user's stored views: `board-views:12`. */
  name: string
  address: A
  /** The part of a URL that a view stores, in a fixed order. */
  remember: (address: Partial<A>) => Partial<A>
  /** A patch that removes everything a view stores. */
  nothing: Partial<A>
  /** One line about what is stored. */
  about: string
  setAddress: (patch: Partial<A>, options?: { replace?: boolean }) => void
}

/** The user's saved views of a screen with its state in the URL; one of them may be the default. */
export function AddressViews<A extends { saved?: string }>(props: Props<A>) {
  const { name, address, nothing, about, setAddress } = props
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const remembered = (one: Partial<A>): Partial<A> =>
    Object.fromEntries(Object.entries(props.remember(one)).filter(([, value]) => value !== undefined)) as Partial<A>
  const readViews = (stored: unknown) => {
    const items = readNamedViews<{ address: Partial<A> }>(stored, (view) => ({
      address: remembered((view.address ?? {}) as Partial<A>),
    }))
    const first = (stored as { first?: unknown } | null)?.first
    return { items, first: typeof first === 'string' ? first : '' }
  }
  const [views, save] = usePreference(name, readViews, 'account')
  const current = { address: remembered(address) }
  const bare = useRef(Object.keys(current.address).length === 0 && address.saved === undefined)
  const first = views.items.find((view) => view.key === views.first)
  useEffect(() => {
    if (!bare.current || !first) return
    bare.current = false
    setAddress({ ...first.address, saved: first.key }, { replace: true })
  }, [first, setAddress])
  return (
    <ViewMenu<{ address: Partial<A> }>
      views={views.items}
      opened={address.saved ?? ''}
      current={current}
      isSame={(a, b) => JSON.stringify(remembered(a.address)) === JSON.stringify(remembered(b.address))}
      plain="Обычный вид"
      about={about}
      onOpen={(view) => {
        bare.current = false
        setAddress({ ...nothing, ...view?.address, saved: view?.key } as Partial<A>)
      }}
      onChange={(items) => save({ ...views, items })}
      first={{ key: views.first, onChange: (key) => save({ ...views, first: key }) }}
      compact={phone}
    />
  )
}
