import { TextInput } from '@mantine/core'
import { isRefs } from '@ordinator/model/fields/refs'
import { usePeople } from '#kit/people.ts'
import type { PersonLike } from '#kit/UserAvatar.tsx'
import { UserLinks } from '#kit/UserLink.tsx'
import { briefAt } from '../declarations.ts'
import { titleOf } from '../title.ts'
import { askRefs } from './askRefs.tsx'
import { RefMultiSelect, useNamed } from './RefSelect.tsx'
import { type CellProps, type FieldUi, type InputProps, kitFrame } from './ui.ts'

const idsOf = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : [])
const words = (value: unknown) =>
  idsOf(value)
    .map((id) => `№ ${id}`)
    .join(', ')

/** Names of the records, as far as they are readable. */
function useNames(to: string, value: unknown): string {
  const ids = idsOf(value)
  const rows = useNamed(to, ids)
  return ids
    .map((id) => {
      const row = rows.find((one) => one.id === id)
      return row ? titleOf(briefAt(to), row) : `№ ${id}`
    })
    .join(', ')
}

function RefsCell({ f, value }: CellProps) {
  const to = isRefs(f) ? f.to : ''
  const isPeople = usePeople().ways[to] !== undefined
  const named = useNames(to, value)
  const rows = useNamed(to, idsOf(value))
  // Links of names are decided by the kit.
  return isPeople ? <UserLinks users={rows as PersonLike[]} of={to} /> : <span title={named}>{named}</span>
}

function RefsField(props: InputProps) {
  const { f, value, onChange, readOnly } = props
  const named = useNames(isRefs(f) && readOnly ? f.to : '', value)
  if (!isRefs(f)) return null
  if (readOnly) return <TextInput {...kitFrame(props)} readOnly value={named} />
  return (
    <RefMultiSelect
      {...kitFrame(props)}
      to={f.to}
      filter={f.among}
      value={idsOf(value)}
      onChange={onChange}
      openOnFocus={false}
    />
  )
}

export const refs: FieldUi = { Input: RefsField, Cell: RefsCell, text: words, ask: askRefs, width: 360 }
