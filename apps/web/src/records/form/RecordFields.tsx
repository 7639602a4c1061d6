import type { AnyField } from '@ordinator/model/entity'
import { uiOf } from '../fields/registry.ts'
import { useRecordForm } from './formContext.ts'
import { editableFields } from './formValues.ts'
import classes from './RecordField.module.css'
import { RecordField } from './RecordField.tsx'

/** Flags come together after the rest. */
const isFlag = (f: AnyField | undefined) => f !== undefined && uiOf(f).flag && !f.nullable

interface Props {
  /** Only these, in this order; default: all editable ones. */
  names?: readonly string[]
  autoFocus?: boolean
}

/** Fields in the standard grid: as many columns as fit, long texts full width. */
export function RecordFields({ names, autoFocus }: Props) {
  const { entity, actor, record } = useRecordForm()
  const list =
    names ??
    editableFields(entity, actor, record === undefined)
      .filter(([, f]) => uiOf(f).Input)
      .map(([name]) => name)
  const fields = list.filter((name) => names || !isFlag(entity.fields[name]))
  const flags = list.filter((name) => !fields.includes(name))
  return (
    <>
      <div className={classes.grid}>
        {fields.map((name, i) => (
          <RecordField key={name} name={name} autoFocus={autoFocus && i === 0} />
        ))}
      </div>
      {flags.length > 0 && (
        <div className={classes.grid} data-flags>
          {flags.map((name) => (
            <RecordField key={name} name={name} />
          ))}
        </div>
      )}
    </>
  )
}
