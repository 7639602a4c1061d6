import type { AnyField } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import { isRefs } from '@ordinator/model/fields/refs'
import { briefAt } from './declarations.ts'
import { useNamed } from './fields/RefSelect.tsx'
import { relatedOf } from './fields/ref.tsx'
import { wordsOf } from './fields/registry.ts'
import { type AnyRow, isEmpty } from './fields/ui.ts'
import { titleOf } from './title.ts'

interface Props {
  f: AnyField
  value: unknown
  row?: AnyRow
  /** Text for an empty value; default '—'. */
  empty?: string
}

/** A value as text; a reference known only by id is loaded for its title. */
export function FieldValue({ f, value, row, empty = '—' }: Props) {
  if (isRefs(f) && !isEmpty(value)) return <Named to={f.to} ids={value as number[]} />
  if (isRef(f) && !isEmpty(value) && !relatedOf(f, row, value)) return <Named to={f.to} ids={[Number(value)]} />
  return wordsOf(f, value, row) || empty
}

function Named({ to, ids }: { to: string; ids: readonly number[] }) {
  const rows = useNamed(to, [...ids])
  const nameOf = (id: number) => {
    const row = rows.find((r) => r.id === id)
    return row ? titleOf(briefAt(to), row) : `№ ${id}`
  }
  return ids.map(nameOf).join(', ')
}
