import type { FormField } from '@ordinator/model/areas/examinations/form'

/** Props of the inputs of all types. */
export interface FieldProps {
  field: FormField
  value: unknown
  /** null clears it. */
  set: (value: unknown) => void
  /** Props of the frame around the input. */
  frame: { label: string; description?: string; error?: string; required?: boolean; readOnly?: boolean }
}
