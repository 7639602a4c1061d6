import type { FormField } from '@ordinator/model/areas/examinations/form'

/** What the input of every type is given. */
export interface FieldProps {
  field: FormField
  value: unknown
  /** null empties it. */
  set: (value: unknown) => void
  /** What stands around the input. */
  frame: { label: string; description?: string; error?: string; required?: boolean; readOnly?: boolean }
}
