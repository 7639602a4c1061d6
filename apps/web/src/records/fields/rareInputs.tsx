/** Inputs of rare field types, loaded with the first form that has one: see lateInput.tsx. */
import { TagsInput } from '@mantine/core'
import type { WorkingHours } from '@ordinator/model/hours'
import { ColorField } from '#kit/ColorField.tsx'
import { IconPicker } from '#kit/IconPicker.tsx'
import { TimeZoneSelect } from '#kit/TimeZoneSelect.tsx'
import { WeekHours } from '#kit/WeekHours.tsx'
import { type InputProps, inputFrame, itemsOf, kitFrame } from './ui.ts'

export const ColorChoice = ({ f, value, onChange, error, readOnly }: InputProps) => (
  <ColorField
    label={f.options.label}
    value={value as string | null}
    onChange={onChange}
    error={typeof error === 'string' ? error : undefined}
    disabled={readOnly}
  />
)

export const IconChoice = ({ f, value, onChange, readOnly }: InputProps) => (
  <IconPicker label={f.options.label} value={value as string | null} onChange={onChange} disabled={readOnly} />
)

export function ListField(props: InputProps) {
  return (
    <TagsInput
      {...inputFrame(props)}
      value={itemsOf(props.value)}
      onChange={props.onChange}
      splitChars={[',', ';']}
      acceptValueOnBlur
      clearable={!props.readOnly}
    />
  )
}

export const WeekField = ({ label, description, error, readOnly, value, onChange, onBlur }: InputProps) => (
  <WeekHours
    label={label}
    description={description}
    error={error}
    readOnly={readOnly}
    value={value as WorkingHours | null}
    onChange={onChange}
    onBlur={onBlur}
  />
)

export const ZoneField = (props: InputProps) => (
  <TimeZoneSelect
    {...kitFrame(props)}
    value={(props.value as string | null) || null}
    onChange={props.onChange}
    clearable={props.f.nullable}
  />
)
