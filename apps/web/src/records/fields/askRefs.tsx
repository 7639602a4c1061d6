import type { AnyField } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import { isRefs } from '@ordinator/model/fields/refs'
import { briefAt } from '../declarations.ts'
import { titleOf } from '../title.ts'
import { askLabel } from './ask.tsx'
import { RefMultiSelect } from './RefSelect.tsx'
import type { AskProps, FieldAsk } from './ui.ts'

const targetOf = (f: AnyField): string | undefined => (isRef(f) || isRefs(f) ? f.to : undefined)

function AskRefs({ f, value, onChange }: AskProps) {
  const to = targetOf(f)
  return (
    to !== undefined && (
      <RefMultiSelect
        {...askLabel}
        to={to}
        value={value === '' ? [] : value.split(',').map(Number)}
        onChange={(ids) => onChange(ids.join(','))}
      />
    )
  )
}

/** A condition on a reference to one or several records: any of the selected ones. */
export const askRefs: FieldAsk = {
  Input: AskRefs,
  text: (value, f, named) =>
    value
      .split(',')
      .map((id) => {
        const row = named.find((one) => one.id === Number(id))
        const to = targetOf(f)
        return row && to !== undefined ? titleOf(briefAt(to), row) : `№ ${Number(id)}`
      })
      .join(', '),
}
