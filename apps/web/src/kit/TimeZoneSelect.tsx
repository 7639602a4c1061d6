import { Select, type SelectProps } from '@mantine/core'
import { useMemo } from 'react'
import { zoneOptions } from './zoneNames.ts'

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  value: string | null
  onChange: (zone: string | null) => void
}

/** A select of all time zones known to the browser, and the current one in any case. */
export function TimeZoneSelect({ value, onChange, ...input }: Props) {
  const zones = useMemo(() => zoneOptions(value ?? undefined), [value])
  return (
    <Select
      {...input}
      searchable
      data={zones}
      nothingFoundMessage="Совпадений не найдено"
      value={value}
      onChange={onChange}
    />
  )
}
