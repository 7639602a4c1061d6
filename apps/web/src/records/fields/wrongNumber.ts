import type { AnyField } from '@ordinator/model/entity'
import { messages } from '@ordinator/model/messages'

/** What is wrong with a number as it stands in a form; undefined: nothing. */
export const wrongNumber = (f: AnyField, value: unknown, needed = false): string | undefined => {
  if (value === null || value === undefined || value === '') return needed ? messages.required : undefined
  const checked = f.check(value)
  return checked.ok ? undefined : checked.message
}
