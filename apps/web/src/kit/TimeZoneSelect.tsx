import { Select, type SelectProps } from '@mantine/core'
import { useMemo } from 'react'

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  value: string | null
  onChange: (zone: string | null) => void
}

/** Chooses a time zone among all that the browser knows, and the present one in any case. */
export function TimeZoneSelect({ value, onChange, ...input }: Props) {
  const zones = useMemo(
    () => [...new Set([...(value ? [value] : []), ...Intl.supportedValuesOf('timeZone')])].sort(),
    [value],
  )
  return (
    <Select
      {...input}
      searchable
      allowDeselect={false}
      data={zones}
      nothingFoundMessage="Совпадений не найдено"
      value={value}
      onChange={onChange}
    />
  )
}
