/** Sick leaves, attachment and their settings. */
import type { State } from './common.ts'

export const eln = {
  sickLeave: [{}],
  elnSettings: [{}],
  attachmentApplication: [{}],
} satisfies Record<string, readonly State[]>
