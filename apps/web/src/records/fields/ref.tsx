import { TextInput } from '@mantine/core'
import type { AnyField } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import { usePeople } from '../../kit/people.ts'
import { UserLink } from '../../kit/UserLink.tsx'
import { briefAt } from '../declarations.ts'
import { titleOf } from '../title.ts'
import { askRefs } from './askRefs.tsx'
import { RefSelect } from './RefSelect.tsx'
import { type AnyRow, type CellProps, type FieldUi, type InputProps, isEmpty, kitFrame } from './ui.ts'

/** The referenced record, if it was expanded. */
export function relatedOf(f: AnyField, row: AnyRow | undefined, value: unknown): AnyRow | undefined {
  const related = isRef(f) ? (row?.[f.as] as AnyRow | null | undefined) : undefined
  return related && related.id === value ? related : undefined
}

const words = (value: unknown, f: AnyField, row?: AnyRow) => {
  if (isEmpty(value) || !isRef(f)) return ''
  const related = relatedOf(f, row, value)
  return related ? titleOf(briefAt(f.to), related) : `№ ${value}`
}

function RefCell({ value, f, row }: CellProps) {
  const related = relatedOf(f, row, value)
  const named = words(value, f, row)
  const { ways } = usePeople()
  const isPerson = isRef(f) && f.to in ways && related !== undefined && 'shortFio' in related
  return isPerson ? <UserLink user={related} of={f.to} /> : <span title={named}>{named}</span>
}

function RefField(props: InputProps) {
  const { f, value, onChange, row, readOnly } = props
  if (!isRef(f)) return null
  if (readOnly) return <TextInput {...kitFrame(props)} readOnly value={words(value, f, row)} />
  return (
    <RefSelect
      {...kitFrame(props)}
      to={f.to}
      filter={f.among}
      value={isEmpty(value) ? null : Number(value)}
      onChange={(id) => onChange(id)}
      known={relatedOf(f, row, value)}
      clearable={f.nullable}
      autoFocus={props.autoFocus}
    />
  )
}

export const ref: FieldUi = { Input: RefField, Cell: RefCell, text: words, ask: askRefs, width: 200 }
