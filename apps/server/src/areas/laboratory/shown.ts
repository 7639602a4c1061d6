/** How lists of the laboratory show a patient and a moment. */
import { raw } from 'sql-template-tag'

/** SQL of the full name of the patient `c`. */
export const patientSql = raw(
  `coalesce(nullif(concat_ws(' ', c."surname", c."name", c."middleName"), ''), 'Без имени')`,
)

export const iso = (moment: string | null): string | null => (moment === null ? null : new Date(moment).toISOString())
