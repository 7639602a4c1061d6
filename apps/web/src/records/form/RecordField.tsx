import { Input } from '@mantine/core'
import { isVisible } from '@ordinator/model/entity'
import { isReadable, isWritable } from '@ordinator/model/fields/field'
import { waitingFields, waitsFor } from '@ordinator/model/waiting'
import { type ComponentType, useEffect } from 'react'
import { useController } from 'react-hook-form'
import { FieldValue } from '../FieldValue.tsx'
import { uiOf } from '../fields/registry.ts'
import type { InputProps } from '../fields/ui.ts'
import { useRecordForm } from './formContext.ts'
import classes from './RecordField.module.css'

interface Props {
  /** Name of a field of the form's entity. */
  name: string
  /** Replaces the field's own label. */
  label?: string
  help?: string
  placeholder?: string
  autoFocus?: boolean
  readOnly?: boolean
  /** Replaces the type's input. */
  input?: ComponentType<InputProps>
}

/** A field of the form. Hidden from users who may not see it; text for those who may not change it. */
export function RecordField(props: Props) {
  const { entity, actor, record } = useRecordForm()
  const f = Object.hasOwn(entity.all, props.name) ? entity.all[props.name] : undefined
  if (!f) throw new Error(`No field ${props.name} in ${entity.path}`)
  if (!isVisible(f, actor)) return null
  const ui = uiOf(f)
  const writable = isWritable(f) && !(record && (f.options.fixed || f.options.virtual)) && (props.input || ui.Input)
  if (writable) return <EditedField {...props} />
  if (!record || !isReadable(f)) return null
  return (
    <Input.Wrapper label={props.label ?? f.options.label} labelElement="div">
      <div className={classes.value}>
        <FieldValue f={f} value={record[props.name]} row={record} />
      </div>
    </Input.Wrapper>
  )
}

const COUNT_FROM = 0.8

function EditedField({ name, label, help, placeholder, autoFocus, readOnly, input }: Props) {
  const form = useRecordForm()
  const { entity, record, shown } = form
  const f = entity.all[name] as (typeof entity.all)[string]
  const { field, fieldState } = useController({ name })
  useEffect(() => {
    shown.add(name)
    return () => void shown.delete(name)
  }, [shown, name])
  const ui = uiOf(f)
  // A field that nothing uses yet is marked as such.
  const notes = [help ?? f.options.help, waitsFor(waitingFields[`${entity.path}.${name}`])].filter(Boolean)
  const Control = (input ?? ui.Input) as ComponentType<InputProps>
  const max =
    typeof f.options.max === 'number' && typeof field.value === 'string' && ui.counted ? f.options.max : undefined
  const length = max === undefined ? 0 : [...(field.value as string)].length
  const { message: wrong } = fieldState.error ?? {}
  return (
    <div className={classes.field} data-field={name} data-wide={ui.wide || f.options.multiline ? true : undefined}>
      <Control
        entity={entity}
        name={name}
        f={f}
        value={field.value}
        onChange={field.onChange}
        onBlur={field.onBlur}
        label={label ?? f.options.label}
        description={notes.join('. ') || undefined}
        error={wrong}
        required={f.options.required === true}
        readOnly={form.readOnly || readOnly}
        autoFocus={autoFocus}
        placeholder={placeholder}
        row={record}
      />
      {max !== undefined && (
        <span
          className={classes.counter}
          data-near={length >= max * COUNT_FROM || undefined}
          data-over={length > max || undefined}
          aria-hidden
        >
          {length} / {max}
        </span>
      )}
    </div>
  )
}
