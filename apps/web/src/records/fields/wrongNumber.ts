import type { AnyField } from '@ordinator/model/entity'
import { messages } from '@ordinator/model/messages'

/** The error of a number in a form; undefined: none. */
export const wrongNumber = (f: AnyField, value: unknown, needed = false): string | undefined => {
  if (value === null || value === undefined || value === '') return needed ? messages.required : undefined
  const checked = f.check(value)
  return checked.ok ? undefined : checked.message
}
