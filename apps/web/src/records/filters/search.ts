import type { AnyFilter } from '@ordinator/model/client'
import { text } from '#base/addressValues.ts'
import type { FilterKind } from './filters.ts'

/** Fewer digits match too many phones. */
const MIN_DIGITS = 3

interface Options {
  label: string
  placeholder: string
  hotkey: { label: string; group: string }
  /** Those of `fields` with phones: matched by digits in any format. */
  phones?: readonly string[]
}

/** Text searched in any of several fields. */
export function search(
  fields: readonly string[],
  { phones = [], ...rest }: Options,
): FilterKind<{ '': string }, object, unknown, unknown> {
  return {
    label: rest.label,
    search: rest,
    parts: { '': text },
    conditions: ({ '': sought = '' }) => {
      const found = (field: string): AnyFilter => ({ [field]: { ilike: sought } })
      const byDigits = sought.replace(/\D/g, '').length >= MIN_DIGITS && !/\p{L}/u.test(sought)
      const or = [...fields, ...(byDigits ? phones : [])].map(found)
      return or.length === 1 ? or : [{ or }]
    },
    text: ({ '': sought }) => `Поиск: «${sought}»`,
  }
}
