import { MultiSelect } from '@mantine/core'
import type { AnyFilter } from '@ordinator/model/client'
import type { Entity } from '@ordinator/model/entity'
import { useState } from 'react'
import { listOf, text } from '#base/addressValues.ts'
import { useList } from '../reads.ts'
import { filterInputProps, NOTHING_FOUND } from './filterInput.ts'
import type { FilterInputProps, FilterKind } from './filters.ts'

const FRESH_MS = 60_000
const MAX_WORDS = 500

interface Options<U> {
  label: string
  /** The entity whose names are offered. */
  of: Entity
  /** Restricts them by the screen's context. */
  among?: (context: U) => AnyFilter
}

/** Any of several names, as of tags: each name once, however many records have it. */
export function words<U = unknown>(
  field: string,
  options: Options<U>,
): FilterKind<{ '': string[] }, object, unknown, U> {
  return {
    field,
    label: options.label,
    parts: { '': (given) => listOf(given, text) },
    conditions: ({ '': names = [] }) => [{ [field]: { in: names } }],
    text: ({ '': names = [] }, { label }) => `${label}: ${names.join(', ')}`,
    input: (props) => <Words {...props} {...options} />,
  }
}

/** The names are loaded when the list is opened. */
function Words<U>({
  of,
  among,
  value,
  onChange,
  context,
  ...props
}: FilterInputProps<{ '': string[] }, U> & Options<U>) {
  const chosen = value[''] ?? []
  const [wanted, setWanted] = useState(chosen.length > 0)
  const list = useList(
    of,
    { filter: among?.(context), sort: '-id', limit: MAX_WORDS, fields: ['name'] },
    {
      enabled: wanted,
      forbidden: 'silent',
      staleTime: FRESH_MS,
    },
  )
  const known = (list.data?.items ?? []).map(({ name }) => String(name))
  return (
    <MultiSelect
      {...filterInputProps(props, 'Любые', chosen.length === 0)}
      clearable
      searchable
      nothingFoundMessage={NOTHING_FOUND}
      onDropdownOpen={() => setWanted(true)}
      data={[...new Map([...known, ...chosen].map((name) => [name.toLowerCase(), name])).values()]}
      value={chosen}
      onChange={(names) => onChange({ '': names.length ? names : undefined })}
    />
  )
}
