import { Select } from '@mantine/core'
import type { ElnDictionary } from '@ordinator/model/areas/eln/codes'
import { type ReactNode, useId } from 'react'
import { type InputProps, inputFrame } from '#records/fields/ui.ts'
import { useCodes } from './leave.ts'

interface Props {
  kind: ElnDictionary
  label: ReactNode
  value: string | null
  error?: ReactNode
  /** Day for which the codes are valid; default: today. */
  day?: string | null
  required?: boolean
  onChange: (code: string | null) => void
}

const useOptions = (kind: ElnDictionary, value: string | null, day?: string | null) => {
  const codes = useCodes(day)?.[kind] ?? []
  const data = codes.map(({ code, name }) => ({ value: code, label: `${code} ${name}` }))
  // Keeps a code of an older edition readable.
  return value && !codes.some(({ code }) => code === value) ? [{ value, label: value }, ...data] : data
}

/** Select of a code from a sick leave dictionary. */
export function CodeSelect({ kind, label, value, error, day, required, onChange }: Props) {
  const id = useId()
  return (
    <Select
      id={id}
      label={label}
      required={required}
      searchable
      clearable
      data={useOptions(kind, value, day)}
      value={value || null}
      error={error}
      maxDropdownHeight={320}
      nothingFoundMessage="Нет такого кода"
      onChange={onChange}
    />
  )
}

/** The same as a form field. */
export const codeField = (kind: ElnDictionary) =>
  function CodeField(props: InputProps) {
    const value = (props.value as string | null) ?? null
    return (
      <Select
        {...inputFrame(props)}
        searchable
        clearable
        data={useOptions(kind, value)}
        value={value || null}
        maxDropdownHeight={320}
        nothingFoundMessage="Нет такого кода"
        onChange={props.onChange}
      />
    )
  }
