import { useEffect, useRef } from 'react'
import { usePreference } from '../../../app/preferences.ts'
import { ViewMenu } from '../../../records/table/ViewMenu.tsx'
import { readNamedViews } from '../../../records/table/views.ts'
import { noBoard, readAddress, type SetTasksAddress, type TasksAddress } from '../address.ts'

/** What a view of a board remembers: everything of the address but the workspace and the open card. */
interface Contents {
  address: Partial<TasksAddress>
}

interface Props {
  idBoard: number
  address: TasksAddress
  setAddress: SetTasksAddress
  phone: boolean
}

/** The person's own views of a workspace, of which one may be what it opens with. */
export function BoardViews({ idBoard, address, setAddress, phone }: Props) {
  const [views, save] = usePreference(`board-views:${idBoard}`, readViews, 'account')
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
      about="Запомнит вид, фильтры, группы и порядок"
      onOpen={(view) => {
        bare.current = false
        setAddress({ ...nothing, ...view?.address, saved: view?.key })
      }}
      onChange={(items) => save({ ...views, items })}
      first={{ key: views.first, onChange: (key) => save({ ...views, first: key }) }}
      compact={phone}
    />
  )
}

const { board: _board, assignedColumn: _card, ...nothing } = noBoard

/** In one order and without what is empty, so that two can be compared as texts. */
function remembered(address: Partial<TasksAddress>): Partial<TasksAddress> {
  const { board: _b, assignedColumn: _c, saved: _s, date: _d, ...rest } = readAddress({ ...address })
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
}

function readViews(stored: unknown) {
  const items = readNamedViews<Contents>(stored, (view) => ({
    address: remembered((view.address ?? {}) as Partial<TasksAddress>),
  }))
  const first = (stored as { first?: unknown } | null)?.first
  return { items, first: typeof first === 'string' ? first : '' }
}
