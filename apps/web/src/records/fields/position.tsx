import type { FieldUi } from './ui.ts'

/** A position is shown by the order of the rows. */
export const position: FieldUi = { Cell: () => null, text: () => '', width: 60, noColumn: true }
