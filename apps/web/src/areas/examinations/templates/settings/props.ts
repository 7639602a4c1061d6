import type { FormField } from '@ordinator/model/areas/examinations/form'

/** Props of the settings of a field. */
export interface FieldProps {
  field: FormField
  /** All fields of the template. */
  fields: readonly FormField[]
  readOnly: boolean
  onChange: (field: FormField) => void
}

/** Options of a select from labels by value. */
export const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))
