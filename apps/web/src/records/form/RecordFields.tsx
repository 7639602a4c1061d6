import type { AnyField } from '@ordinator/model/entity'
import { uiOf } from '../fields/registry.ts'
import { useRecordForm } from './formContext.ts'
import { editableFields } from './formValues.ts'
import classes from './RecordField.module.css'
import { RecordField } from './RecordField.tsx'

const isFlag = (f: AnyField) => f.kind === 'boolean' && !f.nullable

interface Props {
  /** Only these, in this order; all that can be written unless told. */
  names?: readonly string[]
  autoFocus?: boolean
}

/** Fields in the standard grid: as many columns as fit, long texts across all of them. */
export function RecordFields({ names, autoFocus }: Props) {
  const { entity, actor, record } = useRecordForm()
  const list =
    names ??
    editableFields(entity, actor, record === undefined)
      .filter(([, f]) => uiOf(f).Input)
      // Flags stand together after the rest.
      .sort(([, a], [, b]) => Number(isFlag(a)) - Number(isFlag(b)))
      .map(([name]) => name)
  return (
    <div className={classes.grid}>
      {list.map((name, i) => (
        <RecordField key={name} name={name} autoFocus={autoFocus && i === 0} />
      ))}
    </div>
  )
}
