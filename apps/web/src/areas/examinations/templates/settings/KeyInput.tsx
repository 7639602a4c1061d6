import { TextInput } from '@mantine/core'
import { type FormField, keyOf } from '@ordinator/model/areas/examinations/form'
import { useState } from 'react'
import type { FieldProps } from './props.ts'

export const keysBut = ({ key }: FormField, fields: readonly FormField[]) =>
  new Set(fields.map((one) => one.key).filter((one) => one !== key))

/** True when the name was generated from the label and no formula or condition uses it. */
export function isNamedByLabel(field: FormField, fields: readonly FormField[]): boolean {
  if (field.key !== keyOf(field.label, keysBut(field, fields))) return false
  return !fields.some(({ formula = '', showIf }) => showIf?.field === field.key || formula.includes(field.key))
}

/** Formula name: committed on blur, so that fields are not merged while typing. */
export function KeyInput({
  field,
  fields,
  readOnly,
  onChange,
}: Omit<FieldProps, 'onChange'> & { onChange: (key: string) => void }) {
  const [typed, setTyped] = useState<string>()
  const isTaken = typed !== undefined && typed !== field.key && fields.some(({ key }) => key === typed)
  return (
    <TextInput
      label="Имя в формулах"
      readOnly={readOnly}
      maxLength={40}
      value={typed ?? field.key}
      error={isTaken ? 'Такое имя уже есть' : undefined}
      onChange={(event) => setTyped(event.currentTarget.value.toLocaleLowerCase('ru'))}
      onBlur={() => {
        if (typed && !isTaken && typed !== field.key) onChange(typed)
        setTyped(undefined)
      }}
    />
  )
}
