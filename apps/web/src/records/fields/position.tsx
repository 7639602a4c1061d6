import type { FieldUi } from './ui.ts'

/** The place in an order is shown by the order itself. */
export const position: FieldUi = { Cell: () => null, text: () => '', width: 60, noColumn: true }
